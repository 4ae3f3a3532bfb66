#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Follows CONTRIBUTING.md to the letter in a copy of the tree. A block of code goes to the file that the text before it
# names, above or below a line if the text says so. A block of commands is run. The last line of the output is the count
# of the last test command.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
copy=$PWD/build/contributor
rm -rf "$copy"
mkdir -p "$copy/build/tests/cache"
trap 'rm -rf "$copy"' EXIT
git ls-files --cached --others --exclude-standard | while IFS= read -r file; do [ ! -f "$file" ] ||
    printf '%s\0' "$file"; done |
    tar -c --null -T - | tar -x -C "$copy"
cp -a .deps "$copy"
[ ! -d build/tests/cache/pool ] || cp -a build/tests/cache/pool "$copy/build/tests/cache"
cd "$copy"
steps=$copy/build/steps
mkdir -p "$steps"

# N.text is the paragraph before block N, N.kind is the block's language, N.block is the block.
awk -v steps="$steps" '
    /^```/ && !inside {inside = 1; number++; printf "%s", text > (steps "/" number ".text"); print substr($0, 4) > \
        (steps "/" number ".kind"); next}
    /^```/ {inside = 0; text = ""; next}
    inside {print > (steps "/" number ".block"); next}
    /^<!--/ {next}
    /^$/ {ended = 1; next}
    {if (ended) text = ""; ended = 0; text = text $0 " "}' CONTRIBUTING.md

put() { # text, block
    local file line
    file=$(grep -oE '`[A-Za-z0-9_/]+/[A-Za-z0-9_]+\.[a-z]+`' "$1" | head -n 1 | tr -d '`')
    line=$(sed -nE 's/.*(above|below) the line `([^`]+)`.*/\1 \2/p' "$1")
    case $line in
        "") [ ! -e "$file" ] || { echo "$file already exists"; return 1; }
            cp "$2" "$file" ;;
        *) grep -qF "${line#* }" "$file" || { echo "$file has no line '${line#* }'"; return 1; }
            awk -v where="${line%% *}" -v wanted="${line#* }" -v block="$2" '
                function put() {while ((getline text < block) > 0) print text; close(block); done = 1}
                !done && index($0, wanted) == 1 {if (where == "above") {put(); print} else {print; put()}; next}
                {print}' "$file" >"$file.new"
            mv "$file.new" "$file" ;;
    esac
    echo "written: $file"
}

number=1
while [ -f "$steps/$number.block" ]; do
    case $(cat "$steps/$number.kind") in
        sh) bash -euo pipefail "$steps/$number.block" ;;
        *) put "$steps/$number.text" "$steps/$number.block" ;;
    esac
    number=$((number + 1))
done
[ $number -gt 1 ] || { echo "CONTRIBUTING.md has no blocks"; exit 1; }
