#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tables, selections, overlays, the Log and titles of windows must look the same to macros without a display as with
# ImageJ's windows: same.sh BUILD. Each macro of same/topics, followed by same/functions.ijm, returns text, which must
# be equal; one ImageJ runs them all.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd) || exit 2
# shellcheck source=scripts/java.sh
. "$here/../../scripts/java.sh"
skip() {
    echo "SKIP same: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
command -v xvfb-run >/dev/null && command -v xauth >/dev/null && command -v openbox >/dev/null ||
    skip "xvfb-run, xauth or openbox is missing (Debian packages xvfb, xauth and openbox)"
java_has_windows || skip "this Java has no windows (Debian package default-jre)"
imagej_path patched >/dev/null || skip "a jar of ImageJ is missing in $deps"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/display" "$work/hidden" "$work/classes" "$work/topics"
for file in "$here"/same/topics/*.ijm; do cat "$file" "$here/same/functions.ijm" >"$work/topics/$(basename "$file")"; \
    done
compile_java -d "$work/classes" -cp "$(imagej_path stock)" "$here/same/Display.java" || exit 1
java=()
java_command
cd "$work" || exit 2

# shellcheck disable=SC2016 # for the shell inside
HOME=$work timeout 120 xvfb-run -a -s "-screen 0 1280x900x24" bash -c '
    openbox >/dev/null 2>&1 &
    manager=$!
    "$@"
    status=$?
    kill $manager
    exit $status' run "${java[@]}" "${short_lived[@]}" "-Djava.io.tmpdir=$work/display" "-Duser.home=$work/display" \
    -cp "$work/classes:$(imagej_path stock)" Display "$here/same/driver.ijm" \
    "$work/topics|$work/display|$work/display.txt" >"$work/output.txt" 2>&1 ||
    echo "a dialog waits in ImageJ with its windows"
PATCHING=1 imagej "$build" patched "${short_lived[@]}" "-Djava.io.tmpdir=$work/hidden" "-Duser.home=$work/hidden" \
    -- "$here/same/driver.ijm" "$work/topics|$work/hidden|$work/hidden.txt" >>"$work/output.txt" 2>&1

topic() { sed -n "/^== $1\$/,/^== /p" "$2" | grep -v '^== '; } # name, file
passed=0 failed=0
for file in "$here"/same/topics/*.ijm; do
    name=$(basename "$file")
    if [ -n "$(topic "$name" display.txt)" ] && cmp -s <(topic "$name" display.txt) <(topic "$name" hidden.txt); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: with windows (<) and without (>)"
        diff <(topic "$name" display.txt) <(topic "$name" hidden.txt)
    fi
done
[ $failed -eq 0 ] || grep -v $'^\tat' "$work/output.txt" | tail -n 40
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
