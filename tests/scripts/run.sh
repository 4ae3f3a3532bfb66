#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests what ./dev does before and around the programs that it starts. Run in the project's folder after a build: run.sh
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # what, function
    if (set -euo pipefail; "$2") >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
        sed 's/^/    /' "$work/out"
    fi
}

# Paths of a macro, its argument and its results are relative to the user's current folder.
macro_elsewhere() {
    mkdir -p "$work/elsewhere"
    echo 'print(getArgument); newImage("picture", "8-bit black", 2, 2, 1);' >"$work/elsewhere/here.ijm"
    (
        export from=$work/elsewhere
        . scripts/run.sh
        build_all() { :; }
        JAVA_HOME=$(jdk_home)
        export JAVA_HOME
        macro here.ijm word --out results
    ) | grep -x word
    [ -f "$work/elsewhere/results/picture.tif" ]
}

# Editors on Windows write byte order marks.
macro_with_a_byte_order_mark() {
    local mark text='print("runs");' units
    mkdir -p "$work/marks"
    units=$(printf '%s' "$text" | sed 's/./\\0&/g')
    printf '\357\273\277%s' "$text" >"$work/marks/utf8.ijm"
    # shellcheck disable=SC2059
    printf "\\376\\377$units" >"$work/marks/big.ijm"
    # shellcheck disable=SC2059
    printf "\\377\\376${units#'\0'}\\0" >"$work/marks/little.ijm"
    . scripts/run.sh
    build_all() { :; }
    for mark in utf8 big little; do macro "$work/marks/$mark.ijm" | grep -x runs; done
}

# The function that filters stderr returns only after it has written everything.
stderr_is_whole() {
    . scripts/java.sh
    grep() {
        sleep 0.5
        command grep "$@"
    }
    complain() {
        echo output
        echo 'a line of the program' >&2
        echo 'libjsig is activated' >&2
        return 3
    }
    local status=0
    quiet_java complain >"$work/stdout" 2>"$work/stderr" || status=$?
    [ "$status" -eq 3 ]
    [ "$(cat "$work/stdout")" = output ]
    [ "$(cat "$work/stderr")" = 'a line of the program' ]
}

# A long list with an early match: grep must not exit before its writer does.
library_early_in_a_long_list() {
    . scripts/install.sh
    function /sbin/ldconfig {
        echo 'libOpenCL.so.1 (libc6,x86-64) => /lib/libOpenCL.so.1'
        seq 200000
    }
    has_library 'libOpenCL\.so\.1'
}

library_that_is_missing() {
    . scripts/install.sh
    function /sbin/ldconfig { seq 10; }
    ! has_library 'libOpenCL\.so\.1'
}

# The site is optional: without Python or its packages a message says so, and the script continues.
site_without() { # python3 or venv, the expected message
    local lacks=$1
    . scripts/site_of_docs.sh
    site_sources() { :; }
    has() { [ "$1" != "$lacks" ]; }
    python3() { [ "$lacks" != venv ]; }
    site_of_docs "$work/site" none none >"$work/said" 2>&1
    cat "$work/said"
    [ "$(wc -l <"$work/said")" -eq 1 ] && grep -q \
        "^The site was not made, because $2.*; the pages in docs/reference are complete\.$" "$work/said"
}

site_without_python() { site_without python3 "python3 is missing"; }
site_without_environments() { site_without venv "python3 cannot create environments"; }

site_without_packages() {
    printf '#!/bin/sh\nexit 1\n' >"$work/pip"
    chmod +x "$work/pip"
    . scripts/site_of_docs.sh
    python3() { mkdir -p "$3/bin" && cp "$work/pip" "$3/bin/pip"; }
    site_sources() { :; }
    site_of_docs "$work/site" none none 2>&1 | grep \
        "^The site was not made, because fetching the Python packages of docs/site/requirements.txt failed"
}

# The site's link to the repository: without a password, and only if the address is on the web.
repository_of_the_site() {
    . scripts/site_of_docs.sh
    git() { echo "$origin"; }
    local origin
    for origin in git@host.org:a/b.git ssh://git@host.org/a/b https://host.org/a/b.git \
        https://name:word@host.org/a/b; do
        [ "$(repository_address)" = https://host.org/a/b ]
    done
    origin=/folder/b.git
    [ -z "$(repository_address)" ]
    git() { return 2; }
    [ -z "$(repository_address)" ]
}

# Errors that ./dev bench imagej and pipelines would otherwise find only after earlier rows: a row without a field, an
# unknown picture, or an unknown command.
works_of_benchmarks() {
    awk -F '\t' 'NR > 1 && (NF != 5 || !$1 || !$2 || !$3 || !$4) {print "row " NR ": " $0; bad = 1}
        END {exit bad || NR < 2}' tests/bench/imagej.tsv || return
    [ -z "$(sed 1d tests/bench/imagej.tsv | cut -f2 | tr ' ' '\n' |
        grep -vE '^(stack|plane)-(float32|uint16|uint8|mask)$')" ] || return
    build/bin/drua describe >"$work/described"
    for command in $(grep -ohE 'Ext\.\w+' tests/bench/imagej.tsv tests/bench/imagej.ijm \
        tests/bench/pipelines/pipelines.ijm | sed 's/Ext\.//' | sort -u); do
        grep -q "\"$command\"" "$work/described" || { echo "there is no command $command"; return 1; }
    done
}

# With this many consecutive seeds, each long test runs once, and each run leaves some tests out.
every_turn_comes() {
    . scripts/test.sh
    local seed
    ctest --test-dir build -N -L '^turns_of_' | sed -n 's/^ *Test *#[0-9]*: //p' | sort >"$work/turns"
    for seed in {0..29}; do
        DRUA_SEED=$seed waiting build | sort >"$work/waiting"
        [ -s "$work/waiting" ] && [ -z "$(comm -13 "$work/turns" "$work/waiting")" ] ||
            { echo "DRUA_SEED=$seed: $(cat "$work/waiting")"; return 1; }
        comm -23 "$work/turns" "$work/waiting"
    done | sort -u >"$work/run"
    diff "$work/turns" "$work/run"
}

# The hook accepts a short imperative and nothing else.
commit_messages() {
    printf 'Bring labels back\n\nWhy.\n' >"$work/message"
    scripts/commit_message.sh "$work/message" || return
    local subject
    for subject in "add a filter" "Adding a filter" "Added a filter" "Add a filter." "What is new" "Now it works" \
        "Add $(seq -s ' ' 30)" ""; do
        printf '%s\n' "$subject" >"$work/message"
        ! scripts/commit_message.sh "$work/message" 2>/dev/null || { echo "taken: $subject"; return 1; }
    done
    printf 'Add a filter\nwithout a line between\n' >"$work/message"
    ! scripts/commit_message.sh "$work/message"
}

# One bad sentence in ten is too many, one in a thousand is not.
english() {
    { for _ in {1..999}; do echo 'The plan names a file.'; done; echo 'Of a file the name.'; } >"$work/text.md"
    python3 scripts/prose.py "$work/text.md" || return
    { for _ in {1..9}; do echo '/* The plan names a file. */'; done; echo '/* Of a file the name. */'; } >"$work/text.c"
    ! python3 scripts/prose.py --list "$work/text.c" >"$work/found" && grep -q "text.c:10: " "$work/found"
}

conditional_operators() {
    # shellcheck disable=SC2028 # the escape belongs to the C code
    echo 'int f(int a) { return g(a ? 1 : 2, a ? 3 : a ? 4 : 5, "? ? ?", '"'?'"'); }' >"$work/two.c"
    python3 scripts/nested.py "$work/two.c" || return
    printf '/* ? ?\n ? */\nint f(int a) { return a ? 1 : a + 1 ? 2 : a + 2 ? 3 : 4; }\n' >"$work/three.c"
    [ "$(python3 scripts/nested.py "$work/three.c")" = \
        "$work/three.c:3: more than 2 conditional operators in one expression" ]
}

# The bill of materials lists each library that is compiled into the engine, and the same call gives the same bytes.
bill_of_materials() {
    local name
    . scripts/release.sh
    commit_seconds() { echo 1700000000; }
    mkdir -p build
    write_bill 1.2.3 >"$work/bill.json"
    write_bill 1.2.3 | cmp - "$work/bill.json"
    for name in $(sed -n 's/^library(\([a-z0-9]*\)$/\1/p' fiji-update-site/platforms/libraries.cmake) minimal-json; do
        python3 - "$work/bill.json" "$name" <<'END'
import json
import sys
bill = json.load(open(sys.argv[1]))
found = [p for p in bill["packages"] if p["name"] == sys.argv[2]]
assert len(found) == 1 and found[0]["versionInfo"] and found[0]["licenseDeclared"], sys.argv[2]
assert {"spdxElementId": "SPDXRef-drua", "relationshipType": "CONTAINS",
        "relatedSpdxElement": found[0]["SPDXID"]} in bill["relationships"], sys.argv[2]
END
    done
}

# A release fills the checksum of its source archive into the recipes.
recipes_of_a_release() {
    local digest
    . scripts/release.sh
    mkdir -p "$work/release"
    add_sources 1.2.3 "$work/release"
    digest=$(sha256sum <"$work/release/drua-1.2.3-source.tar.gz" | cut -d ' ' -f 1)
    grep -F "sha256: $digest" "$work/release/packaging/recipe.yaml"
    grep -F "sha256 \"$digest\"" "$work/release/packaging/drua.rb"
    tar -tf "$work/release/drua-1.2.3-source.tar.gz" | grep -x drua-1.2.3/CMakeLists.txt
}

# Each file, class and test case that the page of promises names exists.
promises_have_tests() {
    local page=docs/internals/promises.md name
    git ls-files tests java macros | sed 's|.*/||' | sort -u >"$work/files"
    for name in $(grep -oE '\b[A-Za-z0-9_]+\.(c|sh|ijm|py|cmake|tsv|json)\b' $page | sort -u) \
        $(grep -oE '`[A-Z][A-Za-z0-9]+`' $page | tr -d '`' | sed 's/$/.java/' | sort -u); do
        grep -qx "$name" "$work/files" || { echo "there is no test $name"; return 1; }
    done
    for name in $(cut -d '|' -f 3 $page | grep -oE '`[a-z0-9_]+`' | tr -d '`' | sort -u); do
        git grep -qE "(START_TEST\(|tcase_create\(\")$name\b" tests || { echo "there is no test case $name"; return 1; }
    done
}

check "./dev macro in another folder" macro_elsewhere
check "the bill of materials" bill_of_materials
check "recipes of a release" recipes_of_a_release
check "a macro with a byte order mark" macro_with_a_byte_order_mark
check "stderr is whole" stderr_is_whole
check "every turn comes" every_turn_comes
check "promises have tests" promises_have_tests
check "works of benchmarks" works_of_benchmarks
check "a library early in a long list" library_early_in_a_long_list
check "a library that is missing" library_that_is_missing
check "the site without python3" site_without_python
check "the site without environments" site_without_environments
check "the site without packages" site_without_packages
check "the link to the repository" repository_of_the_site
check "commit messages" commit_messages
check "English" english
check "conditional operators" conditional_operators
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
