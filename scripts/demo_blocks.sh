# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Demonstrates a pipeline that runs block by block: two processes share an image, one is killed, and a third continues.
. scripts/common.sh

demo_blocks() {
    local drua=$root/build/bin/drua folder=$root/out/blocks pipeline=$root/macros/segment_blocks.ijm killed other \
        status=0
    rm -rf "$folder"
    mkdir -p "$folder"
    cd "$folder" || return
    "$drua" phantom . width=160 height=160 depth=48 background=20
    echo "-- converting the image to OME-Zarr"
    "$drua" process copy image.tif image.zarr --chunk 32,32,32 2>/dev/null
    echo "-- planning"
    "$drua" plan "$pipeline" image.zarr mask.zarr --chunk 16,16,16 --block 16,16,16 -o plan.json
    echo "-- starting two processes for half of the blocks each"
    "$drua" run plan.json --array 0/2 2>/dev/null &
    killed=$!
    "$drua" run plan.json --array 1/2 2>/dev/null &
    other=$!
    until [ "$("$drua" status plan.json | sed 's/ of.*//')" -ge 3 ]; do sleep 0.2; done
    kill -9 $killed 2>/dev/null || true
    wait $killed 2>/dev/null || status=$?
    echo "-- the first one was killed (status $status)"
    wait $other
    "$drua" status plan.json
    echo "-- another process continues"
    "$drua" run plan.json
    "$drua" finish plan.json
    "$drua" verify plan.json
    "$drua" status plan.json
    cd "$root" || return
    quiet_java imagej build patched -- macros/show_blocks.ijm "$folder"
    echo "pictures: $folder"
}
