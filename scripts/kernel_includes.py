# SPDX-License-Identifier: BSD-3-Clause
"""kernel_includes.py: checks that a kernel file includes the files of its folder that define what it uses.

Names are functions, macros, types and constants that other files of the folder define. A finding is a file that is used
and not included, directly or by an included file, or that is included and not used.
"""
import collections
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "(\w+\.cl)"\n', re.M)
DECLARED = r'(?:const |local |global |private |\b\w+ \**){0}\s*[=;,)\[]'


def without_texts(source):
    source = re.sub(r"/\*.*?\*/", " ", source, flags=re.S)
    return re.sub(r'"(\\.|[^"\\])*"', " ", INCLUDE.sub("", source))


def names_defined(source):
    names = set(re.findall(r"^#[ ]*define[ ]+(\w+)", source, re.M))
    names |= set(re.findall(r"^(?!kernel|typedef|#)[A-Za-z][\w *]*?[ *](\w+)\(", source, re.M))
    names |= set(re.findall(r"^\}[ ]*(\w+);", source, re.M))
    names |= set(re.findall(r"^typedef [^{;]*?(\w+);", source, re.M))
    names |= set(re.findall(r"^constant [\w ]*?(\w+)(?:\[\w*\])* =", source, re.M))
    return names | numbers_of(re.findall(r"^enum \w*\s*\{([^}]*)\}", source, re.M))


def numbers_of(enums):
    return {name for numbers in enums for name in re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", numbers)}


def names_inside(source):
    """Names that mean something else in a file: parameters of its macros, and enums in its functions."""
    lists = re.findall(r"^#[ ]*define[ ]+\w+\(([^)]*)\)", source, re.M)
    return {name for each in lists for name in re.findall(r"\w+", each)} | numbers_of(
        re.findall(r"^[ ]+enum \w*\s*\{([^}]*)\}", source, re.M))


def is_used(name, source):
    """A macro or number is used where its word appears, another name where it is called, declares or is passed."""
    if name.isupper():
        return re.search(rf"\b{name}\b", source) is not None
    if re.search(DECLARED.format(name), source) and not re.search(rf"\b{name}\(", source):
        return False
    return re.search(rf"(?<![.\w]){name}\(|(?<![.\w>]){name} \**\w+\s*[=;,)(\[]|[(,]\s*{name}\s*[,)]", source) is not None


def files_of_folder(folder):
    """All files, by name, and the names of those that programs share: in specialized/, only those without kernels."""
    files = {path.name: path.read_text() for path in sorted(folder.glob("*.cl"))}
    alone = "specialized" in folder.parts
    shared = {name for name, text in files.items() if not (alone and "kernel void " in text)}
    return files, shared


def reach(name, included):
    found, left = set(), list(included[name])
    while left:
        file = left.pop()
        if file not in found:
            found.add(file)
            left += included.get(file, [])
    return found


def findings_of(folder):
    files, shared = files_of_folder(folder)
    included = {name: INCLUDE.findall(text) for name, text in files.items()}
    sources = {name: without_texts(text) for name, text in files.items()}
    defined = {name: names_defined(source) for name, source in sources.items()}
    inside = {name: names_inside(source) | defined[name] for name, source in sources.items()}
    common = folder.parent / "common"
    everywhere = {"TOGETHER"}
    if folder != common:
        everywhere |= {word for path in common.glob("*.cl") for word in names_defined(without_texts(path.read_text()))}
    owners = collections.defaultdict(set)
    for name in shared:
        for word in defined[name] - everywhere:
            owners[word].add(name)
    for name, source in sources.items():
        all_included = reach(name, included)
        wanted = set()
        for word in sorted(owners):
            if word in inside[name] or name in owners[word] or not is_used(word, source):
                continue
            wanted |= owners[word]
            if not owners[word] & all_included:
                yield f'{folder / name}: {word} needs #include "{min(owners[word])}"'
        for file in set(included[name]) - wanted:
            yield f'{folder / name}: uses nothing of "{file}"'


def main():
    root = pathlib.Path("kernels")
    folders = sorted({path.parent for path in root.rglob("*.cl")})
    findings = [finding for folder in folders for finding in findings_of(folder)]
    print("\n".join(findings), end="\n" if findings else "")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
