#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests the passes of a plan that several processes share: block_shares.sh DRUA. The plan and its output must have the
# same bytes as with one process, in whatever order the processes run, whichever process is missing, and whatever file
# is damaged.
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

"$drua" phantom . kind=beads width=160 height=48 depth=16 channels=2 frames=2 background=20 >/dev/null 2>&1
"$drua" process copy image.tif in.zarr --chunk 32,32,16 >/dev/null 2>&1
cat >pipeline.ijm <<'END'
Ext.Drua_push(image);
Ext.CLIJ2_gaussianBlur3D(image, blurred, 0.6, 0.6, 0.6);
Ext.CLIJ2_thresholdOtsu(blurred, mask);
Ext.CLIJ2_connectedComponentsLabelingDiamond(mask, labels);
Ext.CLIJ2_excludeLabelsOnEdges(labels, inside);
Ext.CLIJ2_statisticsOfLabelledPixels(blurred, inside);
Ext.Drua_pull(inside);
END

# Plans in separate folders that use the same relative paths have the same bytes.
make_plan() { # folder, option...
    mkdir -p "$1"
    cd "$1"
    [ -e in.zarr ] || ln -s ../in.zarr in.zarr
    shift
    "$drua" plan ../pipeline.ijm in.zarr out.zarr --chunk 32,32,16 --block 32,32,16 --memory 1MB "$@" -o \
        plan.json >said 2>/dev/null
    cd ..
}

same_end() { # folder, event
    [ -e "$1/out.zarr.writing" ] || fail "$2: the output is gone"
    (cd "$1" && "$drua" run plan.json 2>/dev/null && "$drua" finish plan.json 2>/dev/null &&
        "$drua" verify plan.json 2>/dev/null) || fail "$2: the plan cannot be finished"
    cmp one/plan.json "$1/plan.json" || fail "$2: another plan"
    cmp one/out.csv "$1/out.csv" || fail "$2: another table"
    [ "$(sums one/out.zarr)" = "$(sums "$1/out.zarr")" ] || fail "$2: other bytes"
}

make_plan one
(cd one && "$drua" run plan.json 2>/dev/null && "$drua" finish plan.json 2>/dev/null)
[ "$(wc -l <one/out.csv)" -gt 12 ] || fail "too few labels: $(wc -l <one/out.csv)"

# a plan with unfinished passes lists them, and can be neither finished nor verified
make_plan two --share
grep -q "pass 1  [0-9]* blocks measured" two/said && grep -q "pass 5  40 blocks measured again" two/said ||
    fail "the plan does not list its passes: $(cat two/said)"
"$drua" status two/plan.json | grep -q "^pass 1 of 5: 0 of [0-9]* blocks measured$" ||
    fail "the status is: $("$drua" status two/plan.json)"
for verb in finish verify; do
    status=0
    (cd two && "$drua" $verb plan.json) 2>log || status=$?
    [ $status = 75 ] && grep -q "^the passes of 'plan.json' are not finished; run the plan" log ||
        fail "$verb: $status, $(cat log)"
done
status=0
(cd two && "$drua" run plan.json --pass 6) 2>log || status=$?
[ $status = 1 ] && grep -q "pass 6 does not exist; choose a pass from 1 to 5" log ||
    fail "a pass that does not exist: $status, $(cat log)"

# three processes share the passes, one process after the other
for pass in 1 2 3 4 5; do
    "$drua" status two/plan.json | grep -q "^pass $pass of 5: 0 of" ||
        fail "before pass $pass: $("$drua" status two/plan.json)"
    for part in 0 1 2; do
        (cd two && exec "$drua" run plan.json --array $part/3 --pass $pass) 2>log.$part &
    done
    wait
    where=pass$pass
    [ $pass != 3 ] || where=labels
    find two/plan.json.journal/$where* -name '*.results' | sed 's/.*\.\([0-9]*\)\.results/\1/' | sort -u >processes
    [ "$(wc -l <processes)" = 3 ] || fail "pass $pass was not shared: $(cat log.0 log.1 log.2)"
done
"$drua" status two/plan.json | grep -q "^0 of 40 blocks done" || fail "the status is: $("$drua" status two/plan.json)"
same_end two "three processes, pass by pass"

# two processes run everything concurrently
make_plan three --share
(cd three && exec "$drua" run plan.json --array 0/2) 2>log &
(cd three && exec "$drua" run plan.json --array 1/2) 2>log.1 || fail "$(cat log.1)"
wait $! || fail "$(cat log)"
"$drua" status three/plan.json | grep -q "^40 of 40 blocks done" || fail "at once: $("$drua" status three/plan.json)"
same_end three "two processes at once"

# two of three processes never start, and one is killed at some moments
make_plan four --share
(cd four && "$drua" run plan.json --array 1/3 --pass 1 2>/dev/null)
"$drua" status four/plan.json | grep -q "^pass 1 of 5: 3 of 8" || fail "a share: $("$drua" status four/plan.json)"
for pause in 0.2 0.4 0.6 0.8; do
    (cd four && exec "$drua" run plan.json --array 1/3 --pass 4) 2>/dev/null &
    sleep $pause
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
done
(cd four && "$drua" run plan.json --array 1/3 --pass 4 2>/dev/null)
"$drua" status four/plan.json | grep -q "^pass 4 of 5: 1[0-9] of 40" ||
    fail "blocks that no process did: $("$drua" status four/plan.json)"
"$drua" status --open four/plan.json | head -n 2 | tr '\n' ' ' | grep -qx "pass 4 of 5 0:1 " ||
    fail "open: $("$drua" status --open four/plan.json | head -n 2)"

# damaged or truncated results are computed again; the same plan continues, another plan is refused
before=$("$drua" status four/plan.json)
file=$(find four/plan.json.journal/pass4.0 -name '*.results')
printf 'xxxx' | dd of="$file" bs=1 seek=110 conv=notrunc 2>/dev/null
printf 'cut off' >>"$file"
[ "$before" != "$("$drua" status four/plan.json)" ] || fail "a damaged result counts"
make_plan four --share
"$drua" status four/plan.json | grep -q "^pass 4 of 5: 1[0-9] of 40" ||
    fail "the same plan does not continue: $("$drua" status four/plan.json)"
printf 'xxxx' | dd of=four/plan.json.journal/pass2.1/joined bs=1 seek=100 conv=notrunc 2>/dev/null
sed 's/0.6, 0.6, 0.6/0.7, 0.6, 0.6/' pipeline.ijm >other.ijm
status=0
(cd four && "$drua" plan ../other.ijm in.zarr out.zarr --chunk 32,32,16 --share -o plan.json) >/dev/null 2>log ||
    status=$?
[ $status = 1 ] && grep -q \
    "has blocks of another plan; give the plan another name, or discard these blocks with --anew" log ||
    fail "another plan: $status, $(cat log)"
same_end four "a damaged result"

# a block's labels are damaged before they are merged
make_plan five --share
(cd five && "$drua" run plan.json --array 0/2 --pass 3 2>/dev/null)
for file in five/plan.json.journal/labels3.0/*.labels; do printf 'xxxx' |
    dd of="$file" bs=1 seek=20 conv=notrunc 2>/dev/null; done
status=0
(cd five && "$drua" run plan.json) 2>log || status=$?
[ $status = 1 ] && tail -n 1 log | grep -q \
    "labels of a block in '.*labels3.0/.*' are damaged or missing; make the plan again" ||
    fail "damaged labels: $status, $(tail -n 1 log)"
make_plan five --share --anew
same_end five "a plan that is made anew"

# a chunk of the input is damaged: the error names it, and the remaining blocks are done after the repair
make_plan poisoned --share
rm poisoned/in.zarr
cp -pr in.zarr poisoned/in.zarr
chunk=$(find -L poisoned/in.zarr/0 -type f ! -name '.z*' | sort | tail -n 1)
cp "$chunk" kept
printf 'no blosc data' >"$chunk"
status=0
(cd poisoned && "$drua" run plan.json) 2>log || status=$?
[ $status = 1 ] && tail -n 1 log | grep -q "${chunk#poisoned/}'.* cannot be read" ||
    fail "a damaged chunk: $status, $(tail -n 1 log)"
cp kept "$chunk"
same_end poisoned "a damaged chunk"

# files that changed meanwhile are refused
refuse() { # changed file
    status=0
    (cd six && "$drua" run plan.json) 2>log || status=$?
    [ $status = 1 ] && [ "$(wc -l <log)" = 1 ] && grep -q "is out of date: $1 has changed since" log ||
        fail "$1: $status, $(cat log)"
}
make_plan six --share
(cd six && "$drua" run plan.json --array 0/2 --pass 1 2>/dev/null)
cp six/plan.json kept.json
sed 's/0.6, 0.6, 0.6/0.7, 0.6, 0.6/' kept.json >six/plan.json
refuse "what its commands do"
sed 's/"block": \[32, 32, 16\],$/"block": [64, 32, 16],/' kept.json >six/plan.json
refuse "a setting"
cp kept.json six/plan.json
rm six/in.zarr
"$drua" process copy image.tif other.zarr --chunk 16,32,16 >/dev/null 2>&1
ln -s ../other.zarr six/in.zarr
refuse "its input"
rm six/in.zarr

# one plan's results are not used by another
ln -s ../in.zarr six/in.zarr
(cd six && "$drua" plan ../other.ijm in.zarr other/out.zarr --chunk 32,32,16 --block 32,32,16 --memory 1MB --share \
    -o other.json >/dev/null)
rm -r six/other.json.journal
cp -r six/plan.json.journal six/other.json.journal
status=0
(cd six && "$drua" run other.json) 2>log || status=$?
[ $status = 1 ] && grep -q "has results of another plan" log || fail "foreign results: $status, $(cat log)"

# deconvolution starts from the image's mean; a plan without passes is complete at once
"$drua" phantom small width=64 height=48 depth=16 background=20 >/dev/null 2>&1
for how in "" --share; do
    mkdir "deconvolved$how"
    # shellcheck disable=SC2086 # nothing, or an option
    (cd "deconvolved$how" && "$drua" plan deconvolve ../small/image.tif out.zarr psf=../small/psf.tif iterations=3 \
        --chunk 32,32,16 --block 32,32,16 $how -o plan.json >/dev/null 2>&1 &&
        "$drua" run plan.json 2>/dev/null && "$drua" finish plan.json 2>/dev/null)
done
cmp deconvolved/plan.json deconvolved--share/plan.json || fail "another plan of a deconvolution"
[ "$(sums deconvolved/out.zarr)" = "$(sums deconvolved--share/out.zarr)" ] || fail "other bytes of a deconvolution"
"$drua" plan "gaussian_blur sigma_x=1" image.tif blurred.zarr --share -o blur.json >/dev/null
"$drua" status blur.json | grep -q "^0 of .* blocks done" || fail "a plan without passes: $("$drua" status blur.json)"
