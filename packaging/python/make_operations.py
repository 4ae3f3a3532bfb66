# SPDX-License-Identifier: BSD-3-Clause
"""Writes the module drua/_operations.py from the engine's description: make_operations.py REGISTRY.json FILE."""
import json
import keyword
import sys
import textwrap

HEADER = '''# SPDX-License-Identifier: BSD-3-Clause
"""The operations as methods; generated from the engine's description."""
from __future__ import annotations

import os
import typing

if typing.TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike
    from ._device import Image

    Source = typing.Union[Image, ArrayLike]


def _words(options, **settings):
    """An options text with settings, as "iterations=30 accelerate"."""
    words = [options] if options else []
    for name, value in settings.items():
        if value is None:
            continue
        if isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        words.append(name if value is True else f"{name}={str(value).lower() if value is False else value}")
    return " ".join(words)


class Operations:
    """A method for each operation."""
'''
TYPES = {"image_in": "Source", "image_inout": "Image", "image_out": "Image", "number": "float", "integer": "int",
         "boolean": "bool", "text": "str", "options": "str", "path": "str | os.PathLike",
         "array_in": "typing.Sequence[float]", "images": "dict[str, Image]", "number_out": "float", "text_out": "str",
         "table_out": "dict[str, numpy.ndarray]"}


def word(name):
    return name + "_" if keyword.iskeyword(name) else name


def setting_word(operation, setting):
    """A setting with the name of a parameter has a _ at its end."""
    name = word(setting["name"])
    return name + "_" if setting["name"] in [p["name"] for p in operation["parameters"]] else name


def hint(p):
    if p["kind"] == "choice":
        return "typing.Literal[%s]" % ", ".join(json.dumps(c) for c in p["choices"])
    return TYPES[p["kind"]]


def preset(p):
    """The default value as Python source; None without a default."""
    value = p["default"]
    if value is None or isinstance(value, str):
        return value if value is None else json.dumps(value)
    if p["kind"] == "boolean":
        return str(bool(value))
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)


def limits(p):
    notes = []
    if p["min"] is not None:
        notes.append(f"{p['min']:g} to {p['max']:g}" + (" " + p["unit"] if p["unit"] else ""))
    elif p["unit"]:
        notes.append("in " + p["unit"])
    if p["kind"] != "choice" and p["choices"]:
        notes.append("one of " + ", ".join(p["choices"]))
    return f" ({', '.join(notes)})" if notes else ""


def signature(operation):
    """The declared parameters: inputs by position, destinations and settings by name."""
    placed, named, is_preset = [], [], False
    for p in operation["parameters"]:
        name = word(p["name"])
        if p["kind"] == "image_out":
            named.append(f"{name}: Image | None = None")
        elif not p["kind"].endswith("_out"):
            value = preset(p)
            is_preset |= value is not None
            default = f" = {value}" if is_preset else ""
            placed.append(f"{name}: {hint(p)}{' | None' if is_preset and value is None else ''}{default}")
        named += [f"{setting_word(operation, s)}: {hint(s)} | None = None" for s in p["settings"]]
    return ["self", *placed, *(["*", *named] if named else [])]


def result(operation):
    kinds = [TYPES[p["kind"]] for p in operation["parameters"] if p["kind"].endswith("_out")]
    return "None" if not kinds else kinds[0] if len(kinds) == 1 else "tuple[%s]" % ", ".join(kinds)


def documentation(operation):
    lines = [operation["summary"], ""]
    for p in operation["parameters"]:
        if p["kind"] in ("number_out", "text_out", "table_out"):
            continue
        given = "; a new image by default" if p["kind"] == "image_out" else ""
        lines.append(f"{word(p['name'])}: {p['doc']}{limits(p)}{given}")
        lines += [f"    {setting_word(operation, s)}: {s['doc']}{limits(s)}" for s in p["settings"]]
    outputs = [p["doc"] for p in operation["parameters"] if p["kind"].endswith("_out")]
    if outputs:
        lines += ["", "Returns: " + "; ".join(outputs)]
    if operation["source"]:
        lines += ["", "Source: " + operation["source"]]
    wrapped = [part for line in lines for part in wrap(line)]
    return "\n".join(wrapped).strip().replace("\\", "\\\\").replace('"""', "'''")


def wrap(line):
    indent = " " * (8 + len(line) - len(line.lstrip()))
    return textwrap.wrap(line.strip(), 108, initial_indent=indent, subsequent_indent=indent + "    ") or [""]


def passed(operation, p):
    if p["kind"] in ("number_out", "text_out", "table_out"):
        return "None"
    if not p["settings"]:
        return word(p["name"])
    settings = [f"{s['name']}={setting_word(operation, s)}" for s in p["settings"]]
    return f"_words({', '.join([word(p['name']), *settings])})"


def method(operation):
    values = ", ".join([json.dumps(operation["name"]), *(passed(operation, p) for p in operation["parameters"])])
    return f'''
    def {word(operation['name'])}({', '.join(signature(operation))}) -> {result(operation)}:
        """{documentation(operation)}
        """
        return self._call({values})
'''


def main(registry, file):
    with open(registry, encoding="utf-8") as f:
        operations = [o for o in json.load(f)["operations"] if not o["host"]]
    with open(file, "w", encoding="utf-8") as f:
        f.write(HEADER)
        f.writelines(map(method, operations))
        f.write("\n\n# The kind and name of each parameter.\nPARAMETERS = {\n")
        for o in operations:
            f.write(f"    {o['name']!r}: {tuple((p['kind'], p['name']) for p in o['parameters'])!r},\n")
        f.write("}\n")


main(*sys.argv[1:])
