#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests the tables of the benchmark: bench.sh DRUA-BENCH. Every operation that needs neither ImageJ nor a file must have
# rows, and tables can be compared and plotted.
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

drua_bench=$drua

# wrong arguments end before any work
refused() { # sentence, arguments...
    sentence=$1
    shift
    status=0
    OCL_ICD_VENDORS=$folder/none "$drua_bench" "$@" >said 2>refusal </dev/null || status=$?
    [ $status = 2 ] || fail "drua-bench $* ends with $status: $(cat refusal)"
    head -n 1 refusal | grep -q "^drua-bench: .*$sentence" || fail "drua-bench $*: $(cat refusal)"
    grep -q '^usage: drua-bench' refusal || fail "drua-bench $* prints no usage"
}
refused "'x' is not a divisor" copy x
refused "no option '-5'" copy -5
refused "no operation's name contains 'nothing_like_it'" nothing_like_it
refused "compare needs OLD.tsv and NEW.tsv" compare old.tsv
refused "no option '--colour'" --colour
"$drua_bench" --help | grep -q '^usage: drua-bench' || fail "no help"
"$drua_bench" --version | grep -Eq '^[0-9]+\.[0-9]+' || fail "no version"

names=affine_transform,multiply_slices_with_scalars,color_deconvolution,correct_drift,push_array,macro_pixel,custom_
names=$names,gaussian_psf,smaller,read_image_from_disc,gaussian_blur
"$drua_bench" "$names" 32 >"$folder/table.tsv"
cat "$folder/table.tsv"
for name in affine_transform multiply_slices_with_scalars color_deconvolution correct_drift push_array push_array_2d \
    macro_pixel_correction custom_operation \
    custom_binary_operation gaussian_psf gaussian_blur; do
    [ "$(awk -F '\t' -v name=$name '$1 == name && $4 > 0' "$folder/table.tsv" | wc -l)" = 2 ] ||
        fail "$name has no time at both sizes"
done
grep -q '^# without a time.* read_image_from_disc' "$folder/table.tsv" ||
    fail "an operation that is left out is not named"

# a comparison must read two different images, so it moves 3 float32 images at the rate in the table's head
awk -F '\t' '/copy rate of this run/ { split($0, part, "run, "); rate = part[2] + 0 }
    $1 == "smaller" && $3 == "float32" {
        split($2, extent, "x")
        found = $5 * rate * 1e6 > 2.5 * extent[1] * extent[2] * extent[3] * 4
    }
    END { exit !found }' "$folder/table.tsv" ||
    fail "an operation of two images was timed with one"

# the times of a call's kernels, for two sizes
"$drua_bench" profile smaller_constant 32 >"$folder/profile.tsv"
cat "$folder/profile.tsv"
[ "$(awk -F '\t' '$1 == "smaller_constant" && NF == 9 && $8 > 0 && $9 ~ /^[a-z_]+ [0-9.]+ x [0-9.]+/' \
    "$folder/profile.tsv" | wc -l)" = 2 ] || fail "kernels have no times"

table() { # rate, rows...
    printf '# floor: bytes of all image arguments once at the copy rate of this run, %s GB/s\n' "$1"
    printf 'name\tsize\ttype\tms\tfloor_ms\tshare\tnote\n'
    shift
    printf '%b' "$@"
}
table 100 \
    'more\t2x2x2\tfloat32\t1.0\t0.5\t0.5\t\nsame\t2x2x2\tfloat32\t1.0\t0.5\t0.5\t\n' \
    'slow\t2x2x2\tfloat32\t1.0\t0.5\t0.5\t\ntiny\t2x2x2\tfloat32\t1.0\t0.0000\t0.000\t\n' \
    'part\t2x2x2\tfloat32\t1.0\t0.5\t0.5\ttouches a part\ngone\t2x2x2\tfloat32\t1.0\t0.5\t0.5\t\n' >"$folder/old.tsv"
# at half the rate, twice the time is equivalent; with twice the images, four times
table 50 \
    'more\t2x2x2\tfloat32\t4.1\t2.0\t0.488\t\nsame\t2x2x2\tfloat32\t2.1\t1.0\t0.476\t\n' \
    'slow\t2x2x2\tfloat32\t2.3\t1.0\t0.435\t\ntiny\t2x2x2\tfloat32\t2.3\t0.0000\t0.000\t\n' \
    'part\t2x2x2\tfloat32\t2.3\t1.0\t0.435\ttouches a part\n' >"$folder/new.tsv"
said=$("$drua_bench" compare "$folder/old.tsv" "$folder/new.tsv") &&
    fail "slower rows were not reported by the exit status"
echo "$said"
[ "$(echo "$said" | grep -c '1.15 times slower')" = 3 ] || fail "not three rows are 1.15 times slower"
echo "$said" | grep -Eq '^(same|more)' && fail "a row that is less than 10 % slower is named"
echo "$said" | grep -q 'no time any more: gone 2x2x2 float32' || fail "a row that is gone is not named"
echo "$said" | grep -q '5 compared: 3 slower' || fail "the rows were not counted"
"$drua_bench" compare "$folder/table.tsv" "$folder/table.tsv" >"$folder/said" || fail "a table differs from itself"
printf 'nothing\n' >"$folder/bad.tsv"
"$drua_bench" compare "$folder/bad.tsv" "$folder/new.tsv" 2>"$folder/said" &&
    fail "a file that is not a table was accepted"
grep -q 'bad.tsv' "$folder/said" || fail "the sentence does not name the file"
"$drua_bench" compare "$folder/old.tsv" "$folder" 2>"$folder/said" && fail "a file that cannot be read was compared"
grep -q 'cannot be read to its end' "$folder/said" ||
    fail "the sentence does not say that the file cannot be read to its end"

# results are the same each time; only the first run compiles programs
DRUA_CACHE=off DRUA_OPTIMIZE=now "$drua_bench" first >"$folder/first.tsv" ||
    fail "the demonstration's commands were not timed"
cat "$folder/first.tsv"
awk -F '\t' '/^# / { came[$0] = 1 } /^[0-9]\. all/ { rows++; compiled[rows] = $3 }
    END { for (c in came) kinds++; exit !(rows == 4 && kinds == 1 && compiled[1] > 0 && compiled[4] == 0) }' \
    "$folder/first.tsv" ||
    fail "the demonstration's commands gave different results, or compiled at the wrong time"

"$drua_bench" devices 500 >"$folder/devices.tsv" || fail "several devices were not timed"
cat "$folder/devices.tsv"
awk -F '\t' '/^[0-9]/ { rows++; sums[$5] = 1 } END { for (s in sums) kinds++; exit !(rows >= 1 && kinds == 1) }' \
    "$folder/devices.tsv" ||
    fail "the checksums of the devices differ"

"$drua_bench" plot "$folder/table.tsv" >"$folder/table.svg"
[ "$(grep -c '<circle' "$folder/table.svg")" -ge 16 ] || fail "the picture lacks rows"
tail -n 1 "$folder/table.svg" | grep -q '</svg>' || fail "the picture has no end"
