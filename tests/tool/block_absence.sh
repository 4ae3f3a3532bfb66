#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks that missing or changed input never counts as data: block_absence.sh DRUA DEATHS. The input changes, or
# disappears at chosen moments. DEATHS is the library of tests/fault/deaths.c, which renames the input.
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"
deaths=$2

blur="gaussian_blur sigma_x=2 sigma_y=2 sigma_z=1"
blocks="--chunk 32,32,32 --block 32,32,32"
cat >passes.ijm <<'EOF'
Ext.Drua_push(a);
Ext.CLIJ2_thresholdOtsu(a, b);
Ext.CLIJ2_connectedComponentsLabelingBox(b, c);
Ext.CLIJ2_statisticsOfLabelledPixels(a, c);
Ext.Drua_pull(c);
EOF

# ---- one image in all formats

"$drua" phantom . width=320 height=64 depth=32 background=20 >/dev/null 2>&1
mv image.tif in.tif
"$drua" process copy in.tif two.zarr --chunk 32,32,32 >/dev/null 2>&1
"$drua" process copy in.tif three.zarr --chunk 32,32,32 --zarr 0.5 >/dev/null 2>&1
"$drua" process copy in.tif shards.zarr --chunk 16,16,16 --shard 32,32,32 --zarr 0.5 >/dev/null 2>&1
"$drua" process convert_uint8 in.tif bytes.zarr --chunk 32,32,32 --compression none >/dev/null 2>&1

# N5 is big-endian and lists x first; its blocks have a header before the pixels
mkdir -p five.n5
echo '{"dimensions":[320,64,32],"blockSize":[32,32,32],"dataType":"uint8","compression":{"type":"raw"}}' \
    >five.n5/attributes.json
for y in 0 1; do for x in 0 1 2 3 4 5 6 7 8 9; do
    mkdir -p five.n5/$x/$y
    { printf '\000\000\000\003\000\000\000\040\000\000\000\040\000\000\000\040'; cat bytes.zarr/0/0/$y/$x; } \
        >five.n5/$x/$y/0
done; done

# sparse: two chunks were never written; they read as empty before and after the input disappears
cp -r two.zarr sparse.zarr
rm sparse.zarr/0/0/0/1 sparse.zarr/0/0/1/3

# ---- the input disappears

# Runs a command; the input disappears at the given moment while it runs, if the moment comes. $status receives the
# command's exit status.
leaving_or_not() { # input, moment, number, command...
    input=$1 death="$2 $3 ${how:-away}"
    shift 3
    status=0
    sh -c 'LD_PRELOAD=$0 DRUA_DEATH=$1 DRUA_INPUT=$2; export LD_PRELOAD DRUA_DEATH DRUA_INPUT; shift 2; exec "$@"' \
        "$deaths" "$death" "$input" "$@" \
        >log 2>&1 || status=$?
}
leaving() { # input, moment, number, command...
    leaving_or_not "$@"
    [ -e "$input.away" ] || fail "$input did not disappear at $death: $(cat log)"
}
left() { # what
    [ $status = 75 ] || fail "$1: the input disappeared at $death, and the command ends with $status: $(cat log)"
    [ "$(grep -c "cannot be read\|disappeared\|is missing\|is not there\|does not exist" log)" = 1 ] ||
        fail "$1, $death: $(cat log)"
    rm -rf "$input" # running blocks may have written to the missing path
    mv "$input.away" "$input"
}

# Random moments, reproducible from the number that a failure prints.
seed=${DRUA_SEED:-$(date +%s)}
some() { # from, to
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    echo $(($1 + seed / 65536 % ($2 - $1 + 1)))
}

for input in two.zarr three.zarr shards.zarr five.n5 sparse.zarr in.tif; do
    # shellcheck disable=SC2086 # words
    "$drua" process "$blur" $input whole/out.zarr $blocks >/dev/null 2>&1
    case $input in
        in.tif) moments="written:1" ;; # the file is opened once, and checked after each block
        two.zarr) moments="read:$(some 9 22) read:$(some 9 22) written:1" ;;
        *) moments="read:$(some 9 22)" ;;
    esac
    for moment in $moments; do
        rm -rf part part.json part.json.journal
        # shellcheck disable=SC2086 # words
        "$drua" plan "$blur" $input part/out.zarr $blocks -o part.json >/dev/null
        leaving $input ${moment%:*} ${moment#*:} "$drua" run part.json
        left $input
        "$drua" run part.json 2>log || fail "$input, $moment, is back: $(cat log)"
        "$drua" finish part.json 2>log || fail "$input, $moment, is back, finish: $(cat log)"
        [ "$(sums whole)" = "$(sums part)" ] || fail "$input, $moment: other bytes"
    done
    rm -r whole
done

# ---- the input disappears during passes of several processes or one; then the labels that a pass has written disappear

passes="two.zarr part/out.zarr $blocks --memory 1MB -o part.json"
# shellcheck disable=SC2086 # words
"$drua" process passes.ijm two.zarr whole/out.zarr $blocks --memory 1MB >/dev/null 2>&1
ends_alike() { # what
    "$drua" run part.json >log 2>&1 || fail "$1, run: $(cat log)"
    "$drua" finish part.json >log 2>&1 || fail "$1, finish: $(cat log)"
    [ "$(sums whole)" = "$(sums part)" ] || fail "$1: other bytes"
}
for number in $(some 9 22) $(some 9 22); do
    rm -rf part part.json part.json.journal
    # shellcheck disable=SC2086 # words
    "$drua" plan passes.ijm $passes --share >/dev/null 2>&1
    leaving two.zarr read "$number" "$drua" run part.json
    left "passes, read $number"
    ends_alike "passes, read $number"
done
rm -rf part part.json part.json.journal
# shellcheck disable=SC2086 # words
leaving two.zarr read "$(some 16 26)" "$drua" plan passes.ijm $passes
left "passes of a plan"
# shellcheck disable=SC2086 # words
"$drua" plan passes.ijm $passes >log 2>&1 || fail "passes of a plan, is back: $(cat log)"
leaving part.json.journal/labels0.0/local.zarr.writing read "$(some 6 20)" "$drua" run part.json
left "labels of a pass"
ends_alike "labels of a pass"

# the labels disappear while a pass writes them, or before a run: a block whose files are missing does not count as done
labels=part.json.journal/labels0.0
for gone in $labels/local.zarr.writing/0 $labels/local.zarr.writing $labels; do
    rm -rf part part.json part.json.journal
    # shellcheck disable=SC2086 # words
    leaving $gone written "$(some 3 12)" "$drua" plan passes.ijm $passes
    left "labels that a pass writes"
    # shellcheck disable=SC2086 # words
    "$drua" plan passes.ijm $passes >log 2>&1 || fail "labels that a pass writes, are back: $(cat log)"
    mv $gone away
    status=0
    "$drua" run part.json >log 2>&1 || status=$?
    [ $status = 75 ] && grep -q "plan's labels in '$labels.* are missing" log ||
        fail "$gone is missing before a run: $status, $(cat log)"
    mv away $gone
    ends_alike "$gone"
done

# the labels of an interrupted pass are missing: the other results of the pass are kept
rm -rf part part.json part.json.journal
# shellcheck disable=SC2086 # words
sh -c 'LD_PRELOAD=$0 DRUA_DEATH="written 9 kill"; export LD_PRELOAD DRUA_DEATH; exec "$@"' \
    "$deaths" "$drua" plan passes.ijm $passes >log 2>&1 && fail "a plan was not killed"
[ -e $labels/local.zarr.writing/0/.zarray ] || fail "the plan was killed before its labels: $(ls -R part.json.journal)"
mv $labels/local.zarr.writing/0 kept
before=$(cd $labels && ls -R)
status=0
# shellcheck disable=SC2086 # words
"$drua" plan passes.ijm $passes >log 2>&1 || status=$?
[ $status = 75 ] && grep -q "labels that .* wrote to '$labels/local.zarr' are missing or cannot be read" log ||
    fail "labels of an interrupted pass are missing: $status, $(cat log)"
[ "$(cd $labels && ls -R)" = "$before" ] || fail "results of an interrupted pass were removed"
mv kept $labels/local.zarr.writing/0
# shellcheck disable=SC2086 # words
"$drua" plan passes.ijm $passes >log 2>&1 || fail "labels of an interrupted pass are back: $(cat log)"
ends_alike "labels of an interrupted pass"

# ---- another file of the same extent replaces the image that is deconvolved

mkdir small small/other
"$drua" phantom small width=24 height=20 depth=8 frames=2 background=20 >/dev/null 2>&1
"$drua" phantom small/other width=24 height=20 depth=8 frames=2 background=30 >/dev/null 2>&1
for number in 1 2 3 4; do
    rm -f swap.tif* small/out.tif
    cp small/image.tif swap.tif
    cp small/other/image.tif swap.tif.other
    how=swap leaving swap.tif read $number "$drua" deconvolve swap.tif small/psf.tif small/out.tif iterations=1
    [ $status = 1 ] && grep -q "has changed since it was opened" log || fail "swap, read $number: $status, $(cat log)"
    [ $number = 4 ] || [ ! -e small/out.tif ] || fail "swap, read $number: a mixture of both files has its final name"
done

# ---- a point spread function, a table and a flat field disappear before and while a plan runs

small="--chunk 8,20,8 --block 8,20,8"
# shellcheck disable=SC2086 # words
"$drua" process copy small/image.tif small.zarr $small >/dev/null 2>&1
# shellcheck disable=SC2086 # words
"$drua" process "multiply_image_and_scalar scalar=2" small.zarr flat.zarr $small >/dev/null 2>&1
"$drua" process copy small/psf.tif psf.zarr --chunk 8,8,8 >/dev/null 2>&1
rm psf.zarr/0/0/0/0 # an empty chunk
cp small/psf.tif psf.tif
printf 'Frame,Shift_X,Shift_Y,Shift_Z\n1,0,0,0\n2,1.5,-0.25,0\n' >shifts.csv
cat >flat.ijm <<'EOF'
Ext.CLIJ2_push(image);
Ext.CLIJ2_divideImages(image, flat, ratio);
Ext.CLIJ2_pull(ratio);
EOF
leaving_run() { # file, numbers of reads in run (0: before run), pipeline, options
    file=$1 numbers=$2
    shift 2
    rm -rf whole part part.json part.json.journal
    # shellcheck disable=SC2086 # words
    "$drua" process "$1" small.zarr whole/out.zarr $small $2 >log 2>&1 || fail "$1: $(cat log)"
    for number in $numbers; do
        rm -rf part part.json part.json.journal
        # shellcheck disable=SC2086 # words
        "$drua" plan "$1" small.zarr part/out.zarr $small $2 -o part.json >log 2>&1 || fail "$1: $(cat log)"
        if [ "$number" = 0 ]; then
            input=$file death="before run" status=0
            mv "$file" "$file.away"
            "$drua" run part.json >log 2>&1 || status=$?
        else
            leaving "$file" read "$number" "$drua" run part.json
        fi
        left "$file"
        ends_alike "$file, $death"
    done
}
leaving_run psf.tif "0 2 4" "deconvolve psf=psf.tif iterations=2" ""
leaving_run psf.zarr "$(some 1 6)" "deconvolve psf=psf.zarr iterations=2" ""
leaving_run shifts.csv "0 2" "move_frame path=shifts.csv" ""
leaving_run flat.zarr "$(some 1 9)" flat.ijm "--input flat=flat.zarr"
status=0
"$drua" process "move_frame path=none.csv" small.zarr none.zarr >log 2>&1 || status=$?
[ $status = 1 ] && grep -q "none.csv does not exist; check the path" log || fail "a wrong name: $status, $(cat log)"

# if the input disappears while the plan is made, no plan with a wrong record of the input is left
for gone in small.zarr in.tif; do
    rm -rf whole part
    numbers="1 2 3 4"
    [ $gone = in.tif ] || numbers="$(some 6 9) $(some 10 16)" # earlier, the folder would not have been seen at all
    # shellcheck disable=SC2086 # words
    "$drua" process copy $gone whole/out.zarr $small >/dev/null 2>&1
    for number in $numbers; do
        rm -rf part part.json part.json.journal
        # shellcheck disable=SC2086 # words
        how=away leaving_or_not $gone read $number "$drua" plan copy $gone part/out.zarr $small -o part.json
        [ $status = 0 ] || left "$gone while a plan is made"
        [ ! -e $gone.away ] || mv $gone.away $gone
        # shellcheck disable=SC2086 # words
        "$drua" plan copy $gone part/out.zarr $small -o part.json >log 2>&1 || fail "$gone is back, plan: $(cat log)"
        ends_alike "$gone while a plan is made, read $number"
    done
done

# the plate disappears between its fields
mkdir -p plate.zarr/A/1
echo '{"zarr_format":2}' | tee plate.zarr/.zgroup plate.zarr/A/.zgroup >plate.zarr/A/1/.zgroup
echo '{"plate":{"version":"0.4","rows":[{"name":"A"}],"columns":[{"name":"1"}],"wells":[{"path":"A/1","rowIndex":0,
"columnIndex":0}]}}' >plate.zarr/.zattrs
echo '{"well":{"version":"0.4","images":[{"path":"0"},{"path":"1"}]}}' >plate.zarr/A/1/.zattrs
cp -r small.zarr plate.zarr/A/1/0
cp -r small.zarr plate.zarr/A/1/1
rm -rf whole part
# shellcheck disable=SC2086 # words
"$drua" process copy plate.zarr whole/plate.zarr $small >log 2>&1 || fail "plate: $(cat log)"
for number in $(some 9 20) $(some 21 42); do
    rm -rf part
    # shellcheck disable=SC2086 # words
    leaving plate.zarr read $number "$drua" process copy plate.zarr part/plate.zarr $small
    left "plate"
    # shellcheck disable=SC2086 # words
    "$drua" process copy plate.zarr part/plate.zarr $small >log 2>&1 || fail "the plate is back: $(cat log)"
    [ "$(sums whole)" = "$(sums part)" ] || fail "plate, read $number: other bytes"
done

# ---- the output or the plan's journal disappears: the run stops and keeps the finished blocks

for gone in part.json.journal part/out.zarr.writing; do
    rm -rf part part.json part.json.journal
    # shellcheck disable=SC2086 # words
    "$drua" plan "$blur" two.zarr part/out.zarr $blocks -o part.json >/dev/null
    leaving $gone written "$(some 3 9)" "$drua" run part.json
    [ $status = 75 ] && tail -n 1 log | grep -Eq "ha(s|ve) disappeared since" ||
        fail "$gone, $death: $status, $(cat log)"
    rm -rf $gone # running blocks may have written to the missing path
    mv $gone.away $gone
    "$drua" process "$blur" two.zarr alike/out.zarr --chunk 32,32,32 --block 32,32,32 --anew >/dev/null 2>&1
    "$drua" run part.json >log 2>&1 || fail "$gone is back: $(cat log)"
    "$drua" finish part.json >log 2>&1 || fail "$gone is back, finish: $(cat log)"
    [ "$(sums alike)" = "$(sums part)" ] || fail "$gone, $death: other bytes"
    rm -r alike
done

# the table of a pass, or the plan's journal, is missing while the plan is finished
for output in out.zarr out.tif; do
    for gone in part.json.journal/table0.0.csv part.json.journal; do
        rm -rf part part.json part.json.journal whole_table
        # shellcheck disable=SC2086 # words
        "$drua" process passes.ijm two.zarr whole_table/$output $blocks >/dev/null 2>&1
        # shellcheck disable=SC2086 # words
        "$drua" plan passes.ijm two.zarr part/$output $blocks -o part.json >/dev/null 2>&1
        "$drua" run part.json >/dev/null 2>&1
        if [ $gone = part.json.journal ]; then
            leaving $gone written 1 "$drua" finish part.json
        else
            mv $gone $gone.away
            for damage in "head -c -9" "sed 5s/1/2/" "head -n 3"; do
                $damage $gone.away >$gone
                cmp -s $gone $gone.away && fail "$damage changes nothing"
                status=0
                "$drua" finish part.json >log 2>&1 || status=$?
                [ $status = 75 ] && tail -n 1 log | grep -q "table.* is truncated or damaged" ||
                    fail "$gone after $damage, finish: $status, $(cat log)"
            done
            rm $gone
            status=0
            "$drua" finish part.json >log 2>&1 || status=$?
        fi
        [ $status = 75 ] && tail -n 1 log | grep -q "table.* is missing\|journal.* no longer exists" ||
            fail "$gone is missing, finish: $status, $(cat log)"
        "$drua" status part.json 2>&1 | grep -q ", finished" && fail "$gone is missing, but the plan is finished"
        rm -rf $gone
        mv $gone.away $gone
        "$drua" finish part.json >log 2>&1 || fail "$gone is back, finish: $(cat log)"
        "$drua" status part.json | grep -q ", finished" || fail "$gone is back, but the plan is not finished"
        [ "$(sums whole_table)" = "$(sums part)" ] || fail "$gone, $output: other bytes"
    done
done

# a missing chunk of labels beside existing ones is damage, not an empty chunk
rm -rf part part.json part.json.journal
# shellcheck disable=SC2086 # words
"$drua" plan passes.ijm $passes >/dev/null 2>&1
rm part.json.journal/labels0.0/local.zarr.writing/0/0/0/1
status=0
"$drua" run part.json >log 2>&1 || status=$?
[ $status = 1 ] && tail -n 1 log |
    grep -q "local.zarr.writing/0/0/0/1', chunk 0, 0, 1, cannot be read: the file is missing" ||
    fail "a missing chunk of labels: $status, $(cat log)"
rm -r whole

# ---- an input that changes

cp -pr two.zarr in.zarr
# shellcheck disable=SC2086 # words
"$drua" process "$blur" in.zarr whole/out.zarr $blocks >/dev/null 2>&1
begin() {
    rm -rf part part.json part.json.journal
    # shellcheck disable=SC2086 # words
    "$drua" plan "$blur" in.zarr part/out.zarr $blocks -o part.json >/dev/null
}
refused() { # status, part of the sentence, command...
    due=$1 part=$2
    shift 2
    status=0
    "$drua" "$@" >log 2>&1 || status=$?
    [ $status = "$due" ] && tail -n 1 log | grep -q "$part" || fail "$*, $part: $status, $(cat log)"
}
restore() { rm -r in.zarr && cp -pr two.zarr in.zarr; }
chunk=in.zarr/0/0/1/4

begin # another chunk in its place, before a block reads it
cp in.zarr/0/0/0/1 $chunk
refused 1 "the input '$chunk' has changed since the plan was made" run part.json
restore
ends_alike "a chunk that changed"

begin # a missing chunk
mv $chunk kept
refused 1 "the input '$chunk' has changed since the plan was made" run part.json
cp kept $chunk # no block has read the wrong chunk, so the run can continue
ends_alike "a chunk that was missing"
restore

begin # a dangling link
rm $chunk
ln -s /nowhere/chunk $chunk
refused 75 "$chunk', chunk 0, 1, 4, cannot be read: .*a symbolic link in its path is broken" run part.json
restore
ends_alike "a link to nothing"

begin # the chunk changes after blocks have read it
"$drua" run part.json --array 0/2 >/dev/null 2>&1
cp in.zarr/0/0/0/1 $chunk
refused 1 "the input '$chunk' has changed since finished blocks read it" run part.json --array 0/2
refused 1 "the input '$chunk' has changed since finished blocks read it" run part.json
restore
"$drua" run part.json >/dev/null 2>&1
rm $chunk
refused 1 "the input '$chunk' has changed since finished blocks read it" finish part.json
[ ! -e part/out.zarr ] || fail "a mixture of both inputs has its final name"
restore
ends_alike "a chunk that changed after blocks read it"

begin # the metadata change
sed -i 's/"fill_value":0/"fill_value":1/' in.zarr/0/.zarray
refused 1 "its input has changed since" run part.json
restore

# between passes and blocks
rm -rf part part.json part.json.journal
# shellcheck disable=SC2086 # words
"$drua" plan passes.ijm in.zarr part/out.zarr $blocks -o part.json >/dev/null 2>&1
cp in.zarr/0/0/0/1 $chunk
refused 1 "the input '$chunk' has changed since finished blocks read it" run part.json
# shellcheck disable=SC2086 # words
"$drua" plan passes.ijm in.zarr part/out.zarr $blocks --anew -o part.json >log 2>&1 || fail "anew: $(cat log)"
"$drua" run part.json >log 2>&1 || fail "run anew: $(cat log)"
