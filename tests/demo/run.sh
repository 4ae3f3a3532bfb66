#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the demonstration and compares every nucleus found with a reference that shares no code with the engine. Runs the
# demonstration with tiles and checks the error of each step: run.sh BUILD
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
# shellcheck source=scripts/java.sh
. "$root/scripts/java.sh"
out=$build/tests/demo
rm -rf "$out"
mkdir -p "$out"
passed=0 failed=0

verdict() { # name, error
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: $2"
    fi
}

find "$root/tests/support" \( -name segment_reference.c -o -name 'reference_*.c' ! -name reference_main.c \) -exec \
    cc -std=c11 -O2 -D_GNU_SOURCE -ffp-contract=off -I "$root/native/include" -Wl,--no-as-needed -ltiff -lm -o \
    "$out/segment_reference" {} + || exit 1
imagej "$build" patched -- "$root/macros/segment_nuclei.ijm" "$root/macros/images,$out" >"$out/log.txt" \
    2>"$out/errors.txt"
status=$?
[ $status -eq 0 ] || verdict "segment_nuclei.ijm" "exit status $status: $(tail -n 3 "$out/errors.txt")"
grep -q '^device: .' "$out/log.txt" || verdict "device" "the log names no device"

# CSV columns by name: identifier, pixel count, mean intensity.
nuclei() {
    awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
        {print $at["IDENTIFIER"], $at["PIXEL_COUNT"], $at["MEAN_INTENSITY"]}' "$1"
}

# The nuclei and areas must be the same; means may differ within the 3 decimals of ImageJ's table.
compare() {
    awk 'NR == FNR {area[$1] = $2; mean[$1] = $3; due++; next}
        !($1 in area) {print "nucleus " $1 " is not in the reference"; exit}
        area[$1] != $2 {print "area of nucleus " $1 ": expected " area[$1] ", got " $2; exit}
        (d = mean[$1] - $3) > 0.002 || d < -0.002 {print "mean of nucleus " $1 ": expected " mean[$1] ", got " $3; exit}
        {got++}
        END {if (due != got) print "expected " due " nuclei, got " got + 0}' "$1" "$2"
}

for image in "$root"/macros/images/*.tif; do
    name=$(basename "$image" .tif)
    if [ ! -s "$out/$name.csv" ]; then
        verdict "$name" "the macro wrote no table"
        continue
    fi
    "$out/segment_reference" "$image" >"$out/reference.csv"
    sed -n '2,$ {/^count/d; s/,/ /gp}' "$out/reference.csv" >"$out/due"
    nuclei "$out/$name.csv" >"$out/got"
    verdict "$name: nuclei" "$(compare "$out/due" "$out/got")"
    due=$(sed -n 's/^count,\([0-9]*\),mean_area,\(.*\)/\1 \2/p' "$out/reference.csv" |
        awk -v name="$name" '{printf "%s.tif: %d nuclei, mean area %.1f pixels", name, $1, $2}')
    if grep -qxF "$due" "$out/log.txt"; then verdict "$name: log" ""; else verdict "$name: log" "no line '$due'"; fi
    if [ -s "$out/${name}_labels.png" ]; then verdict "$name: picture" ""; else verdict "$name: picture" \
        "not written"; fi
done

# The movie of a light sheet: each step prints its error against the truth.
imagej "$build" patched -- "$root/macros/light_sheet.ijm" "$out" >"$out/movie.txt" 2>"$out/errors.txt"
status=$?
[ $status -eq 0 ] || verdict "light_sheet.ijm" "exit status $status: $(tail -n 3 "$out/errors.txt")"

# at_most NAME LIMIT PATTERN: the number that PATTERN finds in the log.
at_most() {
    local number
    number=$(sed -n "s/^$3.*/\\1/p" "$out/movie.txt")
    verdict "$1" "$(awk -v n="$number" -v most="$2" 'BEGIN {if (n == "" || n > most) print "error is " n ", limit " most}')"
}

at_most "flat field" 3 'flat field: mean error \([0-9.]*\)'
at_most "deskew" 6 'deskew: .* before, \([0-9.]*\)'
at_most "stitching" 0.2 'stitching: error of the second tile \([0-9.]*\)'
at_most "deconvolution" 12 'deconvolution: .* before, \([0-9.]*\)'
at_most "registration" 0.5 'registration: largest error \([0-9.]*\)'
at_most "tracks" 1 'tracks: 8, 8 of 8 nuclei keep their track, largest error \([0-9.]*\)'
[ -s "$out/6_tracks.png" ] || verdict "picture of the tracks" "not written"

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
