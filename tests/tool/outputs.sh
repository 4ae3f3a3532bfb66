#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Existing outputs, truncated files, two processes that finish one plan: outputs.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

refuse() { # part command...
    part=$1
    shift
    status=0
    "$drua" "$@" >/dev/null 2>log || status=$?
    [ $status = 1 ] || fail "$* ends with $status: $(cat log)"
    tail -n 1 log | grep -q "$part" || fail "$*: $(cat log)"
}

"$drua" phantom . width=96 height=80 depth=24 background=20 >/dev/null 2>&1
"$drua" process copy image.tif in.zarr --chunk 32,32,8 >/dev/null 2>&1
before=$(sums in.zarr)

# an existing output stays without --overwrite
"$drua" process "gaussian_blur sigma_x=1" in.zarr out.zarr >/dev/null 2>&1
first=$(sums out.zarr)
refuse "out.zarr' already exists, .*--overwrite" process "gaussian_blur sigma_x=3" in.zarr out.zarr
refuse "out.zarr' already exists, .*--overwrite" plan "gaussian_blur sigma_x=3" in.zarr out.zarr -o plan.json
refuse "out.zarr/' already exists, .*--overwrite" process "gaussian_blur sigma_x=3" in.zarr ./out.zarr/ --anew
[ "$(sums out.zarr)" = "$first" ] || fail "an output that was kept has changed"
"$drua" process "gaussian_blur sigma_x=3" in.zarr out.zarr --overwrite >/dev/null 2>log ||
    fail "--overwrite: $(cat log)"
[ "$(sums out.zarr)" != "$first" ] || fail "an output was not replaced"
[ ! -e out.zarr.old.writing ] || fail "the old output was left"

# the input stays, however its path is spelled, also through folders that a run would create
for output in in.zarr ./in.zarr/../in.zarr new/../in.zarr in.zarr/ in.zarr/0 in.zarr/blurred.zarr .; do
    refuse "another output" process "gaussian_blur sigma_x=3" in.zarr "$output" --overwrite
    [ "$(sums in.zarr)" = "$before" ] || fail "the input has changed: $output"
done
refuse "another output" plan copy in.zarr other.zarr -o in.zarr/plan.json
[ "$(sums in.zarr)" = "$before" ] || fail "a plan was written into the input"

# a folder or file created under an output's name while blocks are made stays too
"$drua" plan copy in.zarr late.zarr --chunk 32,32,8 -o late.json >/dev/null
"$drua" run late.json 2>/dev/null
mkdir -p late.zarr/0
echo mine >late.zarr/0/0
refuse "late.zarr' holds no image" finish late.json
[ "$(cat late.zarr/0/0)" = mine ] || fail "a folder of others was changed"
rm -r late.zarr
cp -r in.zarr late.zarr
refuse "the image 'late.zarr' already exists" finish late.json
[ "$(sums late.zarr)" = "$before" ] || fail "an image of others was changed"
rm -r late.zarr
"$drua" finish late.json || fail "a plan cannot be finished when its name is free"
"$drua" plan copy in.zarr late.tif -o tiff.json >/dev/null
"$drua" run tiff.json 2>/dev/null
echo mine >late.tif
refuse "late.tif' already exists" finish tiff.json
[ "$(cat late.tif)" = mine ] || fail "a file of others was changed"
rm late.tif
"$drua" finish tiff.json || fail "a TIFF cannot be finished when its name is free"

# a plan replaces only its own output, never other files
"$drua" plan "gaussian_blur sigma_x=2" in.zarr late.tif -o tiff.json --anew >/dev/null 2>log ||
    fail "a plan made anew: $(cat log)"
"$drua" run tiff.json 2>/dev/null
"$drua" finish tiff.json 2>log || fail "a plan made anew is not finished: $(cat log)"
echo mine >notes
refuse "notes' already exists and is not a plan" plan copy in.zarr other.zarr -o notes
[ "$(cat notes)" = mine ] || fail "a file of others became a plan"

# a device is not replaced by a plan
status=0
"$drua" plan copy in.zarr other.zarr -o /dev/null >/dev/null 2>log || status=$?
[ $status = 1 ] || fail "a plan was written to a device: $status"
[ -c /dev/null ] || fail "the device is gone"

# a TIFF truncated anywhere is not processed
bytes=$(wc -c <image.tif)
for part in 1 5 10 20 30 40 50 60 70 80 90 99; do
    head -c $((bytes * part / 100)) image.tif >cut.tif
    refuse "cut.tif' is \(cut off\|not a readable TIFF file\)" process copy cut.tif cut.zarr
    [ ! -e cut.zarr ] || fail "a file that was cut off gives an image"
done

# two processes finish one plan: one image, no lost block; the second process gets a message or finds the work done
"$drua" plan "gaussian_blur sigma_x=1" in.zarr race/out.zarr --chunk 16,16,8 --block 16,16,8 -o race.json >/dev/null
"$drua" run race.json 2>/dev/null
"$drua" plan "gaussian_blur sigma_x=1" in.zarr race/out.tif -o race_tiff.json >/dev/null
"$drua" run race_tiff.json 2>/dev/null
cp -r race race.kept
cp -r race.json.journal race.journal.kept
cp -r race_tiff.json.journal race_tiff.journal.kept
for turn in 1 2 3 4 5 6; do
    for plan in race race_tiff; do
        rm -rf race $plan.json.journal
        cp -r race.kept race
        cp -r $plan.journal.kept $plan.json.journal
        ended=
        for process in 1 2 3; do
            (
                end=0
                "$drua" finish $plan.json 2>log.$process || end=$?
                echo $end >end.$process
            ) &
        done
        wait
        for process in 1 2 3; do
            ended="$ended $(cat end.$process)"
            [ "$(cat end.$process)" = 0 ] || tail -n 1 log.$process | grep -q "another process is finishing the plan" ||
                fail "turn $turn, $plan: $(cat log.$process)"
        done
        case $ended in
        *1*) fail "turn $turn, $plan: ends$ended" ;;
        *0*) ;;
        *) fail "turn $turn, $plan: nobody finishes:$ended" ;;
        esac
        "$drua" finish $plan.json 2>log || fail "turn $turn, $plan: finish after all: $(cat log)"
        "$drua" verify $plan.json 2>log || fail "turn $turn, $plan: $(cat log)"
        "$drua" status $plan.json | grep -q ", finished" || fail "turn $turn, $plan: $("$drua" status $plan.json)"
    done
done
