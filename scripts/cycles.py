#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds cycles of files that use each other: cycles.py BUILD/native JAR...

The symbols of the built objects say which files of the engine call each other. A cycle may have at most three files,
all in one room. Rooms of the engine, one for each target of the build, may not call each other in a cycle, not even
through different files. The classes of the jars say which Java files use each other. A cycle may have at most three
files, except the cycles of the two interfaces for programs. Exit status 1: a cycle is not allowed; 2: nothing is
built."""
import pathlib
import re
import subprocess
import sys

LIMIT = 3

# Interfaces for programs, whose classes name each other in their methods, with all classes that implement them.
INTERFACES = {"drua.Drua": 11, "net.haesleinhuepf.clij2.CLIJ2": 15}


def read_symbols(folder):
    """The file, as ROOM/FILE, that defines each symbol, the symbols that each file uses, and each file's target."""
    names, targets = {}, {}
    for found in sorted(folder.rglob("*.o")):
        match = re.search(r"([^/]+)\.dir/(?:__/)*(.+)\.c\.o$", str(found))
        if match and match[2] != "op_table":        # the list of all operations, made by the build
            name = str(found.parent.relative_to(folder)).split("CMakeFiles")[0] + match[2]
            names[str(found)], targets[name] = name, match[1]
    if not names:
        return {}, {}, {}
    defined, used = {}, {}
    symbols = subprocess.run(["nm", "--print-file-name", *names], capture_output=True, text=True, check=True).stdout
    for line in symbols.splitlines():
        name, parts = names[line.split(":")[0]], line.split()
        kind, symbol = parts[-2], parts[-1]
        if kind == "U":
            used.setdefault(name, set()).add(symbol)
        elif kind in "TDBRCVW":
            defined[symbol] = name
    return defined, used, targets


def find_cycles(edges):
    """Strongly connected parts of more than one file (Tarjan)."""
    index, low, stack, parts = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                parts.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in sorted(edges):
        if node not in index:
            visit(node)
    return parts


def java_edges(jars):
    """The project's files that each Java file uses, by the names of their outermost classes."""
    listed = subprocess.run(["jdeps", "-v", "--multi-release", "base", *jars], capture_output=True, text=True,
                            check=True).stdout
    edges = {}
    for match in re.finditer(r"^ +([\w.]+)(?:\$\S+)? +-> ([\w.]+)", listed, re.M):
        edges.setdefault(match[1], set()).add(match[2])
    return {file: sorted(used & edges.keys() - {file}) for file, used in edges.items()
            if not file.startswith("com.eclipsesource.")}


def check_java(jars):
    """Whether a cycle of Java files is too large."""
    bad = 0
    for part in find_cycles(java_edges(jars)):
        if len(part) > max([LIMIT] + [INTERFACES.get(file, 0) for file in part]):
            bad = 1
            print(f"a cycle of {len(part)} Java files: {' '.join(part)}")
    return bad


def main():
    bad = check_java(sys.argv[2:]) if len(sys.argv) > 2 else 0
    defined, used, targets = read_symbols(pathlib.Path(sys.argv[1]))
    if not defined:
        sys.exit(2)
    edges = {file: sorted({defined[s] for s in symbols if s in defined} - {file}) for file, symbols in used.items()}
    for part in find_cycles(edges):
        rooms = {file.rsplit("/", 1)[0] for file in part}
        if len(part) > LIMIT or len(rooms) > 1:
            bad = 1
            print(f"a cycle of {len(part)} files of {len(rooms)} rooms: {' '.join(part)}")
    arrows = {}
    for file, others in edges.items():
        arrows.setdefault(targets[file], set()).update({targets[other] for other in others} - {targets[file]})
    for part in find_cycles(arrows):
        bad = 1
        print(f"rooms call each other in a cycle: {' '.join(part)}")
    sys.exit(bad)


main()
