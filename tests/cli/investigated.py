"""An investigation by the command line: the demo's papers, and a model that says what a test's story says."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import yaml

from backedge.demo.evidence import REQUEST
from tests.cli.projects import Ended, backedge

STORY = Path(__file__).parents[2] / "tools" / "evidence_demo_story.yml"
MANDATORY = ("objective", "condition", "model_system", "intervention", "endpoint")
Replies = dict[str, Any]


def good() -> Replies:
    """A story in which all goes well: of each stage of an investigation what the demo's model says at last."""
    story: Replies = yaml.safe_load(STORY.read_text(encoding="utf-8"))
    stages = ("extracting_facets", "proposing", "designing")
    whole = {stage: [story[stage][-1]] if stage in stages else story[stage] for stage in story}
    del whole["extracting"], whole["verifying"]
    return copy.deepcopy(whole)


class Investigated:
    """A project whose investigations are told by a story; a command is as good as its exit code."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        config = (folder / "config.yml").read_text(encoding="utf-8").split("models:")[0]
        model = "models:\n  - {name: story, vendor: scripted, model_ref: story, model_file: story.yml}\n"
        (folder / "config.yml").write_text(config + model, encoding="utf-8")
        evidence = (folder / "evidence.yml").read_text(encoding="utf-8").replace(": kept", ": story")
        (folder / "evidence.yml").write_text(evidence, encoding="utf-8")
        self.story = good()
        self.run = ""

    def says(self, stage: str, *replies: Any) -> None:
        """What the model says in a stage, one after the other; the last is said again and again."""
        self.story[stage] = [each if set(each) <= {"when", "reply"} else {"reply": each} for each in replies]

    def reply(self, stage: str, at: int = -1) -> Any:
        """A copy of what the model says well in a stage."""
        return copy.deepcopy(good()[stage][at]["reply"])

    def do(self, *words: str | Path) -> Ended:
        """A command on the project."""
        (self.folder / "story.yml").write_text(yaml.safe_dump(self.story), encoding="utf-8")
        return backedge(*words, "--project", self.folder)

    def data(self, *words: str | Path) -> Any:
        """What a command that succeeds prints as JSON."""
        done = self.do(*words, "--json")
        assert done.code == 0, done.err
        return done.json

    def start(self, request: str = REQUEST) -> Ended:
        """Begin, whatever comes of it."""
        done = self.do("investigate", "start", request, "--json", "--as", "rita")
        self.run = done.json["run"]
        return done

    def confirm(self) -> Ended:
        """Confirm what is mandatory, and go on."""
        assert self.do("facets", "confirm", self.run, *MANDATORY, "--as", "rita").code == 0
        return self.do("facets", "confirm", self.run, "--as", "rita")

    def judge(self) -> None:
        """Say of every judgement that rests on one record that it stands."""
        for waits in self.data("review", "list")["waiting"]:
            if waits["what"] == "sufficiency":
                self.do("review", "decide", waits["key"], "accept", "--because", "enough for doses", "--as", "rita")

    def decide(self, *words: str) -> Ended:
        """Choose the first approach."""
        rejected = words or ("--reject", "b=nobody measured the wash-out")
        return self.do("decide", self.run, "a", *rejected, "--as", "rita")

    def to(self, point: str) -> None:
        """Go on until a person is waited for: `candidates`, or `approval`."""
        self.start()
        self.confirm()
        self.judge()
        if point == "approval":
            assert self.decide().code == 0

    @property
    def view(self) -> Any:
        """How the investigation stands."""
        return self.data("investigate", "show", self.run)

    def kept(self, run: str = "") -> list[str]:
        """The kinds of what was refused in a run, in order."""
        events = self.do("runs", "events", run or self.run).out.splitlines()
        entries = [json.loads(line) for line in events]
        refused = [entry for entry in entries if entry["kind"] == "refused"]
        return [defect["kind"] for entry in refused for defect in entry["defects"]]
