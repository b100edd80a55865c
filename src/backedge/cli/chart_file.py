"""`--chart FILE`: the answer as a picture (`.svg`, `.png`) or as a page with picture and table (`.html`)."""

from __future__ import annotations

from html import escape
from pathlib import Path

import click

from backedge.ask.answer import Found
from backedge.ask.picture import picture
from backedge.ask.shape import NUMERIC
from backedge.ask.wording import exact_text
from backedge.assemble import draw_png, draw_svg
from backedge.cli.exits import FAILED, fail

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #202124; background: #fff; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }}
figure {{ margin: 0 0 1.5rem; overflow-x: auto; }}
svg {{ max-width: 100%; height: auto; }}
table {{ border-collapse: collapse; }}
caption {{ text-align: left; color: #5f6368; padding-bottom: .4rem; }}
th, td {{ padding: .25rem .9rem .25rem 0; text-align: left; border-bottom: 1px solid #dadce0; }}
.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
pre {{ white-space: pre-wrap; background: #f6f7f8; padding: .8rem; }}
.basis {{ color: #5f6368; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{answer}</p>
{figure}{table}{basis}</main>
</body>
</html>
"""


def write_chart(file: Path, found: Found) -> None:
    """Write the answer to `file`; ends the command where the answer has no picture or the file cannot be written."""
    drawn = picture(found)
    if drawn is None and file.suffix.lower() != ".html":
        fail(f"this answer is best read as a table, so {file} is not written: name an .html file", FAILED)
    try:
        if file.suffix.lower() == ".png":
            assert drawn is not None
            file.write_bytes(draw_png(drawn))
        elif file.suffix.lower() == ".svg":
            assert drawn is not None
            file.write_text(draw_svg(drawn), encoding="utf-8")
        else:
            file.write_text(_page(found, draw_svg(drawn) if drawn else ""), encoding="utf-8")
    except OSError as error:
        fail(f"the answer holds, but {file} cannot be written: {error.strerror or error}", FAILED)
    click.echo(f"chart written to {file}", err=True)


def _page(found: Found, svg: str) -> str:
    figure = f"<figure>{svg}</figure>\n" if svg else ""
    return _PAGE.format(
        title=escape(found["asked"]),
        answer=escape(found["answer"]),
        figure=figure,
        table=_table(found),
        basis=_basis(found),
    )


def _table(found: Found) -> str:
    if not found["rows"]:
        return ""
    sides = [' class="number"' if column["kind"] in NUMERIC else "" for column in found["columns"]]
    head = "".join(
        f'<th scope="col"{side}>{escape(column["name"])}</th>'
        for column, side in zip(found["columns"], sides, strict=True)
    )
    body = "".join(
        f"<tr>{''.join(f'<td{side}>{_cell(cell)}</td>' for cell, side in zip(row, sides, strict=True))}</tr>\n"
        for row in found["rows"]
    )
    cut = f"The first {len(found['rows']):,} rows; there are more." if found["truncated"] else "The rows behind it."
    caption = f"<caption>{cut}</caption>"
    return f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n"


def _cell(cell: object) -> str:
    return "<i>no value</i>" if cell is None else escape(exact_text(cell))  # type: ignore[arg-type]  # cells of a result


def _basis(found: Found) -> str:
    rows = [("reading", found["reading"]), ("path", found["path"])]
    for name, key in (("filter", "filters"), ("assumed", "assumptions"), ("note", "notes")):
        rows += [(name, text) for text in found[key]]
    rows.append(("run", found["run_id"]))
    said = "".join(f"<li>{name}: {escape(text)}</li>\n" for name, text in rows if text)
    sql = f"<pre><code>{escape(found['sql'])}</code></pre>\n" if found["sql"] else ""
    return f'<ul class="basis">\n{said}</ul>\n{sql}'
