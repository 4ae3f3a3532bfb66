#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests existing outputs, truncated files, and processes that make or finish one output at once. Usage: outputs.sh
# DRUA [LIBRARY]. LIBRARY is fault/no_locks.c, on systems that can load it before the program.
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
refuse "out.zarr' already exists, .*--overwrite" process "gaussian_blur sigma_x=3" in.zarr ./out.zarr/ --anew
echo mine >file.zarr
refuse "'file.zarr' is a file, which no OME-Zarr replaces" process copy in.zarr file.zarr --overwrite
[ "$(sums out.zarr)" = "$first" ] || fail "an output that was kept has changed"
"$drua" process copy in.zarr slash.zarr// >/dev/null 2>log || fail "a path that ends in a slash: $(cat log)"
[ "$(ls -A slash.zarr)" = "$(ls -A in.zarr)" ] && [ ! -e slash.zarr.plan.json ] || fail "left: $(ls -A slash.zarr)"
"$drua" process "gaussian_blur sigma_x=3" in.zarr out.zarr --overwrite >/dev/null 2>log ||
    fail "--overwrite: $(cat log)"
[ "$(sums out.zarr)" != "$first" ] || fail "an output was not replaced"
[ ! -e out.zarr.old.writing ] || fail "the old output was left"

# upper and lower case of an extension are the same, for results and for inputs
for name in upper.TIF upper.Tiff upper.BTF upper.OME.TIF upper.ZARR upper.Ozx; do
    "$drua" process copy in.zarr $name >/dev/null 2>log || fail "output $name: $(cat log)"
    "$drua" process copy $name again.zarr --chunk 32,32,8 >/dev/null 2>log || fail "input $name: $(cat log)"
    [ "$(sums again.zarr/0)" = "$(sums in.zarr/0)" ] || fail "other pixels of $name"
    rm -r again.zarr
done
for name in upper.TIF upper.Tiff upper.BTF upper.OME.TIF; do
    [ "$(head -c 2 $name)" = II ] || fail "$name is no TIFF"
done
[ -d upper.ZARR ] && [ "$(head -c 2 upper.Ozx)" = PK ] || fail "other formats: $(ls -d upper*)"
"$drua" deconvolve image.tif psf.tif sharp.Zarr iterations=1 >/dev/null 2>log && [ -d sharp.Zarr ] ||
    fail "deconvolve sharp.Zarr: $(cat log)"
rm -r upper.* sharp.Zarr

# the input stays, however its path is spelled, also through folders that a run would create
for output in in.zarr ./in.zarr/../in.zarr new/../in.zarr in.zarr/ in.zarr/0 in.zarr/blurred.zarr .; do
    refuse "another output" process "gaussian_blur sigma_x=3" in.zarr "$output" --overwrite
    [ "$(sums in.zarr)" = "$before" ] || fail "the input has changed: $output"
done
refuse "another output" plan copy in.zarr other.zarr -o in.zarr/plan.json
[ "$(sums in.zarr)" = "$before" ] || fail "a plan was written into the input"

# a folder that a path only passes through is not made
mkdir through
cd through
"$drua" phantom . width=20 height=16 depth=4 >/dev/null 2>&1
names=$(ls)
for output in x/../y.zarr x/./w/.././../y.zarr x/../y.tif new/x/../y.zarr; do
    "$drua" process copy image.tif $output >/dev/null 2>log || fail "$output: $(cat log)"
    "$drua" plan copy image.tif $output.zarr -o x/../plan.json >/dev/null 2>log || fail "plan $output: $(cat log)"
    "$drua" run x/../plan.json >/dev/null 2>log || fail "run $output: $(cat log)"
    "$drua" finish x/../plan.json >/dev/null 2>log || fail "finish $output: $(cat log)"
    "$drua" deconvolve image.tif psf.tif "$output" iterations=1 --overwrite >/dev/null 2>log ||
        fail "deconvolve $output: $(cat log)"
    [ ! -e x ] && [ ! -e new/x ] && [ -e plan.json ] || fail "$output leaves $(ls . new)"
    rm -rf y* new plan* log
done
[ "$(ls)" = "$names" ] || fail "left: $(ls)"
cd ..

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
cp -r in.zarr late.zarr.old.writing # another process that finishes has set an image aside, and will move it back
"$drua" finish late.json || fail "a plan cannot be finished when its name is free"
[ "$(sums late.zarr.old.writing)" = "$before" ] || fail "an image that another process set aside was removed"
rm -r late.zarr.old.writing
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

# an unfinished image that is lost or damaged is not mistaken for the image that the plan replaces
for output in old.zarr old.tif; do
    for lost in "" /ome.writing /0/.zarray; do
        rm -rf old.*
        "$drua" process invert in.zarr $output >/dev/null 2>&1
        "$drua" plan copy in.zarr $output --overwrite -o old.json >/dev/null
        "$drua" run old.json 2>/dev/null
        unfinished=$(ls -d old.*.writing)
        rm -r "$unfinished$lost"
        for verified in "" --no-verify; do
            status=0
            # shellcheck disable=SC2086 # words
            "$drua" finish old.json $verified >log 2>&1 || status=$?
            [ $status = 1 ] || fail "$unfinished$lost is lost, and finish $verified ends with $status: $(cat log)"
        done
        "$drua" status old.json | grep -q ", finished" && fail "$unfinished$lost is lost, but the plan is finished"
        [ -z "$lost" ] || [ -e "$unfinished/0/0/0/0" ] || fail "$unfinished$lost is lost, and blocks are removed"
        [ -e $output ] || fail "$unfinished$lost is lost, and the existing output is gone"
    done
done
rm -rf old.*

# a run that writes while another process finishes the plan leaves a folder; the plan is finished nevertheless
for output in rest.zarr rest.tif; do
    "$drua" plan copy in.zarr $output -o rest.json >/dev/null
    "$drua" run rest.json 2>/dev/null
    unfinished=$(ls -d rest.*.writing)
    cp -r "$unfinished" kept.writing
    "$drua" finish rest.json 2>/dev/null
    mkdir -p "$unfinished/0/0/0"
    cp kept.writing/0/0/0/0 "$unfinished/0/0/0/0"
    "$drua" finish rest.json 2>log || fail "a folder that a late run left: $(cat log)"
    [ ! -e "$unfinished" ] || fail "a late run's folder stays"
    # the same after an interrupted process that has not written the TIFF yet
    rm -rf rest.* kept.writing
done
"$drua" plan copy in.zarr rest.tif -o rest.json >/dev/null
"$drua" run rest.json 2>/dev/null
cp -r rest.tif.zarr.writing rest.tif.zarr
mv rest.tif.zarr/ome.writing rest.tif.zarr/.zattrs
rm -r rest.tif.zarr.writing/ome.writing rest.tif.zarr.writing/0/.zarray
"$drua" finish rest.json 2>log || fail "a folder that a late run left before the TIFF: $(cat log)"
[ "$(ls -d rest.*)" = "$(printf 'rest.json\nrest.json.journal\nrest.tif')" ] || fail "left: $(ls -d rest.*)"
rm -rf rest.*

# a link whose target is missing may lead to a disk that is not mounted
mkdir links
for name in links/out.zarr links/out.tif links/plan.json; do
    ln -s /nowhere/disk $name
done
away() { # command...
    status=0
    "$drua" "$@" >/dev/null 2>log || status=$?
    [ $status = 75 ] && tail -n 1 log | grep -q "symbolic link in its path is broken" || fail "$*: $status, $(cat log)"
}
away process copy in.zarr links/out.zarr
away process copy in.zarr links/out.tif --overwrite
away plan copy in.zarr other.zarr -o links/plan.json
[ "$(ls links)" = "$(printf 'out.tif\nout.zarr\nplan.json')" ] && [ -L links/plan.json ] || fail "links: $(ls -l links)"

# a table and the chunks of a TIFF replace neither the plan nor the pipeline, and no link
mkdir tables
cat >tables/out.csv <<'EOF'
Ext.Drua_push(a);
Ext.CLIJ2_greaterConstant(a, b, 30);
Ext.CLIJ2_connectedComponentsLabelingBox(b, c);
Ext.CLIJ2_statisticsOfLabelledPixels(a, c);
Ext.Drua_pull(c);
EOF
cp tables/out.csv tables/labels.ijm
refuse "out.csv' would replace the pipeline" process tables/out.csv in.zarr tables/out.zarr --overwrite
cmp tables/out.csv tables/labels.ijm || fail "a pipeline was replaced"
ln -s out.csv tables/link.csv
refuse "link.csv' is a link" process tables/labels.ijm in.zarr tables/link.zarr --overwrite
refuse "plan.csv' lies in '.*plan.csv', which it makes" \
    plan tables/labels.ijm in.zarr tables/plan.zarr -o tables/plan.csv
for plan in out.tif.zarr out.tif.zarr.writing; do
    refuse "$plan' lies in '.*out.tif.zarr', which it makes" plan copy in.zarr tables/out.tif -o tables/$plan
done
[ "$(ls tables)" = "$(printf 'labels.ijm\nlink.csv\nout.csv')" ] || fail "left: $(ls tables)"

# names that cannot be finished are refused before anything is made
mkdir names
long=$(printf '%0201d' 0)
refuse "has more than 200 bytes" process copy in.zarr "names/$long.tif"
refuse "is not UTF-8" process copy in.zarr "$(printf 'names/a\377.zarr')"
[ -z "$(ls names)" ] || fail "left: $(ls names)"
"$drua" process copy in.zarr 'names/a\b.zarr' >/dev/null 2>&1 || fail "a name with a backslash"
[ "$(ls names)" = 'a\b.zarr' ] || fail "a backslash became a folder: $(ls names)"

# phantom makes no folder that the path only passes through
"$drua" phantom passed/../beads width=16 height=16 depth=8 >/dev/null 2>log || fail "$(cat log)"
[ -e beads/image.tif ] && [ ! -e passed ] || fail "a folder that the path only passes through was made"

# a device is not replaced by a plan
status=0
"$drua" plan copy in.zarr other.zarr -o /dev/null >/dev/null 2>log || status=$?
[ $status = 1 ] || fail "a plan was written to a device: $status"
[ -c /dev/null ] || fail "the device is gone"

# a TIFF truncated anywhere is not processed
bytes=$(wc -c <image.tif)
for part in 1 5 10 20 30 40 50 60 70 80 90 99; do
    head -c $((bytes * part / 100)) image.tif >cut.tif
    refuse "cut.tif' is \(truncated\|not a readable TIFF file\)" process copy cut.tif cut.zarr
    [ ! -e cut.zarr ] || fail "a truncated file gives an image"
done

# a file that takes the name of a table or a provenance file while blocks are made stays too
mkdir beside
"$drua" plan tables/labels.ijm image.tif beside/out.tif --provenance -o beside.json >/dev/null
"$drua" run beside.json 2>/dev/null
for taken in out.csv out.tif.json; do
    echo mine >beside/$taken
    refuse "$taken' already exists" finish beside.json
    [ "$(cat beside/$taken)" = mine ] || fail "$taken of others was changed"
    rm beside/$taken
done
"$drua" finish beside.json 2>log || fail "a plan cannot be finished when the names are free: $(cat log)"
[ "$(ls -A beside)" = "$(printf 'out.csv\nout.tif\nout.tif.json')" ] || fail "left: $(ls -A beside)"
echo mine >beside/out.csv
"$drua" finish beside.json 2>log || fail "a finished plan is finished again: $(cat log)"
[ "$(cat beside/out.csv)" = mine ] || fail "a finished plan changes its table"

# a plan may lie on another disk than its outputs
other=$(mktemp -d /dev/shm/drua-XXXXXX) || other=
if [ "$other" ] && [ "$(stat -c %d "$other")" != "$(stat -c %d .)" ]; then
    mkdir disks
    "$drua" plan tables/labels.ijm image.tif disks/out.tif --provenance -o "$other/plan.json" >/dev/null
    "$drua" run "$other/plan.json" 2>/dev/null
    "$drua" finish "$other/plan.json" 2>log || fail "a plan on another disk: $(cat log)"
    [ "$(ls -A disks)" = "$(printf 'out.csv\nout.tif\nout.tif.json')" ] || fail "left: $(ls -A disks)"
else
    leave_out "a plan on another disk, because /dev/shm is not a second disk"
fi
rm -rf "$other"

# a user without rights, who gets one sentence before anything is computed
mkdir rights rights/closed
chmod 777 rights
chmod 755 rights/closed .
cp image.tif psf.tif in.zarr rights -r
echo old >rights/kept.tif
chmod 444 rights/kept.tif
as_other="$drua"
if [ "$(id -u)" = 0 ]; then
    as_other="setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=$folder/rights DRUA_CACHE=off $drua"
else
    chmod 555 rights/closed
fi
refuse_other() { # part command...
    part=$1
    shift
    status=0
    $as_other "$@" >"$folder/log" 2>&1 || status=$?
    [ $status = 1 ] || fail "without rights: $* ends with $status: $(cat "$folder/log")"
    [ "$(wc -l <"$folder/log")" = 1 ] && grep -q "$part" "$folder/log" ||
        fail "without rights: $*: $(cat "$folder/log")"
}
if $as_other help >/dev/null 2>&1; then
    cd rights
    rights=$(ls -A . closed)
    refuse_other "write-protected" process copy image.tif kept.tif --overwrite
    refuse_other "write-protected" deconvolve image.tif psf.tif kept.tif iterations=1 --overwrite
    refuse_other "you may not write" deconvolve image.tif psf.tif closed/out.tif iterations=1
    refuse_other "Permission denied" deconvolve image.tif psf.tif closed/out.zarr iterations=1
    refuse_other "Permission denied" process copy image.tif closed/out.tif
    refuse_other "you may not write" plan copy image.tif out.tif -o closed/plan.json
    refuse_other "its folder" deconvolve image.tif psf.tif missing/out.tif iterations=1
    [ "$(ls -A . closed)" = "$rights" ] || fail "left: $(ls -A . closed)"
    cd ..
else
    leave_out "a user without rights, because this process cannot become another user"
fi

# two processes finish one plan: one image, no lost block; the second process gets a message or finds the work done
"$drua" plan "gaussian_blur sigma_x=1" in.zarr race/out.zarr --chunk 16,16,8 --block 16,16,8 -o race.json >/dev/null
"$drua" run race.json 2>/dev/null
"$drua" plan "gaussian_blur sigma_x=1" in.zarr race/out.tif -o race_tiff.json >/dev/null
"$drua" run race_tiff.json 2>/dev/null
cp -r race race.kept
cp -r race.json.journal race.journal.kept
cp -r race_tiff.json.journal race_tiff.journal.kept
race() { # plan, what to say
    rm -rf race $1.json.journal
    cp -r race.kept race
    cp -r $1.journal.kept $1.json.journal
    ended=
    for process in 1 2 3; do
        (
            end=0
            "$drua" finish $1.json 2>log.$process || end=$?
            echo $end >end.$process
        ) &
    done
    wait
    for process in 1 2 3; do
        ended="$ended $(cat end.$process)"
        [ "$(cat end.$process)" = 0 ] || tail -n 1 log.$process | grep -q "another process is finishing the plan" ||
            fail "$2: $(cat log.$process)"
    done
    case $ended in
    *1*) fail "$2: ends$ended" ;;
    *0*) ;;
    *) fail "$2: nobody finishes:$ended" ;;
    esac
    "$drua" finish $1.json 2>log || fail "$2: finish after all: $(cat log)"
    "$drua" verify $1.json 2>log || fail "$2: $(cat log)"
    "$drua" status $1.json | grep -q ", finished" || fail "$2: $("$drua" status $1.json)"
}
for turn in 1 2 3 4 5 6; do
    for plan in race race_tiff; do
        race $plan "turn $turn, $plan"
    done
done

# the same on a disk without locks, which fault/no_locks.c simulates
if [ "$2" ]; then
    for turn in 1 2 3 4 5 6; do
        for plan in race race_tiff; do
            LD_PRELOAD=$2
            export LD_PRELOAD
            race $plan "without locks, turn $turn, $plan"
            unset LD_PRELOAD
        done
    done
fi

# an image of two files: the other file is part of the input, too; and a table that a command of the pipeline reads
if command -v python3 >/dev/null; then
    mkdir parts
    python3 - <<'END'
import struct
ids = ["00000000-0000-0000-0000-00000000000%d" % i for i in range(2)]
xml = ('<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" UUID="urn:uuid:%s"><Image ID="Image:0"><Pixels '
       'ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="32" SizeY="24" SizeZ="1" SizeC="1" SizeT="2">'
       '<Channel ID="Channel:0:0" SamplesPerPixel="1"/>' + "".join(
           '<TiffData FirstT="%d" IFD="0" PlaneCount="1"><UUID FileName="%d.ome.tif">urn:uuid:%s</UUID></TiffData>' %
           (t, t, ids[t]) for t in range(2)) + '</Pixels></Image></OME>')
for t in range(2):
    text = (xml % ids[t]).encode() + b"\0"
    tags = [(256, 3, 1, 32), (257, 3, 1, 24), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (270, 2, len(text), 8),
            (273, 4, 1, 8 + len(text)), (278, 3, 1, 24), (279, 4, 1, 32 * 24)]
    pixels = bytes((x * 7 + y * 3 + t * 50) % 256 for y in range(24) for x in range(32))
    with open("parts/%d.ome.tif" % t, "wb") as f:
        f.write(struct.pack("<2sHI", b"II", 42, 8 + len(text) + len(pixels)) + text + pixels)
        f.write(struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in tags) + b"\0" * 4)
END
    printf 'Frame,Shift_X,Shift_Y,Shift_Z\n1,0,0,0\n2,1,0,0\n' >parts/labels.csv
    cat >moved.ijm <<'END'
Ext.Drua_push(image);
Ext.Drua_moveFrame(image, moved, "parts/labels.csv");
Ext.CLIJ2_thresholdOtsu(moved, mask);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_statisticsOfLabelledPixels(moved, labels);
Ext.CLIJ2_pull(labels);
Ext.CLIJ2_pull(moved);
END
    cp -p parts/0.ome.tif parts/psf.tif
    ln -s parts/1.ome.tif alias.tif
    before=$(sums parts)
    for output in parts/1.ome.tif parts/../parts/1.ome.tif alias.tif; do
        for in in parts/0.ome.tif parts/1.ome.tif; do
            refuse "use another output\|is a link" process copy $in $output --overwrite
            refuse "use another output" deconvolve $in parts/psf.tif $output iterations=1 --overwrite
        done
        refuse "use another output" process moved.ijm parts/0.ome.tif parts --overwrite
    done
    "$drua" process copy parts/0.ome.tif three.zarr >/dev/null 2>log || fail "an image of two files: $(cat log)"
    refuse "a file that the pipeline reads" process moved.ijm three.zarr parts --overwrite
    [ "$(sums parts)" = "$before" ] || fail "a file of the input was replaced: $(ls -l parts)"
    [ -h alias.tif ] || fail "a link to a file of the input was replaced"
else
    leave_out "an image of two files, because python3 is missing"
fi

# two processes that make one output: the second one waits, and then finds the output
blocks="--chunk 32,32,8 --block 32,32,8"
# shellcheck disable=SC2086
"$drua" process "gaussian_blur sigma_x=2" in.zarr alone.zarr $blocks >/dev/null 2>&1
for turn in 1 2 3 4; do
    for process in 1 2; do
        (
            end=0
            # shellcheck disable=SC2086
            "$drua" process "gaussian_blur sigma_x=2" in.zarr both.zarr $blocks >/dev/null 2>log.$process || end=$?
            echo $end >end.$process
        ) &
    done
    wait
    case $(cat end.1)$(cat end.2) in
    01) loser=2 ;;
    10) loser=1 ;;
    *) fail "turn $turn: ends $(cat end.1) and $(cat end.2): $(cat log.1 log.2)" ;;
    esac
    tail -n 1 log.$loser | grep -q "both.zarr' already exists" || fail "turn $turn: $(cat log.$loser)"
    [ "$(echo both*)" = both.zarr ] || fail "turn $turn, left: $(echo both*)"
    "$drua" process copy both.zarr both.tif >/dev/null 2>&1 && "$drua" process copy alone.zarr alone.tif >/dev/null 2>&1
    cmp both.tif alone.tif || fail "turn $turn: other pixels"
    rm -r both.zarr both.tif alone.tif
done
