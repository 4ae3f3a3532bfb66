#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests failures while a pipeline runs by blocks: a damaged input chunk, a missing input, an interrupted finish, and
# records of other plans. Usage: block_drills.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

blur="gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1"
"$drua" phantom . width=300 height=64 depth=32 background=20 >/dev/null 2>&1
"$drua" process copy image.tif in.zarr --chunk 32,32,32 2>/dev/null >/dev/null
[ -s in.zarr/1/.zarray ] || fail "the input has no second level"
"$drua" process "$blur" in.zarr whole/out.zarr --chunk 32,32,32 --block 32,32,32 2>/dev/null >/dev/null

# a chunk of the input is damaged: all blocks that do not read the chunk are done, the error names it, and the remaining
# blocks are done after the repair
"$drua" plan "$blur" in.zarr poisoned/out.zarr --chunk 32,32,32 --block 32,32,32 -o poisoned.json >/dev/null
cp in.zarr/0/0/1/5 kept
printf 'no blosc data' >in.zarr/0/0/1/5
status=0
"$drua" run poisoned.json 2>log || status=$?
[ $status = 1 ] || fail "a damaged chunk ends with $status"
grep -q "^block [0-9]*: .*in.zarr/0/0/1/5', chunk 0, 1, 5, cannot be read: .* (6 of 20 blocks failed, 14 are done)" \
    log || fail "the sentence is: $(tail -n 1 log)"
cp kept in.zarr/0/0/1/5
"$drua" run poisoned.json 2>/dev/null
[ "$(records poisoned.json)" = 20 ] || fail "blocks were done again: $(records poisoned.json)"

# finish is killed twice while it writes smaller levels
for pause in 0.05 0.3; do
    "$drua" finish poisoned.json 2>/dev/null &
    sleep $pause
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
done
"$drua" finish poisoned.json
"$drua" verify poisoned.json
[ "$(sums whole)" = "$(sums poisoned)" ] || fail "other bytes after a damaged chunk and a killed finish"

# a truncated record, one with a wrong checksum, and a block done by two processes
"$drua" plan "$blur" in.zarr torn/out.zarr --chunk 32,32,32 --block 32,32,32 -o torn.json >/dev/null
"$drua" run torn.json --blocks 0:10 2>/dev/null
"$drua" run torn.json --blocks 8:12 2>/dev/null
first=$(find torn.json.journal -name '*.blocks' | sort | head -n 1)
printf 'xxxx' | dd of="$first" bs=1 seek=100 conv=notrunc 2>/dev/null
printf 'cut off' >>"$first"
"$drua" status torn.json | grep -q "^11 of 20" || fail "a wrong record counts: $("$drua" status torn.json)"
"$drua" run torn.json 2>/dev/null
"$drua" finish torn.json && "$drua" verify torn.json
[ "$(sums whole)" = "$(sums torn)" ] || fail "other bytes after a torn record"

# one error message, and existing files stay
refuse() { # part command...
    part=$1
    shift
    status=0
    "$drua" "$@" >/dev/null 2>log || status=$?
    [ $status = 1 ] || fail "$* ends with $status: $(cat log)"
    tail -n 1 log | grep -q "$part" || fail "$*: $(cat log)"
}
plan() { # name, output, option...
    name=$1
    out=$2
    shift 2
    "$drua" plan "$blur" in.zarr "$out" --chunk 32,32,32 --block 32,32,32 -o "$name.json" "$@" >/dev/null 2>log
}

# another plan for the same output does not reuse the first plan's blocks unless asked to; the first plan then refuses
# to finish with missing blocks
plan one shared/out.zarr
"$drua" run one.json --blocks 0:5 2>/dev/null
plan two shared/out.zarr && fail "a second plan took the output"
grep -q "shared/out.zarr.writing' has blocks of another plan" log || fail "a second plan of the output says: $(cat log)"
[ ! -e two.json ] || fail "the second plan was written"
"$drua" run one.json 2>/dev/null
plan two shared/out.zarr --anew || fail "a second plan with --anew: $(cat log)"
"$drua" run two.json --blocks 0:5 2>/dev/null
refuse "the files of 15 blocks have changed since they were written\. .*; run the plan again" finish --no-verify one.json
[ ! -e shared/out.zarr ] || fail "an image with holes has its final name"
"$drua" run one.json 2>/dev/null
"$drua" finish one.json 2>/dev/null
[ "$(sums whole)" = "$(sums shared)" ] || fail "other bytes after two plans of one output"

# if replanning fails, the previous plan is kept
before=$("$drua" status one.json)
refuse "must be a multiple of 32" plan "$blur" in.zarr shared/out.zarr --chunk 32,32,32 --block 20,32,32 --anew -o \
    one.json
refuse "neither a file of commands nor an operation" plan "gaussian_blurr sigma_x=1" in.zarr shared/out.zarr --anew \
    -o one.json
[ "$("$drua" status one.json)" = "$before" ] || fail "blocks were discarded: $("$drua" status one.json), $before before"

# damage is found before the image gets its final name, and reported afterwards, too
plan damage damaged/out.zarr
"$drua" run damage.json 2>/dev/null
printf x | dd of=damaged/out.zarr.writing/0/0/1/1 bs=1 seek=20 conv=notrunc 2>/dev/null
refuse "the files of 1 blocks have changed since they were written\. .*; run the plan again" finish damage.json
"$drua" run damage.json 2>/dev/null
"$drua" finish damage.json 2>/dev/null
[ "$(sums whole)" = "$(sums damaged)" ] || fail "other bytes after damage that finish has found"
printf x | dd of=damaged/out.zarr/0/0/1/1 bs=1 seek=20 conv=notrunc 2>/dev/null
refuse "the files of 1 blocks have changed since they were written\. .*; the output already has its final name, so make" \
    verify damage.json
"$drua" status damage.json | grep -q "^20 of 20 blocks done, finished" ||
    fail "damage that no run can mend: $("$drua" status damage.json)"

# the finished output was deleted
rm -r damaged/out.zarr
refuse "is missing or incomplete, both as a finished and as an unfinished image; make the plan again" finish damage.json
plan tiff damaged/out.tif
"$drua" run tiff.json 2>/dev/null
"$drua" finish tiff.json 2>/dev/null
"$drua" finish tiff.json 2>/dev/null || fail "a TIFF cannot be finished twice"
rm damaged/out.tif
refuse "is missing or incomplete, both as a finished and as an unfinished image; make the plan again" finish tiff.json

# finish repairs missing or truncated metadata of groups, which no block reads
cat >labels.ijm <<'EOF'
Ext.Drua_push(a);
Ext.CLIJ2_thresholdOtsu(a, b);
Ext.CLIJ2_connectedComponentsLabelingBox(b, c);
Ext.Drua_gaussianBlur(a, d, 1, 1, 0);
Ext.Drua_pull(d);
Ext.Drua_pull(c);
EOF
for lost in .zgroup labels/.zgroup labels/.zattrs labels/c.writing/.zgroup; do
    for how in gone cut; do
        rm -rf groups.zarr groups.json groups.json.journal
        "$drua" plan labels.ijm in.zarr groups.zarr --chunk 32,32,32 -o groups.json >/dev/null 2>&1
        "$drua" run groups.json 2>log || fail "groups: $(cat log)"
        cp groups.zarr.writing/$lost lost
        rm groups.zarr.writing/$lost
        [ $how = gone ] || head -c 5 lost >groups.zarr.writing/$lost
        "$drua" finish groups.json 2>log || fail "$lost $how: $(cat log)"
        cmp lost "groups.zarr/$(echo $lost | sed 's/[.]writing//')" || fail "$lost, which was $how, is not repaired"
    done
done
rm -rf groups.zarr groups.json groups.json.journal
for lost in .zattrs 0/.zarray; do
    for how in gone cut; do
        rm -rf hurt.zarr hurt.json hurt.json.journal hurt.out.zarr*
        cp -r in.zarr hurt.zarr
        "$drua" plan "$blur" hurt.zarr hurt.out.zarr --chunk 32,32,32 -o hurt.json >/dev/null
        rm hurt.zarr/$lost
        [ $how = gone ] || head -c 5 in.zarr/$lost >hurt.zarr/$lost
        for step in run finish; do
            status=0
            "$drua" $step hurt.json 2>log || status=$?
            [ $status = 75 ] || fail "$step, $lost of the input is $how: $status, $(cat log)"
        done
        grep -q "blocks are not done" log || fail "finish, $lost of the input is $how: $(cat log)"
        cp in.zarr/$lost hurt.zarr/$lost
        "$drua" run hurt.json 2>log || fail "run after $lost is back: $(cat log)"
        rm hurt.zarr/$lost
        status=0
        "$drua" finish hurt.json 2>log || status=$?
        [ $status = 75 ] && grep -q "cannot be read as when its plan was made: .* Restore the input" log ||
            fail "finish, $lost of the input is gone: $status, $(cat log)"
        cp in.zarr/$lost hurt.zarr/$lost
        "$drua" finish hurt.json 2>log || fail "finish after $lost is back: $(cat log)"
    done
done
rm -rf hurt.*

# the input disappears
"$drua" plan "$blur" in.zarr gone.zarr --chunk 32,32,32 --block 32,32,32 -o gone.json >/dev/null
mv in.zarr away.zarr
status=0
"$drua" run gone.json 2>log || status=$?
[ $status = 75 ] && [ "$(wc -l <log)" = 1 ] && grep -q "the input 'in.zarr' of the plan is missing" log ||
    fail "a vanished input: $status, $(cat log)"
mv away.zarr in.zarr

# the output disappears
rm -r gone.zarr.writing
status=0
"$drua" run gone.json 2>log || status=$?
[ $status = 1 ] && grep -q "start again" log || fail "a vanished output: $status, $(cat log)"
