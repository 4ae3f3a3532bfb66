#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests mosaics from lists of tiles on the command line: killed runs, several devices, tiles that disappear or change
# during a run, outputs that would replace a tile, and provenance. Usage: mosaic.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

# 3 x 2 tiles with two channels and two frames
mkdir tiles
for tile in 0 1 2 3 4 5; do
    "$drua" phantom made width=90 height=70 depth=5 frames=2 channels=2 seed=$tile --overwrite >/dev/null 2>log ||
        fail "tile: $(cat log)"
    mv made/image.tif tiles/$tile.tif
done
{
    echo '# drua: fusion=distance flat=flat.tif'
    echo 'dim = 3'
    for tile in 0 1 2 3 4 5; do
        echo "$tile.tif; ; ($((tile % 3 * 75)).25, $((tile / 3 * 55)).5, 0.$tile)"
    done
} >tiles/list.txt
"$drua" process "multiply_image_and_scalar scalar=0" tiles/0.tif zero.tif >/dev/null 2>log &&
    "$drua" process "add_image_and_scalar scalar=2" zero.tif tiles/flat.tif >/dev/null 2>log || fail "flat: $(cat log)"
size="--chunk 32,32,5 --block 64,32,5"

# A file disappears while blocks are computed, and comes back: the process ends with status 75 and names the file.
goes_in_mid_run() { # list, output, file
    : >progress
    "$drua" process copy "$1" "$2" --chunk 8,8,1 --block 8,8,1 >said 2>progress &
    running=$!
    while ! grep -q blocks progress && kill -0 $running 2>/dev/null; do sleep 0.05; done
    mv "$3" kept
    status=0
    wait $running || status=$?
    mv kept "$3"
    [ $status = 75 ] && grep -q "${3#tiles/}" progress ||
        fail "$3 disappears during a run, which ends with $status: $(cat progress)"
}

# shellcheck disable=SC2086 # sizes are several words
"$drua" process "gaussian_blur sigma_x=1 sigma_y=1 sigma_z=0" tiles/list.txt whole.zarr $size >said 2>log ||
    fail "whole: $(cat log)"
grep -q "^input   tiles/list.txt: 240 x 125 x 6 float32, 2 channels, 2 frames" said || fail "said: $(cat said)"

# shellcheck disable=SC2086
kill_and_resume "0.1 0.2 0.4" "gaussian_blur sigma_x=1 sigma_y=1 sigma_z=0" tiles/list.txt killed.zarr $size
[ "$(sums whole.zarr/0)" = "$(sums killed.zarr/0)" ] || fail "a killed run gives other bytes"

# shellcheck disable=SC2086
POCL_DEVICES="pthread basic" "$drua" process "gaussian_blur sigma_x=1 sigma_y=1 sigma_z=0" tiles/list.txt two.zarr \
    $size --devices 0,1 >said 2>log || fail "two devices: $(cat log)"
[ "$(sums whole.zarr/0)" = "$(sums two.zarr/0)" ] || fail "two devices give other bytes"

# the blocks at the end need the last tile
# shellcheck disable=SC2086
"$drua" plan copy tiles/list.txt out.zarr $size -o plan.json >said 2>log || fail "plan: $(cat log)"
"$drua" run plan.json --blocks 0:2 2>log || fail "run: $(cat log)"
mv tiles/5.tif gone.tif
status=0
"$drua" run plan.json 2>log || status=$?
[ $status = 75 ] && grep -q "5.tif" log || fail "a missing tile ends with $status: $(cat log)"
mv gone.tif tiles/5.tif
"$drua" run plan.json 2>log && "$drua" finish plan.json 2>log || fail "the tile is back: $(cat log)"
# shellcheck disable=SC2086
"$drua" process copy tiles/list.txt copy.zarr $size >said 2>log || fail "copy: $(cat log)"
[ "$(sums out.zarr/0)" = "$(sums copy.zarr/0)" ] || fail "the bytes change after a tile was missing for a while"

# a tile that disappears while blocks are computed
goes_in_mid_run tiles/list.txt during.zarr tiles/4.tif
"$drua" process copy tiles/list.txt during.zarr --chunk 8,8,1 --block 8,8,1 >said 2>log ||
    fail "the tile is back: $(cat log)"

# a changed tile is another input
# shellcheck disable=SC2086
"$drua" plan copy tiles/list.txt other.zarr $size -o other.json >said 2>log || fail "plan: $(cat log)"
cp -p tiles/0.tif kept.tif
cp tiles/1.tif tiles/0.tif
status=0
"$drua" run other.json 2>log || status=$?
[ $status = 1 ] && grep -q "its input has changed" log || fail "a changed tile ends with $status: $(cat log)"
cp -p kept.tif tiles/0.tif
"$drua" run other.json 2>log || fail "restored: $(cat log)"

# the chunks of tiles, and of a flat field, in OME-Zarr are a part of the input
for tile in 0 1; do
    "$drua" process copy tiles/$tile.tif tiles/$tile.zarr --chunk 32,32,5 >/dev/null 2>log || fail "Zarr: $(cat log)"
done
"$drua" process copy tiles/flat.tif tiles/flat.zarr --chunk 32,32,1 >/dev/null 2>log || fail "flat: $(cat log)"
printf '# drua: flat=flat.zarr\nfile,x,y\n0.zarr,0,0\n1.zarr,75,0\n' >tiles/zarr.csv
# shellcheck disable=SC2086
"$drua" plan copy tiles/zarr.csv chunks.zarr $size -o chunks.json >said 2>log || fail "plan: $(cat log)"
"$drua" run chunks.json --blocks 0:1 2>log || fail "run: $(cat log)"
for image in 1.zarr flat.zarr; do
    chunk=$(cd tiles && find "$image/0" -type f -size +0 ! -name '.z*' ! -name '*.json' | sort | tail -1)
    mv "tiles/$chunk" kept
    for change in gone other; do
        status=0
        [ $change = gone ] || echo other >"tiles/$chunk"
        "$drua" run chunks.json 2>log || status=$?
        [ $status = 1 ] && grep -q "its input has changed" log || fail "$chunk is $change: $status, $(cat log)"
    done
    mv kept "tiles/$chunk"
done
"$drua" run chunks.json 2>log && "$drua" finish chunks.json 2>log || fail "restored chunks: $(cat log)"

# a chunk that disappears while blocks are computed
chunk=$(find tiles/1.zarr/0 -type f ! -name '.z*' ! -name '*.json' | sort | tail -1)
goes_in_mid_run tiles/zarr.csv during2.zarr "$chunk"

# the names of the list are a part of the input: two tiles with equal content swap their positions
cp -p tiles/0.tif tiles/a.tif
cp tiles/1.tif tiles/b.tif
touch -r tiles/a.tif tiles/b.tif
printf 'file,x,y\na.tif,0,0\nb.tif,75,0\n' >tiles/names.csv
# shellcheck disable=SC2086
"$drua" plan copy tiles/names.csv names.zarr $size -o names.json >said 2>log || fail "plan: $(cat log)"
printf 'file,x,y\nb.tif,0,0\na.tif,75,0\n' >tiles/names.csv
status=0
"$drua" run names.json 2>log || status=$?
[ $status = 1 ] && grep -q "its input has changed" log || fail "tiles in other places end with $status: $(cat log)"

# an output never replaces a tile or a flat field
for file in 3.tif flat.tif; do
    if "$drua" process copy tiles/list.txt tiles/$file --overwrite >said 2>log; then fail "$file was replaced"; fi
    grep -q "a file of the input" log || fail "replacing $file: $(cat log)"
done
if "$drua" process copy tiles/list.txt level.zarr --level 1 >said 2>log; then fail "a mosaic has no levels"; fi
grep -q "one resolution" log || fail "level: $(cat log)"

# the state of all tiles is part of the provenance
state() { # output
    sed -n 's/.*"state_sha256" *: *"\([0-9a-f]*\)".*/\1/p' "$1/.zattrs"
}
[ -n "$(state whole.zarr)" ] && [ "$(state whole.zarr)" = "$(state copy.zarr)" ] || fail "no state of the tiles"
