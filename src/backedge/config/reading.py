"""Reading single project files: each is read once, whoever asks, and gives its content and its own problems."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.ask.catalog import Verified
from backedge.ask.evaluate import QuestionSet
from backedge.automations.tasks import Automation
from backedge.config.agent_file import Agent, read_agent
from backedge.config.automation_file import read_automation
from backedge.config.config_file import CONFIG_FILE, ProjectConfig, read_config
from backedge.config.folder import Folder, kind_of, read_text
from backedge.config.motif_file import read_motif
from backedge.config.problem import Problem
from backedge.config.query_file import read_query
from backedge.config.sql_file import read_sql
from backedge.config.test_file import read_test
from backedge.config.topic_file import WrittenTopic, read_topic
from backedge.config.view_file import read_view
from backedge.config.yaml_file import Block, parse_yaml
from backedge.semantic.model import Motif, View
from backedge.semantic.saved_queries import SavedQuery

Declared = View | Motif | SavedQuery | WrittenTopic | Agent | Automation | ProjectConfig | Verified | QuestionSet
Content = Declared | tuple[str, str]


@dataclass(frozen=True)
class FileRead:
    """One file as read: its bytes, what it declares (None where it is wrong), its YAML tree, and its own problems.

    `content` of an example or a note is (path, text).
    """

    path: str
    body: bytes
    content: Content | None
    tree: Block | None
    problems: tuple[Problem, ...]

    @property
    def declares(self) -> str:
        """The name it gives, or the one of the file: known even where the rest of the file is wrong."""
        name = self.tree.get("name") if self.tree else None
        return str(name or self.path.rsplit("/", 1)[-1].split(".")[0])

    def line(self, *keys: str | int) -> int:
        """The line of a key or item in the file, as far down as `keys` exist."""
        node: object = self.tree
        line = 0
        for key in keys:
            if isinstance(node, Block) and isinstance(key, str) and key in node:
                line, node = node.lines[key], node[key]
            elif isinstance(node, list) and isinstance(key, int):
                line, node = node.lines[key], node[key]  # type: ignore[attr-defined]  # lists of a tree are Items
        return line


class Reader:
    """The files of one folder, each read at most once."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._reads: dict[str, FileRead] = {}

    def read(self, path: str) -> FileRead:
        """The file at `path` (relative to the folder)."""
        if path not in self._reads:
            self._reads[path] = self._read(path)
        return self._reads[path]

    def config(self) -> FileRead | None:
        """`config.yml`, or None where the folder has none."""
        exists = CONFIG_FILE in self.folder.files or (self.folder.root / CONFIG_FILE).is_dir()
        return self.read(CONFIG_FILE) if exists else None

    def _read(self, path: str) -> FileRead:
        found: list[Problem] = []
        text = read_text(self.folder.root, path, found)
        if text is None:
            return FileRead(path, b"", None, None, tuple(found))
        body, decoded = text
        kind = kind_of(path)
        tree: Block | None = None
        content: Content | None
        if kind == "sql":
            content = read_sql(path, decoded, found)
        elif kind == "note":
            content = (path, decoded)
        else:
            tree = parse_yaml(path, decoded, found)
            content = self._content(path, tree, found) if tree else None
        return FileRead(path, body, content, tree, tuple(found))

    def _content(self, path: str, tree: Block, found: list[Problem]) -> Content | None:
        match kind_of(path):
            case "view":
                return read_view(path, tree, found)
            case "topic":
                return read_topic(path, tree, found)
            case "motif":
                return read_motif(path, tree, found)
            case "query":
                return read_query(path, tree, found)
            case "agent":
                return read_agent(path, tree, found)
            case "test":
                return read_test(path, tree, found)
            case "automation":
                return read_automation(path, tree, found)
            case _:
                return read_config(self.folder.root, tree, found)
