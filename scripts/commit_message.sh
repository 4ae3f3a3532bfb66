#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A commit-msg hook: refuses a subject that is not a short imperative. CONTRIBUTING.md says how to install it.
set -euo pipefail

refuse() { # why
    printf '%s\n' "commit message: $1" >&2
    exit 1
}

subject=$(grep -v '^#' "$1" | head -n 1)
second=$(grep -v '^#' "$1" | sed -n 2p)
case $subject in
    Merge\ * | Revert\ * | fixup!* | squash!*) exit 0 ;;
    "") refuse "the subject is empty" ;;
esac
[ ${#subject} -le 72 ] || refuse "the subject has ${#subject} characters; the limit is 72"
[ -z "$second" ] || refuse "the line after the subject must be empty"
case $subject in
    *.) refuse "the subject must not end with a full stop" ;;
esac
first=${subject%% *}
case $first in
    [A-Z]*) ;;
    *) refuse "the subject must begin with a capital letter" ;;
esac
case $first in
    Bring | Embed | Exceed | Feed | Need | Proceed | Seed | Shed | Speed) ;;
    A | An | The | It | This | These | That | Those | What | Who | Of | *ing | *ed | *: | Now)
        refuse "the subject must begin with an imperative, such as Add, Fix or Remove, not with \"$first\"" ;;
esac
