"""airlayer's own examples of motifs, saved queries, join hints and sub-query dimensions are read and compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from backedge.config.motif_file import read_motif
from backedge.config.problem import Problem
from backedge.config.query_file import read_query
from backedge.config.view_file import read_view
from backedge.config.yaml_file import parse_yaml
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.spec import By, Compiled, Spec

EXAMPLES = Path(__file__).parents[3] / "shared" / "data" / "airlayer-models" / "examples"
pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason=f"{EXAMPLES} is not there")


def model(name: str) -> Model:
    found: list[Problem] = []
    views = []
    for path in sorted((EXAMPLES / name / "views").glob("*.view.yml")):
        tree = parse_yaml(path.name, path.read_text(encoding="utf-8"), found)
        views.append(read_view(path.name, tree, found) if tree else None)
    assert not [p for p in found if p.severity == "error"]
    return Model(tuple(view for view in views if view))


def test_every_motif_and_every_saved_query_is_read() -> None:
    found: list[Problem] = []
    read = []
    for path in sorted(EXAMPLES.rglob("*.motif.yml")) + sorted(EXAMPLES.rglob("*.query.yml")):
        tree = parse_yaml(path.name, path.read_text(encoding="utf-8"), found)
        assert tree is not None
        read.append((read_motif if ".motif." in path.name else read_query)(path.name, tree, found))
    assert (found, None in read, len(read)) == ([], False, 9)


def test_a_join_hint_chooses_the_way() -> None:
    hints = model("join-hints")
    spec = Spec(("orders.total_orders",), (By("shipments.status"),))
    refused = compile_spec(hints, spec, "postgres")
    assert isinstance(refused, tuple)
    assert refused[0].kind == "ambiguous_join"
    for way in ("warehouses", "stores"):
        chosen = compile_spec(hints, Spec(spec.measures, spec.by, through=(way,)), "postgres")
        assert isinstance(chosen, Compiled)
        assert set(chosen.tables) == {"orders", way, "shipments"}


def test_a_sub_query_dimension_compiles() -> None:
    spec = Spec(("customers.customer_count",), (By("customers.total_orders"),))
    result = compile_spec(model("subquery-dims"), spec, "postgres")
    assert isinstance(result, Compiled), result
    assert set(result.tables) == {"customers", "orders"}
