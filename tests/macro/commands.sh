#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs every command of ImageJ's menus without a display, in stock ImageJ and in ImageJ patched as in Fiji: commands.sh
# BUILD. See commands/EveryCommand.java.
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd) || exit 2
# shellcheck source=scripts/java.sh
. "$here/../../scripts/java.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/classes"
compile_java -d "$work/classes" -cp "$(class_path "$build")" "$here/commands/EveryCommand.java" || exit 1
cd "$work" || exit 2
status=0 skipped=0 passed=0 failed=0
for host in stock patched; do
    if ! path=$(imagej_path $host); then
        echo "SKIP commands in $host: a jar of it is missing in $deps"
        skipped=$((skipped + 1))
        continue
    fi
    [ $host = stock ] || path=$(patched_path "$build")
    HOME=$work run_headless "$build" "${short_lived[@]}" "${opened[@]}" "-Djava.io.tmpdir=$work" "-Duser.home=$work" \
        -cp "$work/classes:$path:$(plugin_path "$build")" drua.headless.EveryCommand "$work" >"$work/said" 2>&1 ||
        status=1
    grep -v 'passed, .* failed' "$work/said"
    counts=$(grep -o '[0-9]* passed, [0-9]* failed' "$work/said")
    passed=$((passed + ${counts%% passed*})) failed=$((failed + $(echo "${counts:-0, 1}" | sed 's/.*, //;s/ .*//')))
done
echo "$passed passed, $failed failed, $skipped skipped"
exit $status
