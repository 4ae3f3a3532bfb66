#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests frames that blocks move by their rows of a table. One block, odd blocks, chosen frames, shared plans and killed
# processes must give the same bytes. Tables that changed or lack a frame are refused. Usage: block_frames.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

"$drua" phantom . width=60 height=48 depth=6 frames=3 channels=2 background=20 >/dev/null 2>&1
# rows in any order, with the columns of the table of estimateRegistration; frame 3 is also rotated
cat >shifts.csv <<'END'
Frame,XX,XY,Shift_X,YX,YY,Shift_Y,Shift_Z,Correlation
2,1,0,3,0,1,-2,1,0.9
1,1,0,0,0,1,0,0,0.9
3,0.96,-0.28,5.5,0.28,0.96,-7.25,-0.5,0.9
END
cat >pipeline.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.Drua_moveFrame(image, moved, "shifts.csv");
Ext.CLIJ2_thresholdOtsu(moved, mask);
Ext.CLIJ2_pull(moved);
Ext.CLIJ2_pull(mask);
END
chunks="--chunk 12,16,2 --compression none"

# shellcheck disable=SC2086 # sizes are several words
"$drua" process pipeline.ijm image.tif whole $chunks --block 60,48,6 >said 2>log || fail "one block: $(cat log)"
# shellcheck disable=SC2086
"$drua" process pipeline.ijm image.tif parts $chunks --block 24,16,2 >said 2>log || fail "odd blocks: $(cat log)"
[ "$(sums whole)" = "$(sums parts)" ] || fail "odd blocks: other bytes"

# Lists the chunks below a folder with their checksums.
chunks_of() {
    (cd "$1" && find . -type f -name '[0-9]*' | sort | xargs cksum)
}

# each frame has the pixels of its own command; an image of one frame has no axis of time
# shellcheck disable=SC2086
same_frame() { # frame, operation with its settings
    rm -rf one.zarr
    "$drua" process "$2" image.tif one.zarr $chunks --frames "$1" >said 2>log || fail "frame $1: $(cat log)"
    [ "$(chunks_of one.zarr/0)" = "$(chunks_of whole/moved.zarr/0/$(($1 - 1)))" ] || fail "frame $1 has other pixels"
}
same_frame 1 "copy"
same_frame 2 "translate translate_x=3 translate_y=-2 translate_z=1"
# affine_transform counts from the corner of the first pixel, half a pixel before its centre
same_frame 3 "affine_transform transform=matrix=0.96,-0.28,0,5.66,0.28,0.96,0,-7.37,0,0,1,-0.5"
same_frame 3 "move_frame path=shifts.csv"
same_frame 1 "move_frame path=shifts.csv frame=1"
# shellcheck disable=SC2086
"$drua" process pipeline.ijm image.tif some $chunks --frames 2-3 >said 2>log || fail "chosen frames: $(cat log)"
[ "$(chunks_of some/moved.zarr/0/0)" = "$(chunks_of whole/moved.zarr/0/1)" ] || fail "frame 2 alone has other pixels"

# shared by processes; killed and resumed
# shellcheck disable=SC2086
"$drua" plan pipeline.ijm image.tif shared $chunks --block 24,16,2 --share -o shared.json >said 2>log ||
    fail "share: $(cat log)"
run_and_finish_shared shared.json 2
[ "$(sums whole)" = "$(sums shared)" ] || fail "a shared plan gives other bytes"
# shellcheck disable=SC2086
kill_and_resume "0.2 0.5 0.9" pipeline.ijm image.tif killed $chunks --block 24,16,2
[ "$(sums whole)" = "$(sums killed)" ] || fail "a killed plan gives other bytes"

# a table that changed after the plan
# shellcheck disable=SC2086
"$drua" plan pipeline.ijm image.tif late $chunks -o late.json >said 2>log || fail "plan: $(cat log)"
sed -i 's/^3,0.96,-0.28,5.5/3,0.96,-0.28,5.75/' shifts.csv
status=0
"$drua" run late.json 2>log || status=$?
[ $status = 1 ] && grep -q "what its commands do has changed" log || fail "a changed table: $status, $(cat log)"

# tables that are refused
refuse() { # table, words
    status=0
    printf '%b' "$1" >shifts.csv
    "$drua" process pipeline.ijm image.tif refused >said 2>log || status=$?
    [ $status = 1 ] && grep -q "$2" log || fail "$1: $status, $(cat log)"
    [ ! -e refused ] || fail "$1: there is a result"
}
refuse 'Frame,Shift_X,Shift_Y\n1,0,0\n2,1,1\n' "shifts.csv has 0 rows for frame 3; it must have one row for each frame"
refuse 'Frame,Shift_X,Shift_Y\n1,0,0\n1,1,1\n' "shifts.csv has 2 rows for frame 1"
refuse 'Shift_X,Shift_Y\n1,0\n2,1\n' "0 rows for frame 3"
refuse 'Frame,x,y\n1,0,0\n' "has no columns Shift_X and Shift_Y"
refuse 'Frame,Shift_X,Shift_Y\n1,NaN,0\n' "row 1 of shifts.csv has 'NaN' as Shift_X"
refuse 'Frame,Shift_X,Shift_Y\n1,2\n' "row 1 of shifts.csv ends before all columns"
refuse 'Shift_X,Shift_Y,Twist_X\n1,2,0.001\n' "twists frame 1"
refuse 'Shift_X,Shift_Y,XX\n1,2,0\n' "shrinks frame 1 to a line or a point"
refuse 'Shift_X,Shift_Y\n1,2\n3,4\n5,6\n7,8\n' "has a row for frame 4, but the movie has 3 frames"
refuse '' "has no columns\|0 rows for frame 1"
