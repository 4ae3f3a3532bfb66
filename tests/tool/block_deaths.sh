#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Kills processes at chosen moments, or fills the disk, while blocks, levels and passes are written: block_deaths.sh
# DRUA DEATHS. No result may be lost, only work in progress may be repeated, and the output must have the same bytes as
# with one process.
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"
deaths=$2

# Runs a command that is killed at that moment. $status receives the command's exit status.
dying() { # moment, number, how, command...
    death="$1 $2 $3"
    shift 3
    status=0
    # a separate shell, whose message about the signal goes to the log
    sh -c 'LD_PRELOAD=$0 DRUA_DEATH=$1; export LD_PRELOAD DRUA_DEATH; shift; exec "$@"' "$deaths" "$death" "$@" >log \
        2>&1 || status=$?
}

blur="gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1"
plan() { # name, option...
    name=$1
    shift
    rm -rf "$name" "$name.json.journal"
    "$drua" plan "$blur" in.zarr "$name/out.zarr" --chunk 32,32,32 --block 32,32,32 -o "$name.json" "$@" >/dev/null
}

blocks=20
"$drua" phantom . width=300 height=64 depth=32 background=20 >/dev/null 2>&1
"$drua" process copy image.tif in.zarr --chunk 32,32,32 >/dev/null 2>&1
"$drua" process "$blur" in.zarr whole/out.zarr --chunk 32,32,32 --block 32,32,32 >/dev/null 2>&1

# a process is killed while it writes a block: all blocks finished before are recorded
for drill in "written 1 kill" "written 8 crash" "renamed 3 kill" "renamed 20 crash" "recorded 5 kill" \
    "recorded 20 kill"; do
    plan part
    # shellcheck disable=SC2086 # three words
    dying $drill "$drua" run part.json
    [ $status -gt 128 ] || fail "$drill: the process ended with $status: $(cat log)"
    number=$(echo "$drill" | cut -d ' ' -f 2)
    [ "$(records part.json)" = $((number - 1)) ] || fail "$drill: $(records part.json) blocks are recorded"
    "$drua" run part.json 2>log
    grep -q "^$blocks of $blocks blocks" log || fail "$drill: $(cat log)"
    [ "$(records part.json)" = $blocks ] || fail "$drill: blocks were done again: $(records part.json)"
    "$drua" finish part.json
    "$drua" verify part.json
    [ "$(sums whole)" = "$(sums part)" ] || fail "$drill: other bytes"
done

# a process is killed at each moment of writing smaller levels, metadata and names, from the same start; the next
# process completes the work
finish_after_deaths() { # moment, step, minimum number of deaths
    number=1
    while :; do
        rm -rf part part.json.journal
        cp -r ready/* .
        dying "$1" $number kill "$drua" finish part.json
        [ $status -gt 128 ] || break
        [ $number -lt 200 ] || fail "finish never ends"
        "$drua" finish part.json 2>log || fail "finish after a death $1 $number: $(cat log)"
        "$drua" verify part.json 2>log || fail "verify after a death $1 $number: $(cat log)"
        "$drua" status part.json | grep -q "finished" || fail "after a death $1 $number: $("$drua" status part.json)"
        [ "$(sums "$expected")" = "$(sums part)" ] ||
            fail "other bytes after a death of finish, $1 $number: $(ls -a part)"
        number=$((number + $2))
    done
    [ $status = 0 ] && [ $number -gt "$3" ] || fail "finish after $number deaths $1: $status, $(cat log)"
}
get_ready() { # plan's name
    "$drua" run "$1.json" 2>/dev/null
    rm -rf ready
    mkdir ready
    cp -r "$1" "$1.json" "$1.json.journal" ready
}
plan part --overwrite
get_ready part
cp -r in.zarr ready/part/out.zarr # an existing output that will be replaced
expected=whole
finish_after_deaths written 1 6
finish_after_deaths renamed 1 6
finish_after_deaths removed 9 9
"$drua" process "$blur" in.zarr tiff/out.tif --chunk 32,32,32 --block 32,32,32 >/dev/null 2>&1
rm -rf part part.json.journal
"$drua" plan "$blur" in.zarr part/out.tif --chunk 32,32,32 --block 32,32,32 -o part.json >/dev/null
get_ready part
expected=tiff
finish_after_deaths renamed 1 2
finish_after_deaths removed 5 15
find part/* -name 'part*' | grep -q . && fail "files of a dead process were left"

# processes are killed when the TIFF lacks only its name: each removes the TIFF of the last one, and keeps other files
rm -rf part part.json.journal
cp -r ready/* .
echo mine >part/out.tif.mine.writing
for death in 1 2 3; do
    dying tiff 1 kill "$drua" finish part.json
    [ $status -gt 128 ] || fail "finish without its TIFF ends with $status: $(cat log)"
    [ "$(find part -name 'new.*' | wc -l)" = 1 ] || fail "death $death leaves $(find part -name 'new.*')"
done
"$drua" finish part.json 2>log || fail "finish after deaths before the name: $(cat log)"
[ "$(ls -A part)" = "$(printf 'out.tif\nout.tif.mine.writing')" ] || fail "left: $(ls -A part)"
cmp tiff/out.tif part/out.tif || fail "other bytes after deaths before the name"

# a process is killed while it writes a block's result of a shared pass: only that result is lost, whichever process
# continues
cat >pipeline.ijm <<'END'
Ext.Drua_push(a);
Ext.CLIJ2_thresholdOtsu(a, b);
Ext.CLIJ2_connectedComponentsLabelingBox(b, c);
Ext.CLIJ2_statisticsOfLabelledPixels(a, c);
Ext.Drua_pull(c);
END
memory=1MB
share() { # name, option...
    rm -rf "$1" "$1.json.journal"
    name=$1
    shift
    "$drua" plan pipeline.ijm in.zarr "$name/out.zarr" --chunk 32,32,32 --block 32,32,32 --memory $memory "$@" -o \
        "$name.json" >/dev/null 2>&1
}
end() { # name
    "$drua" run "$1.json" 2>/dev/null
    "$drua" finish "$1.json" 2>/dev/null
    "$drua" verify "$1.json" 2>/dev/null
}
# Runs pipeline.ijm alone, then with a process that is killed at each of these moments; the bytes must be the same.
die_in_passes() { # "moment number how"...
    share alone
    end alone
    for drill in "$@"; do
        share part --share
        # shellcheck disable=SC2086 # three words
        dying $drill "$drua" run part.json --array 0/2
        [ $status -gt 128 ] || fail "$drill, memory $memory: the process ended with $status: $(cat log)"
        end part
        [ "$(sums alone)" = "$(sums part)" ] || fail "$drill, memory $memory: other bytes"
    done
}
die_in_passes "found 3 kill" "found 7 crash" "found 20 kill" "found 40 crash" "found 60 kill" "written 3 kill"
share part --share
dying found 4 kill "$drua" run part.json --array 1/2
"$drua" status part.json | grep -q "^pass 1 of 5: 3 of 4 blocks measured" ||
    fail "the results of a dead process: $("$drua" status part.json)"

# the disk is full while blocks, and then levels, are written
cat >full.sh <<'TRY'
set -e
mount -t tmpfs -o size="$2" drua disk
cd disk
"$1" plan "$3" ../in.zarr full/out.zarr --chunk 32,32,32 --block 32,32,32 -o full.json >/dev/null
status=0
"$1" run full.json 2>../log || status=$?
[ "$status" = "$4" ] || { echo "a full disk: $status, $(cat ../log)" >&2; exit 1; }
if [ "$4" = 0 ]; then
    dd if=/dev/zero of=filler bs=1024 2>/dev/null || true
    status=0
    "$1" finish full.json 2>../log || status=$?
    [ $status = 1 ] || { echo "a full disk while levels are made: $status, $(cat ../log)" >&2; exit 1; }
    rm filler
fi
tail -n 1 ../log | grep -q "space" || { echo "a full disk says: $(cat ../log)" >&2; exit 1; }
mount -o remount,size=64m disk ../disk 2>/dev/null || mount -o remount,size=64m "$PWD"
"$1" run full.json 2>/dev/null
"$1" finish full.json
"$1" verify full.json
cp -r full "../full.$4"
TRY
cat >full_pass.sh <<'TRY'
set -e
mount -t tmpfs -o size=300k drua disk
cd disk
"$1" plan ../pipeline.ijm ../in.zarr full/out.zarr --chunk 32,32,32 --block 32,32,32 --memory 1MB --share \
    -o full.json >/dev/null
dd if=/dev/zero of=filler bs=1024 2>/dev/null || true
status=0
"$1" run full.json 2>../log || status=$?
[ "$status" = 1 ] && tail -n 1 ../log | grep -q "space" || {
    echo "a full disk in a pass: $status, $(cat ../log)" >&2
    exit 1
}
rm filler
mount -o remount,size=64m disk ../disk 2>/dev/null || mount -o remount,size=64m "$PWD"
"$1" run full.json 2>/dev/null
"$1" finish full.json 2>/dev/null
cp -r full ../full.pass
TRY
mkdir disk
if unshare -rm mount -t tmpfs drua disk 2>/dev/null; then
    for expected in 1 0; do
        size=1m
        [ $expected = 1 ] || size=8m
        rm -rf "full.$expected"
        unshare -rm sh full.sh "$drua" $size "$blur" $expected
        [ "$(sums whole)" = "$(sums "full.$expected")" ] || fail "other bytes after a full disk"
    done
    unshare -rm sh full_pass.sh "$drua"
    [ "$(sums alone)" = "$(sums full.pass)" ] || fail "other bytes after a full disk in a pass"
else
    leave_out "a full disk, because this test may not mount a small disk (unshare -rm)"
fi

# pipelines with a margin, and pixels from percentiles that passes measure: a process is killed in a pass, in a block,
# or while it writes to the journal, and the same command continues
cat >skeleton.ijm <<'END'
Ext.Drua_push(a);
Ext.CLIJ2_threshold(a, b, 60);
Ext.CLIJ2_skeletonize(b, c);
Ext.Drua_pull(c);
END
cat >attribute.ijm <<'END'
Ext.Drua_push(a);
Ext.Drua_attributeFilter(a, b, "opening", "area", 6, 26);
Ext.Drua_pull(b);
END
cat >percentiles.ijm <<'END'
Ext.Drua_push(a);
Ext.Drua_gaussianBlur(a, b, 1, 1, 0);
Ext.Drua_normalizePercentiles(b, c, 1, 99.8);
Ext.Drua_pull(c);
END
by_blocks="--chunk 32,32,32 --block 32,32,32 --margin 64"
for name in skeleton attribute percentiles; do
    mkdir $name
    # shellcheck disable=SC2086 # sizes are several words
    "$drua" process $name.ijm in.zarr $name/out.zarr $by_blocks >log 2>&1 || fail "$name: $(cat log)"
    for drill in written:4 recorded:6; do
        rm -rf part
        mkdir part
        # shellcheck disable=SC2086
        dying "${drill%:*}" "${drill#*:}" kill "$drua" process $name.ijm in.zarr part/out.zarr $by_blocks
        [ $status -gt 128 ] || fail "$name $drill: the process ended with $status: $(cat log)"
        [ ! -e part/out.zarr ] || fail "$name $drill: an unfinished image has its final name"
        # shellcheck disable=SC2086
        "$drua" process $name.ijm in.zarr part/out.zarr $by_blocks >log 2>&1 || fail "$name after $drill: $(cat log)"
        [ "$(sums $name)" = "$(sums part)" ] || fail "$name $drill: other bytes"
    done
done

cp percentiles.ijm pipeline.ijm
memory=5MB
die_in_passes "found 1 kill" "found 3 crash"
