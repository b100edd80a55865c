"""One record as a page: its fields, its quotations in their context, its checks, its flags, and its history."""

from __future__ import annotations

from typing import Any

import click

from backedge.cli.lines import plain


def print_record(data: dict[str, Any]) -> None:
    """The page on a terminal; a span stands between ⟦ and ⟧."""
    _say(f"{data['key']}  {data['kind']}  {data['standing']} (standing {data['standing_number']})")
    _say(data["statement"])
    _say(f"source {data['source']}: {data['source_title'] or 'no title'}  (version {data['version'][:12]})")
    if data["source_reasons"]:
        _say(f"ITS SOURCE MAY NOT BE USED: {', '.join(data['source_reasons'])}")
    if data["reason"]:
        _say(f"because: {data['reason']}")
    for name, value in data["fields"].items():
        if value:
            _say(f"  {name}: {value}")
    for quotation in data["quotations"]:
        _print_quotation(quotation)
    _print_verification(data["verification"])
    for standing in data["standings"]:
        reason = f": {standing['reason']}" if standing["reason"] else ""
        _say(f"  {standing['number']}. {standing['status']} by {standing['by']}{reason}")
    for decision in data["decisions"]:
        reason = f": {decision['reason']}" if decision["reason"] else ""
        _say(f"  decision {decision['number']}: {decision['kind']} by {decision['by']}{reason}")


def _print_quotation(quotation: dict[str, Any]) -> None:
    if not quotation["found"]:
        _say(f"\nNOT FOUND in {quotation['section']}: {quotation['said']!r}")
    for span in quotation["spans"]:
        where = f"{span['section']} {span['role']}{' ' + span['title'] if span['title'] else ''}"
        _say(f"\n{where}, characters {span['start']}-{span['end']}:")
        _say(f"  …{span['before']}⟦{span['exact']}⟧{span['after']}…")
        if span["broken"]:
            _say(f"  BROKEN: {span['broken']}")


def _print_verification(found: dict[str, Any] | None) -> None:
    if found is None:
        _say("\nnot verified")
        return
    said = "" if found["said"] == found["label"] else f" (the model said {found['said']})"
    _say(f"\n{found['label']}{said}: {found['reason']}")
    for check in found["checks"]:
        _say(f"  {check['name']}: {check['outcome']}: {check['reason']}")
    for flag in found["flags"]:
        _say(f"  flag {flag['kind']} (at most {flag['at_most']}): {flag['message']}")


def _say(text: str) -> None:
    click.echo(plain(text))
