"""Draws a Vega-Lite spec as SVG or PNG in this process, offline: vl-convert brings its own JavaScript and fonts."""

from __future__ import annotations

from html import escape
from importlib.util import find_spec
from typing import Any

from backedge.kernel.defect import Permanent

VERSION = "5.21"
PNG_SCALE = 2.0


def check_drawing() -> None:
    """Raises `Permanent` where the library of the extra `charts` is not installed."""
    if find_spec("vl_convert") is None:
        mend = "install it: pip install 'backedge[charts]'"
        raise Permanent("a chart file needs vl-convert-python, of the extra `charts`", mend=mend)


def svg(spec: dict[str, Any]) -> str:
    """The picture as SVG, whose root says to a screen reader what it shows."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(spec, vl_version=VERSION, allowed_base_urls=[])
    said = escape(str(spec["description"]), quote=True)
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{said}" ', 1)


def png(spec: dict[str, Any]) -> bytes:
    """The picture as PNG, at twice its size in pixels."""
    import vl_convert

    drawn: bytes = vl_convert.vegalite_to_png(spec, vl_version=VERSION, scale=PNG_SCALE, allowed_base_urls=[])
    return drawn
