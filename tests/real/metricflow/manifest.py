"""MetricFlow's files as they lie in the shared data: semantic models, metrics, table rows and integration cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import yaml

ROOT = Path(__file__).resolve().parents[4] / "shared" / "data" / "metricflow-models"
MANIFESTS = ROOT / "metricflow_semantics" / "test_helpers" / "semantic_manifest_yamls"
CASES = ROOT / "tests_metricflow" / "integration" / "test_cases"
SNAPSHOTS = ROOT / "tests_metricflow" / "fixtures" / "source_table_snapshots"
FOLDERS = {
    "SIMPLE_MODEL": "simple_manifest",
    "SIMPLE_MODEL_NON_DS": "non_sm_manifest",
    "UNPARTITIONED_MULTI_HOP_JOIN_MODEL": "multi_hop_join_manifest",
    "PARTITIONED_MULTI_HOP_JOIN_MODEL": "partitioned_multi_hop_join_manifest",
    "EXTENDED_DATE_MODEL": "extended_date_manifest",
    "SCD_MODEL": "scd_manifest",
}
_TYPES = {"TIME": "TIMESTAMP", "STRING": "VARCHAR", "FLOAT": "DOUBLE", "BOOLEAN": "BOOLEAN", "INT": "BIGINT"}

Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class SemanticModel:
    """One `semantic_model` of a manifest, looked up by name."""

    name: str
    table: str
    dimensions: dict[str, Json]
    entities: dict[str, Json]
    measures: dict[str, Json]
    primary: str
    time: str

    @property
    def partition(self) -> str:
        """The dimension of which each value has rows of its own for the same key, or nothing."""
        return next((name for name, dimension in self.dimensions.items() if dimension.get("is_partition")), "")

    @property
    def partitioned(self) -> bool:
        """Whether one key has a row for each partition."""
        return bool(self.partition)

    @property
    def over_time(self) -> bool:
        """Whether one key has several rows, each valid for a while."""
        params = [dimension.get("type_params") or {} for dimension in self.dimensions.values()]
        return any("validity_params" in found for found in params)


@dataclass(frozen=True)
class Manifest:
    """The semantic models and metrics of one folder."""

    models: dict[str, SemanticModel] = field(default_factory=dict)
    metrics: dict[str, Json] = field(default_factory=dict)


def documents(folder: Path) -> Iterator[Json]:
    """Every YAML document below a folder that is a mapping."""
    for path in sorted([*folder.rglob("*.yaml"), *folder.rglob("*.yml")]):
        yield from (found for found in yaml.safe_load_all(path.read_text()) if isinstance(found, dict))


def read_manifest(name: str) -> Manifest:
    """The manifest that a case's `model` names. A measure with `create_metric` is also a metric."""
    manifest = Manifest()
    for document in documents(MANIFESTS / FOLDERS[name]):
        if "metric" in document:
            metric = document["metric"]
            manifest.metrics[metric["name"]] = {**metric, "type": metric["type"].lower()}
        if "semantic_model" in document:
            model = _semantic_model(document["semantic_model"])
            manifest.models[model.name] = model
            for measure in model.measures.values():
                if measure.get("create_metric"):
                    params = {"measure": measure["name"]}
                    simple = {"name": measure["name"], "type": "simple", "type_params": params}
                    manifest.metrics.setdefault(measure["name"], simple)
    return manifest


def _semantic_model(raw: Json) -> SemanticModel:
    entities = {entity["name"]: entity for entity in raw.get("entities", ())}
    declared = next((name for name, entity in entities.items() if entity["type"] == "primary"), "")
    return SemanticModel(
        raw["name"],
        raw["node_relation"]["alias"],
        {dimension["name"]: dimension for dimension in raw.get("dimensions", ())},
        entities,
        {measure["name"]: measure for measure in raw.get("measures", ())},
        declared or raw.get("primary_entity", ""),
        (raw.get("defaults") or {}).get("agg_time_dimension", ""),
    )


def read_cases() -> list[Json]:
    """All integration cases; `id` is unique: the file and the case's name."""
    return [
        {
            **document["integration_test"],
            "id": f"{path.stem.removeprefix('itest_')}/{document['integration_test']['name']}",
        }
        for path in sorted(CASES.glob("*.yaml"))
        for document in yaml.safe_load_all(path.read_text())
        if isinstance(document, dict) and "integration_test" in document
    ]


def load_tables(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """Make every table of the snapshots; the answer is the type of each column of each."""
    types: dict[str, dict[str, str]] = {}
    for document in documents(SNAPSHOTS):
        snapshot = document["table_snapshot"]
        name, columns = snapshot["table_name"], snapshot["column_definitions"]
        types[name] = {column["name"]: _TYPES[column["type"]] for column in columns}
        shape = ", ".join(f'"{column}" {kind}' for column, kind in types[name].items())
        connection.execute(f'CREATE TABLE "{name}" ({shape})')
        if snapshot["rows"]:
            flat = [cell for row in snapshot["rows"] for cell in row]
            row = f"({', '.join('?' * len(columns))})"
            connection.execute(f'INSERT INTO "{name}" VALUES {", ".join([row] * len(snapshot["rows"]))}', flat)
    return types
