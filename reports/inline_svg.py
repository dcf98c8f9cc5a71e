"""matplotlib's SVG as a part of a page: CSS variables for colours, no ids that could clash, a text alternative."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

__all__ = ["inline"]

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
NUMBERS = re.compile(r"-?\d+\.\d+")
# Attributes that have coordinates, which need a tenth of a point.
COORDINATES = ("d", "x", "y", "width", "height", "transform")
# What a declaration says by default, and fonts, which are those of the page.
NEEDLESS = re.compile(
    r"^(stroke-(linejoin|miterlimit|opacity|linecap): .*|stroke-dashoffset: 0|opacity: 1|font-family: .*"
    r"|font-size: 10px|text-anchor: start)$"
)
UNTURNED = re.compile(r"rotate\(-?0 [^)]*\)")


def inline(text: str, title: str, described: str, colours: Mapping[str, tuple[str, str, str]]) -> str:
    """The SVG of a figure, to be put into HTML.

    `colours` are by the colour in the figure: name of the variable, and its value in a light and in a dark page.
    """
    root = ElementTree.fromstring(text)
    for parent in root.iter():
        for child in list(parent):
            if child.tag == f"{SVG}metadata" or child.tag == f"{SVG}style":
                parent.remove(child)
    _rename(root, f"p{hashlib.sha256(text.encode()).hexdigest()[:8]}")
    for element in root.iter():
        element.tag = element.tag.removeprefix(SVG)
        _shorten(element, colours)
    _flatten(root)
    variables = ";".join(f"--{name}:light-dark({light},{dark})" for name, light, dark in colours.values())
    box = root.get("viewBox", "")
    root.attrib.clear()
    # The page's script parses it as XML, where the namespace says that it is drawn.
    root.attrib.update({"xmlns": SVG.strip("{}"), "viewBox": box, "role": "img", "class": "picture"})
    root.set("style", f"{variables};font:10px system-ui,sans-serif;width:100%;max-width:45rem;height:auto")
    for number, (tag, words) in enumerate((("title", title), ("desc", described))):
        child = ElementTree.Element(tag)
        child.text = words
        root.insert(number, child)
    # The page's policy ignores style attributes, and says so on the console; its script takes these for them.
    for element in root.iter():
        if "style" in element.attrib:
            element.set("data-style", element.attrib.pop("style"))
    return re.sub(r">\s+<", "><", ElementTree.tostring(root, encoding="unicode"))


def _rename(root: ElementTree.Element, prefix: str) -> None:
    """Short ids for what is referred to, the same in no other picture; none for the rest."""
    used = dict.fromkeys(one for element in root.iter() for one in _references(element))
    names = {name: f"{prefix}-{number}" for number, name in enumerate(used)}
    for element in root.iter():
        if (name := element.attrib.pop("id", None)) in names:
            element.set("id", names[str(name)])
        if HREF in element.attrib:
            element.set("href", f"#{names[element.attrib.pop(HREF)[1:]]}")
        if clip := element.get("clip-path"):
            element.set("clip-path", f"url(#{names[clip[5:-1]]})")


def _references(element: ElementTree.Element) -> Iterator[str]:
    if HREF in element.attrib:
        yield element.attrib[HREF][1:]
    if clip := element.get("clip-path"):
        yield clip[5:-1]


def _shorten(element: ElementTree.Element, colours: Mapping[str, tuple[str, str, str]]) -> None:
    for name in COORDINATES:
        if value := element.get(name):
            element.set(name, " ".join(NUMBERS.sub(_tenths, UNTURNED.sub("", value)).split()))
    if not element.get("transform", "-"):
        del element.attrib["transform"]
    if (style := element.attrib.pop("style", None)) is not None:
        parts = [part.strip() for part in style.split(";")]
        kept = ";".join(part for part in parts if part and not NEEDLESS.match(part))
        for colour, (name, *_) in colours.items():
            kept = kept.replace(colour, f"var(--{name})")
        if kept:
            element.set("style", kept.replace(": ", ":"))


def _tenths(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")


def _flatten(parent: ElementTree.Element) -> None:
    """Put what is in groups without a meaning in the place of the group; empty groups are dropped."""
    children: list[ElementTree.Element] = []
    for child in list(parent):
        _flatten(child)
        children += list(child) if child.tag == "g" and not child.attrib else [child]
        parent.remove(child)
    parent.extend(children)
