"""`embeddings` of config.yml: who makes vectors of texts, and what each vendor needs."""

from __future__ import annotations

import pytest

from backedge.config.embeddings import Embeddings
from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from tests.config.projects import CONFIG, VIEW, Write


def read(write: Write, keys: str) -> Embeddings | None:
    return load_project(write({"config.yml": f"{CONFIG}\nembeddings: {keys}\n", "a.view.yml": VIEW})).embeddings


def test_a_project_has_no_embeddings_unless_it_says_so(write: Write) -> None:
    assert load_project(write({"config.yml": CONFIG, "a.view.yml": VIEW})).embeddings is None
    assert read(write, "{vendor: local}") == Embeddings("local")
    assert read(write, "{vendor: local, model_ref: minilm}") == Embeddings("local", "minilm")


def test_an_own_url_is_read_with_the_name_of_its_key(write: Write) -> None:
    keys = "{vendor: openai_compat, model_ref: bge-m3, dimensions: 1024, api_url: 'http://x/v1', key_var: K}"
    assert read(write, keys) == Embeddings("openai_compat", "bge-m3", 1024, "http://x/v1", "K")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("{vendor: local, model_ref: x}", "minilm, use-multilingual"),
        ("{vendor: local, dimensions: 3}", "takes no other key"),
        ("{vendor: openai, model_ref: text-embedding-3-small}", "`dimensions`"),
        ("{vendor: openai_compat, model_ref: x, dimensions: 3}", "`api_url`"),
        ("{vendor: openai, model_ref: x, dimensions: 3, api_key: sk-1}", "key_var"),
        ("{vendor: cohere, model_ref: x, dimensions: 3}", "vendor"),
    ],
)
def test_what_does_not_fit_is_an_error_that_says_what_to_write(write: Write, keys: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(write, keys)
    assert said in str(caught.value)
    assert "sk-1" not in str(caught.value)
