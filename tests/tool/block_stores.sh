#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests images that a pipeline by blocks computes once and stores. Results must have the same bytes as without stored
# images, also for shared plans, killed processes and missing work files. Usage: block_stores.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

"$drua" phantom . width=96 height=80 depth=24 background=20 channels=2 >/dev/null
cat >pipeline.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_gaussianBlur3D(image, far, 14, 14, 6);
Ext.CLIJ2_subtractImages(image, far, flat);
Ext.CLIJ2_gaussianBlur3D(flat, smooth, 2, 2, 1);
Ext.CLIJ2_thresholdOtsu(smooth, mask);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_statisticsOfLabelledPixels(smooth, labels);
Ext.CLIJ2_pull(labels);
Ext.CLIJ2_pull(smooth);
END
size="--block 32,32,24 --chunk 32,32,24"

# shellcheck disable=SC2086 # sizes are several words
"$drua" process pipeline.ijm image.tif again $size --store no >said 2>log || fail "process: $(cat log)"
grep -q "^stored" said && fail "--store no stores an image: $(cat said)"
# shellcheck disable=SC2086
"$drua" process pipeline.ijm image.tif once $size >said 2>log || fail "process: $(cat log)"
grep -q "^stored  the result of gaussian_blur, because" said || fail "the plan does not say what it stores: $(cat said)"
grep -q "^pass 1  18 blocks stored, cost [0-9]" said || fail "no table of passes: $(cat said)"
grep -q "^disk    .* for the results, .* for files of passes" said || fail "no disk need: $(cat said)"
[ "$(sums again)" = "$(sums once)" ] || fail "the stored image changes results"
[ "$(grep -c stored said)" = 2 ] || fail "more than one image is stored: $(cat said)"

# a blur that is quick to repeat is not stored
sed 's/14, 14, 6/1, 1, 1/' pipeline.ijm >quick.ijm
"$drua" plan quick.ijm image.tif quick -o quick.json >said 2>log || fail "plan: $(cat log)"
grep -q stored said && fail "a cheap image is stored: $(cat said)"

# finish removes the stored image; until then, a run without it waits
# shellcheck disable=SC2086
"$drua" plan pipeline.ijm image.tif parts $size -o plan.json >said 2>log || fail "plan: $(cat log)"
[ -d plan.json.journal/image0.0/local.zarr.writing ] || fail "no stored image: $(ls plan.json.journal)"
mv plan.json.journal/image0.0 gone
status=0
"$drua" run plan.json 2>log || status=$?
[ $status = 75 ] || fail "a run without the stored image ends with $status: $(cat log)"
grep -q "which a pass of the plan has stored, is missing" log || fail "the run says: $(cat log)"
mv gone plan.json.journal/image0.0
# a run refuses a stored image or stored labels whose files were replaced or removed
cp -r plan.json.journal parts.journal
cp -r parts parts.begun
for stored in image0.0 labels0.1; do
    stored=plan.json.journal/$stored/local.zarr.writing/0
    for change in "cp $stored/0/1/1 $stored/0/0/0" "rm $stored/0/0/0" "truncate -s 0 $stored/0/0/0"; do
        $change
        status=0
        "$drua" run plan.json 2>log || status=$?
        [ $status = 1 ] || fail "$change: the run ends with $status: $(cat log)"
        grep -q "0/0/0', .* cannot be read: the file \(has changed since Drua wrote it\|is missing\)" log ||
            fail "$change: $(cat log)"
        rm -rf plan.json.journal parts
        cp -r parts.journal plan.json.journal
        cp -r parts.begun parts
    done
done
"$drua" run plan.json 2>log || fail "run: $(cat log)"
"$drua" finish plan.json 2>log || fail "finish: $(cat log)"
[ "$(sums again)" = "$(sums parts)" ] || fail "a plan in parts gives other bytes"
for left in plan.json.journal/image*; do
    [ ! -e "$left" ] || fail "finish leaves $left"
done
"$drua" run plan.json 2>log || fail "a finished plan cannot be run again: $(cat log)"

# shared by processes
# shellcheck disable=SC2086
"$drua" plan pipeline.ijm image.tif shared $size --share -o shared.json >said 2>log || fail "share: $(cat log)"
grep -q '"image": 0, "type": "float32"' shared.json || fail "the plan does not list its image: $(cat shared.json)"
run_and_finish_shared shared.json 3
[ "$(sums again)" = "$(sums shared)" ] || fail "a shared plan gives other bytes"

# killed at some moment, and resumed
# shellcheck disable=SC2086
kill_and_resume "0.2 0.4 0.6" pipeline.ijm image.tif killed $size
[ "$(sums again)" = "$(sums killed)" ] || fail "a killed plan gives other bytes"
[ ! -e killed.plan.json.journal ] || fail "work files are left"
