# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Sourced by the tests of the command line, whose first argument is the program: changes to a temporary folder that is
# deleted at the end.
set -e
# shellcheck disable=SC2034 # for the tests
drua=$(readlink -f "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "$*" >&2
    exit 1
}

# Lists an image's files with their checksums.
sums() {
    (cd "$1" && find . -type f | sort | xargs cksum)
}

# Counts complete records of finished blocks: 40 bytes each after a header of 72.
records() { # plan
    for file in "$1".journal/*.blocks; do wc -c <"$file"; done | awk '{n += int(($1 - 72) / 40)} END {print n}'
}
