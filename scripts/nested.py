#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Names expressions of C, OpenCL C and Java with more than two conditional operators: nested.py FILE..."""
import re
import sys

ALLOWED = 2


def blank(match):
    """Keeps the lines of a comment or literal, so that numbers of lines stay."""
    return '\n' * match.group().count('\n') or ' '


def nested_lines(text):
    """Lines where an expression has its third conditional operator."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)
    depth, line, found = [0], 1, []
    for at, letter in enumerate(text):
        if letter == '\n':
            line += 1
        elif letter in '([{':
            depth.append(0)
        elif letter in ')]}' and len(depth) > 1:
            depth.pop()
        elif letter in ',;':
            depth[-1] = 0
        elif letter == '?' and not re.match(r'\?\s*(>|,|extends|super)', text[at:at + 12]):  # no wildcard of Java
            depth[-1] += 1
            if depth[-1] == ALLOWED + 1:
                found.append(line)
    return found


def main(paths):
    count = 0
    for path in paths:
        with open(path, encoding='utf-8', errors='replace') as file:
            for line in nested_lines(file.read()):
                count += 1
                print(f'{path}:{line}: more than {ALLOWED} conditional operators in one expression')
    return 1 if count else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
