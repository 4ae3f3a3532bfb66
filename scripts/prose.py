#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the English of comments, documents and messages: prose.py [--list] FILE...

Prints how many sentences match a pattern that readers stumble over, and fails above 0.5 % of them. --list prints each.
The patterns find candidates only. Rewrite such a sentence as a whole; another phrase with the same fault is no repair.
"""
import re
import sys

LIMIT = 0.005  # share of sentences

# Each pattern has the advice that goes with it.
PATTERNS = [(advice, re.compile(pattern)) for advice, pattern in (
    ('name the subject before its "of"',
     r'^Of (an?|the|all|each|one|two|three|its|it|that|this|these|which|those|them|several|many)\b'),
    ('a noun is the subject, not a clause', r'^(What|Who|Whoever|Whatever)\b(?![^.]*\?)'),
    ('a sentence needs its noun', r'^(Such|Likewise|So (are|is|do|does)|As (there|one|whole|in the))\b'),
    ('write "is not a" or "has no"', r'(?<!there )\b(is|are|was|were) none\b'),
    ('write "is not a" or "has no"',
     r'(?<!there )\b(is|are|was|were) no '
     r'(?!longer|more|less|fewer|later|earlier|larger|smaller|deeper|faster|slower|better|worse|such)'),
    ('write "on its own", "alone" or "separately"', r'\b(by (itself|themselves)|of (its|their) own)\b'),
    ('write "requested" or "continues"', r'\b((is|are) wished|(go|goes|going|gone) on with)\b'),
    ('write "is in" or "is listed"',
     r'\b(stands?|stood) (in|at|on|below|above|beside|behind|there|here|before|among)\b'),
    ('write "after"', r'\bbehind (it|its|an?|that|each|the name|there)\b'),
    ('write "attempt", "pass" or "check"', r'\b(a try|a look|tries in turn)\b'),
    ('say who means it, or leave it out', r'\b(is|are) meant\b'),
    ('write "processed by"', r'\bin (hand|its hand|the hands of)\b'),
    ('a relative clause needs its noun', r'\b(of|by|from|beside|than|with) what\b'),
    ('a relative clause needs its noun', r'\b(those of|that of) (what|which)\b'),
    ('a pronoun needs its noun in the same sentence',
     r'^(They|It|These|Those|Both|All|Others) (go|goes|take|takes|are|is|come|comes|have|has|do|does|give|gives)\b'),
)]


def comments(text):
    """(line, text) of comments, and of strings that look like sentences, with an empty text after each."""
    for match in re.finditer(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', text, re.S):
        found, first = match.group(), text.count('\n', 0, match.start()) + 1
        if found[0] == '"' and (found.count(' ') < 4 or ('%' not in found and not found[1:2].isupper())):
            continue
        for number, line in enumerate(found.split('\n'), first):
            yield number, line.strip(' /*"')
        yield first, ''


def paragraphs(text):
    """(line, text) of a Markdown document without its code."""
    fenced = False
    for number, line in enumerate(text.split('\n'), 1):
        fence = line.lstrip().startswith('```')
        code = fenced or fence or line.startswith('    ')
        fenced ^= fence
        yield number, '' if code else re.sub(r'`[^`]*`', 'X', line.strip(' |*-#>'))


def sentences(lines):
    """(line, sentence), each with the line where it begins."""
    words, start = '', 0
    for number, line in [*lines, (0, '')]:
        if not line and words:
            yield start, words
            words = ''
        for part in re.split(r'(?<=[.;:!?])\s+', line) if line else ():
            start = start if words else number
            words = f'{words} {part}'.strip()
            if words[-1:] in ('.', ';', ':', '!', '?'):
                yield start, words
                words = ''


def main(arguments):
    listed = '--list' in arguments
    count = found = 0
    for path in (a for a in arguments if a != '--list'):
        with open(path, encoding='utf-8', errors='replace') as file:
            text = file.read()
        for line, sentence in sentences(paragraphs(text) if path.endswith('.md') else comments(text)):
            count += 1
            advice = next((advice for advice, pattern in PATTERNS if pattern.search(sentence)), None)
            found += advice is not None
            if advice and listed:
                print(f'{path}:{line}: {advice}\n    {sentence[:200]}')
    share = found / max(count, 1)
    print(f'{found} of {count} sentences to read again, {100 * share:.2f} %')
    return 1 if share > LIMIT else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
