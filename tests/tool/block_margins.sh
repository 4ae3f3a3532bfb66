#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests pipelines by blocks with a margin, and tables. One block, small blocks, little memory, shared plans and killed
# processes must give the same bytes. Margins that are too small are refused. Usage: block_margins.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

"$drua" phantom . kind=beads width=90 height=70 depth=12 background=20 channels=2 >/dev/null 2>&1
cat >pipeline.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_gaussianBlur3D(image, smooth, 2, 2, 1);
Ext.CLIJ2_detectMaximaBox(smooth, spots, 2);
Ext.CLIJ2_spotsToPointList(spots, list);
Ext.CLIJ2_thresholdOtsu(smooth, mask);
Ext.CLIJ2_maskedVoronoiLabeling(spots, mask, cells);
Ext.CLIJ2_watershed(mask, split);
Ext.CLIJ2_statisticsOfLabelledPixels(image, cells);
Ext.Drua_measureLabels(image, cells, "shape moments");
Ext.CLIJ2_jaccardIndex(mask, split);
Ext.Drua_measureLabelPairs(cells, "");
Ext.Drua_normalizePercentiles(smooth, stretched, 1, 99.8);
Ext.CLIJ2_pull(cells);
Ext.CLIJ2_pull(split);
Ext.Drua_pull(stretched);
END
# each pass of percentiles counts 16 of the 32 bits of float32 pixels
# the last digits of sums of intensities, in labels-2.csv, depend on the blocks
size="--block 32,32,12 --chunk 32,32,12 --margin 24"

"$drua" process pipeline.ijm image.tif whole --block 96,96,12 --chunk 32,32,12 --margin 24 >said 2>log ||
    fail "one block: $(cat log)"
# shellcheck disable=SC2086 # sizes are several words
"$drua" process pipeline.ijm image.tif parts $size >said 2>log || fail "small blocks: $(cat log)"
[ "$(sums whole | grep -v labels-2.csv)" = "$(sums parts | grep -v labels-2.csv)" ] || fail "small blocks: other bytes"
[ "$(head -1 parts/labels.csv)" = CHANNEL,FRAME,X,Y,Z ] && [ "$(wc -l <parts/labels.csv)" -gt 3 ] ||
    fail "the list of spots: $(head -3 parts/labels.csv)"
head -1 parts/labels-3.csv | grep -q "^CHANNEL,FRAME,IDENTIFIER,PIXEL_COUNT,VOLUME,.*,MOMENT_111$" ||
    fail "the table of shapes: $(head -1 parts/labels-3.csv)"
[ "$(head -1 parts/labels-4.csv)" = CHANNEL,FRAME,Jaccard_Index ] && [ "$(wc -l <parts/labels-4.csv)" = 3 ] ||
    fail "the table of overlap: $(cat parts/labels-4.csv)"
head -1 parts/labels-5.csv | grep -q "^CHANNEL,FRAME,LABEL_1,LABEL_2,CONTACT_SIDES,CONTACT_AREA$" &&
    [ "$(wc -l <parts/labels-5.csv)" -ge 2 ] || fail "the table of pairs: $(head -3 parts/labels-5.csv)"
"$drua" process pipeline.ijm image.tif little --memory 8MB --chunk 32,32,12 --margin 24 >said 2>log ||
    fail "little memory: $(cat log)"
[ "$(sums whole | grep -v labels-2.csv)" = "$(sums little | grep -v labels-2.csv)" ] ||
    fail "little memory: other bytes"

# shared by processes
# shellcheck disable=SC2086
"$drua" plan pipeline.ijm image.tif shared $size --share -o shared.json >said 2>log || fail "share: $(cat log)"
run_and_finish_shared shared.json 2
[ "$(sums parts)" = "$(sums shared)" ] || fail "a shared plan gives other bytes"

# killed at some moment, and resumed
# shellcheck disable=SC2086
kill_and_resume "0.3 0.8 1.5" pipeline.ijm image.tif killed $size
[ "$(sums parts)" = "$(sums killed)" ] || fail "a killed plan gives other bytes"

# a small margin is refused, in a pass and in a block, with the pixel and the margin
refuse() { # pipeline, words
    status=0
    "$drua" process "$1" image.tif refused.zarr --block 32,32,12 --chunk 32,32,12 --margin 2 >said 2>log || status=$?
    [ $status = 1 ] && grep -q "$2" log && grep -q "larger margin (--margin)" log || fail "$1: $status, $(cat log)"
    [ ! -e refused.zarr ] || fail "$1: there is a result"
    rm -rf refused.zarr*
}
refuse pipeline.ijm "of pixel [0-9]*, [0-9]*, [0-9]* extends more than 2 pixels beyond its block"
cat >distances.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_threshold(image, mask, 1);
Ext.CLIJ2_distanceMap(mask, distances);
END
refuse distances.ijm "distance_map: the distance of pixel 0, 0, 0 extends more than 2 pixels"
for margin in 0 -3 many 5000; do
    status=0
    "$drua" plan pipeline.ijm image.tif none --margin $margin -o none.json >/dev/null 2>log || status=$?
    [ $status = 2 ] && grep -q margin log || fail "--margin $margin: $status, $(cat log)"
done

# operations with a row or a column for each label name the commands that measure the same by blocks
for drill in "CLIJ2_generateTouchMatrix(labels, r);use Drua_measureLabelPairs" \
    "CLIJ2_generateTouchCountMatrix(labels, r);use Drua_measureLabelPairs" \
    "CLIJ2_touchingNeighborCountMap(labels, r);use Drua_measureLabelPairs" \
    "CLIJ2_centroidsOfLabels(labels, r);use statisticsOfLabelledPixels" \
    "CLIJ2_meanIntensityMap(image, labels, r);use statisticsOfLabelledPixels" \
    "CLIJ2_generateJaccardIndexMatrix(labels, labels, r);by jaccardIndex" \
    "CLIJ2_generateBinaryOverlapMatrix(labels, labels, r);by jaccardIndex" \
    "CLIJ2_labelOverlapCountMap(labels, labels, r);by jaccardIndex"; do
    printf 'Ext.CLIJ2_push(image);\nExt.CLIJ2_threshold(image, m, 60);\n%s\nExt.%s;\nExt.CLIJ2_pull(r);\n' \
        'Ext.CLIJ2_connectedComponentsLabelingBox(m, labels);' "${drill%;*}" >matrix.ijm
    status=0
    "$drua" plan matrix.ijm image.tif none.zarr -o none.json >/dev/null 2>log || status=$?
    [ $status = 1 ] && grep -q "(called in line 4): .*cannot run block by block; .*${drill#*;}" log ||
        fail "$drill: $status, $(cat log)"
done
