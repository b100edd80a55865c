"""The command `backedge`: its subcommands are loaded when they are called, so that `--help` costs nothing."""

from __future__ import annotations

import importlib
from typing import Any

import click

from backedge.cli.exits import INTERRUPTED, fail

COMMANDS = {
    "agent": ("backedge.cli.agent:agent", "Show what each stage of an agent runs with."),
    "answer": ("backedge.cli.ask:answer", "Answer the question that a run waits with."),
    "ask": ("backedge.cli.ask:ask", "Ask a question about the data of a project."),
    "automation": ("backedge.cli.automation:automation", "List, show and run the automations of a project."),
    "candidates": ("backedge.cli.candidates:candidates", "Show the approaches of an investigation."),
    "compile": ("backedge.cli.model:compile_", "Compile a spec to SQL, without running it."),
    "db": ("backedge.cli.db:db", "List, test and sync the databases of a project."),
    "decide": ("backedge.cli.candidates:decide", "Choose an approach of an investigation."),
    "demo": ("backedge.cli.demo:demo", "Make a small project and ask it a few questions."),
    "design": ("backedge.cli.design:design", "Show, compare and approve the design of an investigation."),
    "doctor": ("backedge.cli.doctor:doctor", "Check this machine and a project, and say what to mend."),
    "export": ("backedge.cli.export:export", "Write records and sources in formats of others."),
    "facets": ("backedge.cli.facets:facets", "Show, change and confirm the facets of an investigation."),
    "gaps": ("backedge.cli.questions:gaps", "Show what an investigation could not cover."),
    "ingest": ("backedge.cli.ingest:ingest", "Bring in sources and verify what they say."),
    "init": ("backedge.cli.init:init", "Draft a project from data of your own."),
    "investigate": ("backedge.cli.investigate:investigate", "Start, list, show and retry investigations."),
    "packages": ("backedge.cli.packages:packages", "Show the evidence of each question of an investigation."),
    "query": ("backedge.cli.query:query", "Run a saved query of a project."),
    "questions": ("backedge.cli.questions:questions", "Show the questions of an investigation."),
    "records": ("backedge.cli.records:records", "List and show findings and claims with their quotations."),
    "review": ("backedge.cli.review:review", "List, show and decide the records that wait for a person."),
    "runs": ("backedge.cli.runs:runs", "List, show, retry and cancel runs."),
    "search": ("backedge.cli.search:search", "Search the sources of a project by words and by meaning."),
    "serve": ("backedge.cli.serve:serve", "Serve the pages and the API of a project."),
    "sources": ("backedge.cli.sources:sources", "Add, list, show, retry, refresh and restrict sources."),
    "test": ("backedge.cli.test:test", "Ask the questions of a question set and score the answers."),
    "trace": ("backedge.cli.tracing:trace", "Walk from a sentence to the characters that it rests on."),
    "validate": ("backedge.cli.model:validate", "Check every file of a project."),
    "verify": ("backedge.cli.tracing:verify", "Check an investigation again, all of it."),
    "workflow": ("backedge.cli.workflow:workflow", "Show a workflow's stages, checks and edges."),
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]!r}?" if near else f" To ask a question: backedge ask {args[0]!r}"
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            fail("interrupted", INTERRUPTED)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import version

        click.echo(f"backedge {version('backedge')}")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def main() -> None:
    """Answers questions about data with checked numbers: models propose, gates decide, nothing unproven moves forward.

    Exit codes: 0 answered, 1 failed, 2 usage, 3 needs input, 4 cannot answer, 5 configuration, 6 not permitted,
    7 threshold missed, 130 interrupted.
    """


def run() -> None:
    """The entry point."""
    main(prog_name="backedge")
