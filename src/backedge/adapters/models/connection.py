"""How to reach a model, as plain arguments: its settings, and the names of the variables that hold its secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from backedge.agent.ports import ModelSettings
from backedge.agent.profiles import Profile, cannot, profile_of
from backedge.agent.vendors import VENDORS
from backedge.kernel.defect import Permanent

NEEDS_URL: Final = ("openai_compat", "azure")
OLLAMA_URL: Final = "http://127.0.0.1:11434/v1"
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

OpenAiApi = Literal["responses", "chat"]


@dataclass(frozen=True)
class Connection:
    """A model and the way to it.

    `key_var` and the `${NAME}` in `headers` name environment variables, which are read when a call is made and kept
    nowhere. `deployment` and `api_version` are Azure's. `file` is the model's, or where replies are kept, and `sha256`
    what a model's has to be. `seconds` bound one request. `api` chooses between OpenAI's two; None goes by the URL.
    """

    settings: ModelSettings
    key_var: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    deployment: str = ""
    api_version: str = ""
    file: Path | None = None
    sha256: str = ""
    seconds: float = 300.0
    api: OpenAiApi | None = None

    @property
    def key_variable(self) -> str:
        """The environment variable with the key; "" where the vendor needs none."""
        return self.key_var or VENDORS[self.settings.vendor].key_var

    def profile(self) -> Profile:
        """What the model can do. Raises `Permanent` for an unknown vendor and for settings that it cannot have."""
        vendor, url = self.settings.vendor, self.settings.base_url
        if vendor not in VENDORS:
            raise unusable(f"there is no vendor `{vendor}` of models", f"write one of {', '.join(VENDORS)}")
        if "@" in urlsplit(url).netloc:
            raise unusable(f"the URL of model `{self.settings.model}` holds credentials", "name the key's variable")
        if vendor in NEEDS_URL and not url:
            raise unusable(f"model `{self.settings.model}` of {vendor} has no URL", "write `api_url` in config.yml")
        profile = profile_of(vendor, self.settings.model)
        if why := cannot(self.settings, profile):
            raise Permanent(why, mend=why)
        return profile

    def key(self, environment: Mapping[str, str]) -> str:
        """The secret key, or "" where none is needed. Raises `Permanent` where it is not set."""
        variable = self.key_variable
        if not variable:
            return ""
        if key := environment.get(variable, "").strip():
            return key
        said = f"model `{self.settings.model}` of {self.settings.vendor} needs the variable {variable}"
        raise unusable(f"{said}, which is not set", f"set {variable}, or name another in `key_var`")

    def sent_headers(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The headers with their variables filled in. Raises `Permanent` where one is not set."""
        return {name: _VARIABLE.sub(lambda m: self._value(m[1], environment), said) for name, said in self.headers}

    def _value(self, variable: str, environment: Mapping[str, str]) -> str:
        if variable in environment:
            return environment[variable]
        said = f"a header of model `{self.settings.model}` needs the variable {variable}, which is not set"
        raise unusable(said, f"set {variable}")


def unusable(why: str, mend: str) -> Permanent:
    """A model that cannot be used as it is configured. An operator can mend that."""
    return Permanent(f"{why}: {mend}", mend=mend)
