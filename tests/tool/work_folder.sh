# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Read by the tests of the command line, whose first argument is the program: goes to a folder that is gone at the end.
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

# What lies in an image, file by file.
sums() {
    (cd "$1" && find . -type f | sort | xargs cksum)
}

# Records of finished blocks that are whole: 40 bytes each behind a header of 72.
records() { # plan
    for file in "$1".journal/*.blocks; do wc -c <"$file"; done | awk '{n += int(($1 - 72) / 40)} END {print n}'
}
