"""`.motif.yml`, `.query.yml`, and roles and sub-queries of views: what is read, and each wrong one told."""

from __future__ import annotations

import json

import pytest

from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.config.validate import check_project
from backedge.semantic.model import MotifParam
from backedge.semantic.saved_queries import Parameter
from tests.config.projects import VIEW, Write

MOTIF = """\
name: index
description: Against the first
params:
  measure: {type: measure, constraints: [numeric], description: what}
  time: {type: dimension, constraints: [temporal]}
  base: {type: number, default: 100}
outputs:
  - {name: at, expr: "{{ measure }} * {{ base }} / NULLIF(FIRST_VALUE({{ measure }}) OVER (ORDER BY {{ time }}), 0)"}
"""
QUERY = """\
name: look
description: Two looks
params:
  status: {type: string, values: [open, "1"], default: open}
  since: {type: date}
steps:
  - name: first
    query:
      measures: [orders.revenue]
      filters: [{field: orders.status, op: equals, value: "{{params.status}}"}]
      limit: 5
  - {name: second, query: {dimensions: [orders.status], ungrouped: true}}
"""


def test_a_motif_file_is_read(write: Write) -> None:
    (motif,) = load_project(write({"a.view.yml": VIEW, "m/index.motif.yml": MOTIF})).catalog.model.motifs
    assert motif.name == "index"
    assert motif.at == "m/index.motif.yml:1"
    assert motif.params == (
        MotifParam("measure", "measure", description="what"),
        MotifParam("time", "dimension", temporal=True),
        MotifParam("base", "number", default=100),
    )
    assert motif.outputs[0][0] == "at"


def test_a_query_file_is_read(write: Write) -> None:
    (query,) = load_project(write({"a.view.yml": VIEW, "q/look.query.yml": QUERY})).catalog.queries
    assert (query.name, query.at) == ("look", "q/look.query.yml:1")
    assert query.parameters == (
        Parameter("status", "string", ("open", "1"), "open"),
        Parameter("since", "date"),
    )
    assert json.loads(query.steps[0].query)["limit"] == 5
    assert json.loads(query.steps[1].query)["ungrouped"] is True


def test_roles_and_sub_queries_of_a_view_are_read(write: Write) -> None:
    more = (
        "  - {name: address, type: foreign, key: id, role: to}\n  - {name: address, type: foreign, key: id, role: by}\n"
    )
    orders = VIEW.replace("dimensions:\n", f"{more}dimensions:\n")
    places = (
        "name: places\ndatasource: local\ntable: p.csv\nentities: [{name: address, key: code}]\n"
        "dimensions:\n  - {name: code, type: string}\n"
        "  - {name: made, type: number, sub_query: true, expr: orders.revenue}\n"
    )
    model = load_project(write({"a.view.yml": orders, "p.view.yml": places})).catalog.model
    assert [(v.name, v.role_of) for v in model.views] == [
        ("orders", ""),
        ("places", ""),
        ("to", "places"),
        ("by", "places"),
    ]
    made = model.views[1].dimension("made")
    assert made is not None
    assert (made.sub_query, made.unsupported) == (True, ())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "m.motif.yml",
            MOTIF.replace("name: index", "name: yoy"),
            "m.motif.yml:1: motif `yoy` is there without a file",
        ),
        ("m.motif.yml", MOTIF.replace("{{ base }}", "(SELECT 1)"), "m.motif.yml:8: the expression of output at"),
        ("m.motif.yml", MOTIF.replace("{{ base }}", "{{ bse }}"), "is no parameter"),
        ("m.motif.yml", MOTIF.replace("default: 100", "default: high"), "`default` of parameter `base` is no number"),
        ("m.motif.yml", MOTIF.replace("type: number", "type: table"), "cannot be `table`"),
        ("m.motif.yml", MOTIF.replace("outputs:", "output:"), "unknown key `output`"),
        ("q.query.yml", QUERY.replace("default: open", "default: shut"), "is none of its `values`"),
        ("q.query.yml", QUERY.replace("type: date", "type: date, default: soon"), "is no date"),
        ("q.query.yml", QUERY.replace("name: second", "name: first"), "step name `first` stands twice"),
        ("q.query.yml", QUERY.replace("{dimensions: [orders.status], ungrouped: true}", "[1]"), "must be a mapping"),
        ("q.query.yml", QUERY.replace("steps:", "stps:"), "unknown key `stps`"),
        (
            "o.view.yml",
            VIEW.replace("key: id}", "key: id, role: x}").replace("orders\nd", "o\nd"),
            "only a foreign key",
        ),
    ],
)
def test_a_wrong_file_is_told_with_its_place(write: Write, name: str, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_project(write({"a.view.yml": VIEW, name: text}))
    assert said in str(error.value)


def test_names_that_stand_twice_are_told(write: Write) -> None:
    files = {"a.view.yml": VIEW, "x.motif.yml": MOTIF, "y.motif.yml": MOTIF, "x.query.yml": QUERY, "y.query.yml": QUERY}
    told = "\n".join(map(str, check_project(write(files)).problems))
    assert "motif name `index` stands twice" in told
    assert "saved query name `look` stands twice" in told


def test_a_sub_query_needs_its_measure_and_two_entities_of_a_name_need_roles(write: Write) -> None:
    view = VIEW.replace("type: number}", "type: number, sub_query: true}", 1)
    view = view.replace("  - {name: order, key: id}\n", "  - {name: a, type: foreign, key: id}\n" * 2)
    told = "\n".join(map(str, check_project(write({"a.view.yml": view})).problems))
    assert "dimension `id` needs `expr`: the measure" in told
    assert "entity name `a` stands twice (the first is an entity on line 5): give each a `role`" in told
