"""A folder of papers for tests of the command line: a model that a file scripts, and what it says of two of them."""

from __future__ import annotations

from pathlib import Path

MOUSE = """Drug X lowers tumour volume in mice

ABSTRACT

We tested drug X in 40 male C57BL/6 mice.

RESULTS

Tumour volume decreased by 35% in mice given drug X compared with vehicle (p < 0.01). Body weight did not change.
"""
RAT = MOUSE.replace("mice", "rats").replace("C57BL/6", "Wistar").replace("35%", "12%")
VALUES = "name,value,unit,n\ntumour volume,120,mm3,20\nbody weight,24.5,g,20\n"
CONFIG = "models:\n  - {name: story, vendor: scripted, model_ref: story, model_file: replies.yml}\n"
EVIDENCE = "models: {evidence: story}\nreviewers: [{name: ann}]\n"
_FIELDS = "treatment: drug X, comparator: vehicle, direction: decrease, n: ''"
_MICE = "species: mice, population: male C57BL/6 mice"
_SHRANK = "Tumour volume decreased by 35% in mice given drug X compared with vehicle (p < 0.01)."
_CHECKS = """negation: {reason: none, outcome: passed}, scope: {reason: same, outcome: passed},
      species: {reason: same, outcome: passed}, treatment: {reason: same, outcome: passed},
      endpoint: {reason: same, outcome: passed}"""
FALSE_QUOTATION = "Tumour volume decreased by 45% in mice"
EXTRACTING = f"""extracting:
  - when: rats
    reply: {{records: [], nothing: "the animals are not those that are asked for"}}
  - reply: {{records: [{{quotations: [{{section: s3, text: "{FALSE_QUOTATION}"}}], kind: finding, {_MICE},
      statement: "Drug X decreased tumour volume by 45% in mice.", endpoint: tumour volume, effect: "45%", {_FIELDS}}}],
      nothing: ""}}
  - reply: {{records: [
      {{quotations: [{{section: s3, text: "{_SHRANK}"}}], kind: finding, {_MICE},
      statement: "Drug X decreased tumour volume by 35% in mice compared with vehicle.",
      endpoint: tumour volume, effect: "35%", {_FIELDS}}},
      {{quotations: [{{section: s3, text: "Body weight did not change."}}], kind: finding, {_MICE},
      statement: "Drug X reduced body weight in mice.", endpoint: body weight, effect: "", {_FIELDS}}}], nothing: ""}}
"""
VERIFYING = f"""verifying:
  - when: reduced body weight
    reply: {{reason: "the passage says that body weight did not change", label: contradicted,
      {_CHECKS.replace("negation: {reason: none, outcome: passed}", "negation: {reason: did not, outcome: failed}")}}}
  - reply: {{reason: "the passage says so", label: entailed, {_CHECKS}}}
"""
SILENT_JUDGE = "verifying:\n  - fails: permanent\n"
UNREADABLE = "extracting:\n  - text: this is no reply\n"


def make_papers(folder: Path, papers: dict[str, str], *, evidence: str = EVIDENCE, replies: str = "") -> Path:
    """Write a project with some papers in `papers/`, and give its folder."""
    files = {"config.yml": CONFIG, "evidence.yml": evidence, "replies.yml": replies or EXTRACTING + VERIFYING}
    for name, text in {**files, **{f"papers/{name}": text for name, text in papers.items()}}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
