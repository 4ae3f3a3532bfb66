#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests pipelines by blocks on the command line: parts, a killed process, damage, another plan, and refused calls.
# Usage: blocks.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

"$drua" phantom . width=96 height=80 depth=48 background=20 >/dev/null
cat >pipeline.ijm <<'END'
image = getTitle();
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_push(image);
Ext.CLIJ2_gaussianBlur3D(image, blurred, 2, 2, 1);
Ext.CLIJ2_threshold(blurred, mask, 60);
Ext.CLIJ2_pull(blurred);
Ext.CLIJ2_pull(mask);
END

# in one command
"$drua" process pipeline.ijm image.tif whole --chunk 16,16,16 --block 32,32,16 >said 2>log || fail "process: $(cat log)"
grep -q "blocks  27 of 32 x 32 x 16, read with" said || fail "the plan does not list its blocks: $(cat said)"
grep -q "memory  device" said || fail "the plan does not list its memory: $(cat said)"

# a plan for another computer's device with more memory uses this device's limit, and says so
"$drua" plan "gaussian_blur sigma_x=1" image.tif other/out.zarr -o other.json --memory 100TB >said
grep -q "memory  device .* of 80000000.0, " said && grep -q "for a device with 100000000.0 MB" said ||
    fail "a plan for another device: $(cat said)"
"$drua" run other.json >/dev/null 2>&1 && "$drua" finish other.json >/dev/null 2>&1 ||
    fail "a plan for another device does not run here"
rm -r other other.json other.json.journal
grep -q "27 of 27 blocks, .* MB/s, slowest step: [a-z]" log || fail "no progress: $(cat log)"
[ -s whole/blurred.zarr/.zattrs ] && [ -s whole/mask.zarr/.zattrs ] || fail "an output is missing"
[ ! -e whole.plan.json ] && [ ! -e whole.plan.json.journal ] || fail "the plan was left"

# the same macro with byte order marks; a macro with NUL bytes is refused
mark() { # name, mark in octal, text before and after each byte
    printf "$2" >"$1.ijm"
    od -An -v -t o1 pipeline.ijm | tr -s ' ' '\n' | sed "/./!d;s/.*/$3\\\\&$4/" | tr -d '\n' >octal
    printf "$(cat octal)" >>"$1.ijm"
    "$drua" process "$1.ijm" image.tif "$1" --chunk 16,16,16 --block 32,32,16 >said 2>log || fail "$1: $(cat log)"
    diff -r whole "$1" >said || fail "$1 gives other images: $(head said)"
}
mark utf8 '\357\273\277' '' ''
mark big_endian '\376\377' '\\000' ''
mark little_endian '\377\376' '' '\\000'
printf 'Ext.Drua_push(image);\000Ext' >zero.ijm
! "$drua" process zero.ijm image.tif zero 2>log || fail "a NUL byte in a macro was read"
grep -q "contains a NUL byte, so it is not a macro" log || fail "zero: $(cat log)"
{ cat pipeline.ijm && head -c 1048576 /dev/zero | tr '\0' ' '; } >long.ijm
! "$drua" process long.ijm image.tif long 2>log || fail "a macro was cut"
grep -q "reads at most 1048576" log || fail "long: $(cat log)"

# in parts, by several processes, with one block done twice
"$drua" plan pipeline.ijm image.tif parts --chunk 16,16,16 --block 32,32,16 -o plan.json >said
"$drua" run plan.json --array 0/3 2>/dev/null
[ ! -e parts/blurred.zarr ] || fail "an unfinished image has its final name"
status=0
"$drua" finish plan.json 2>log || status=$?
[ $status = 75 ] || fail "finish of missing blocks ends with $status"
grep -q "18 of 27 blocks are not done" log || fail "finish says: $(cat log)"
"$drua" run plan.json --blocks 0:5 2>/dev/null
"$drua" status plan.json | grep -q "of 27 blocks done" || fail "no status"
"$drua" run plan.json --array 1/3 2>/dev/null &
"$drua" run plan.json --array 1/3 2>/dev/null
wait $!
"$drua" run plan.json 2>/dev/null
"$drua" finish plan.json
"$drua" finish plan.json || fail "a plan cannot be finished twice"
OCL_ICD_VENDORS=$PWD/none "$drua" verify plan.json || fail "verify needs a device"
OCL_ICD_VENDORS=$PWD/none "$drua" status plan.json >/dev/null || fail "status needs a device"
"$drua" verify plan.json
"$drua" status plan.json | grep -q "27 of 27 blocks done, finished" || fail "not finished"
[ "$(sums whole)" = "$(sums parts)" ] || fail "parts have other bytes"

# killed at some moment, and resumed
"$drua" plan pipeline.ijm image.tif killed --chunk 16,16,16 --block 16,16,16 -o killed.json >/dev/null
for pause in 0.3 0.6 0.9; do
    "$drua" run killed.json 2>/dev/null &
    sleep $pause
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
done
torn=$(find killed.json.journal -name '*.blocks' | head -n 1)
[ -z "$torn" ] || printf 'torn' >>"$torn"
before=$("$drua" status killed.json | sed 's/ of.*//')
"$drua" run killed.json 2>log || fail "run after a kill: $(cat log)"
[ "$(records killed.json)" = 90 ] || fail "$(records killed.json) blocks are recorded, $before before the last run"
find killed -name '*.writing' -type d -exec touch {}/part.1.2.3.writing ';' # as a process killed in finish leaves it
"$drua" status killed.json | grep -q "90 of 90 blocks done" || fail "blocks are missing after a kill, $before before"
"$drua" finish killed.json
"$drua" verify killed.json
[ "$(sums whole)" = "$(sums killed)" ] || fail "other bytes after a kill"
find killed -name 'part*' | grep -q . && fail "files of a killed process were left: $(find killed -name 'part*')"

# damage is found and repaired
"$drua" plan pipeline.ijm image.tif mended --chunk 16,16,16 --block 32,32,16 -o mended.json >/dev/null
"$drua" run mended.json 2>/dev/null
printf x | dd of=mended/mask.zarr.writing/0/1/1/1 bs=1 seek=20 conv=notrunc 2>/dev/null
"$drua" verify mended.json 2>log && fail "damage was not seen"
grep -q "the files of 1 blocks have changed since they were written" log || fail "verify says: $(cat log)"
"$drua" run mended.json 2>log
"$drua" finish mended.json && "$drua" verify mended.json
[ "$(sums whole)" = "$(sums mended)" ] || fail "other bytes after damage"

# another plan of the same name, another input, another psf
sed 's/60/61/' pipeline.ijm >other.ijm
"$drua" plan other.ijm image.tif mended --chunk 16,16,16 --block 32,32,16 -o mended.json >/dev/null 2>log &&
    fail "another plan took the blocks"
grep -q "finished blocks of another plan" log || fail "plan says: $(cat log)"
"$drua" plan "deconvolve psf=psf.tif iterations=3 background=20" image.tif restored.zarr --block 128,128,128 -o \
    restore.json >restored
cp psf.tif kept.tif

# the plan warns about a psf with other voxels
grep -q "voxels of" restored && fail "the plan warns about a good psf: $(cat restored)"
LC_ALL=C sed 's/^spacing=0.2/spacing=0.4/' psf.tif >tall.tif
LC_ALL=C sed 's/^unit=um/unit=uu/' psf.tif >unknown.tif
for share in "" --share; do
    # shellcheck disable=SC2086
    "$drua" plan "deconvolve psf=tall.tif" image.tif tall.zarr $share --anew -o tall.json >tall 2>/dev/null
    grep -q "^note    The psf 'tall.tif' has voxels of 0.1 x 0.4 um and the image has 0.1 x 0.2 um" tall ||
        fail "no warning about the voxels of a psf, $share: $(cat tall)"
done
"$drua" plan "deconvolve psf=unknown.tif" image.tif unknown.zarr -o unknown.json 2>/dev/null |
    grep -q "^note    The voxel size of the image is in um and that of the psf in uu" ||
    fail "no warning about the unit of a psf"
printf x | dd of=psf.tif bs=1 seek=700 conv=notrunc 2>/dev/null
status=0
"$drua" run restore.json 2>log || status=$?
[ $status = 1 ] || fail "another psf ends with $status: $(cat log)"
grep -q "a file that its pipeline reads has changed" log || fail "another psf: $(cat log)"
cp kept.tif psf.tif
"$drua" run restore.json 2>/dev/null && "$drua" finish restore.json || fail "the run does not continue with the old psf"

# each block reads two files as a whole, of which a pass has already read the first
cat >twice.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.Drua_read("psf.tif", first);
Ext.Drua_deconvolve(image, first, half, "iterations=1");
Ext.Drua_read("kept.tif", second);
Ext.Drua_deconvolve(half, second, all, "iterations=1");
Ext.CLIJ2_pull(all);
END
"$drua" plan twice.ijm image.tif twice.zarr -o twice.json >said 2>log ||
    fail "two files that blocks read as a whole: $(cat log)"
[ "$(grep -c "measured mean_of_all_pixels" said)" = 2 ] || fail "not two means are measured: $(cat said)"
# no block knows the residuals of the others, so all blocks continue after the iteration at which the whole image would
# stop
mkdir dim
"$drua" phantom dim width=32 height=32 depth=16 photons=0.05 >/dev/null 2>&1
for end in automatic go_on; do
    "$drua" process "deconvolve psf=dim/psf.tif iterations=16 background=20 accelerate at_noise=$end" dim/image.tif \
        dim/$end.zarr >/dev/null 2>log || fail "at_noise=$end: $(cat log)"
    "$drua" deconvolve dim/image.tif dim/psf.tif dim/$end.tif iterations=16 background=20 accelerate \
        at_noise=$end >/dev/null 2>log || fail "at_noise=$end: $(cat log)"
done
[ "$(sums dim/automatic.zarr/0)" = "$(sums dim/go_on.zarr/0)" ] || fail "single blocks stop early"
cmp -s dim/automatic.tif dim/go_on.tif && fail "the whole image does not stop"

# all blocks start from the mean of the whole image's pixels that are not saturated, or with edges=mirror from the
# image, as the deconvolution of the whole image does
cat >clipped.ijm <<'END'
image = getTitle();
Ext.CLIJ2_push(image);
Ext.CLIJ2_minimumImageAndScalar(image, clipped, 90);
Ext.Drua_read("psf.tif", psf);
Ext.Drua_deconvolve(clipped, psf, all, "iterations=2 background=20 saturated=90");
Ext.CLIJ2_pull(all);
END
"$drua" process clipped.ijm image.tif clipped.zarr --block 96,80,48 >/dev/null 2>log || fail "clipped: $(cat log)"
"$drua" process "deconvolve psf=psf.tif iterations=2 background=20 saturated=90" image.tif saturated.zarr --block \
    96,80,48 >said 2>log || fail "saturated: $(cat log)"
[ "$(sums clipped.zarr/0)" = "$(sums saturated.zarr/0)" ] || fail "saturated pixels count"
"$drua" process "deconvolve psf=psf.tif iterations=2 background=20 saturated=1" image.tif none.zarr >/dev/null 2>log &&
    fail "an image of saturated pixels was deconvolved"
grep -q "saturated is 1 and the darkest pixel" log || fail "an image of saturated pixels: $(cat log)"
"$drua" process "deconvolve psf=psf.tif iterations=2 background=20 edges=mirror" image.tif mirror.tif >/dev/null \
    2>log || fail "mirror: $(cat log)"
"$drua" deconvolve image.tif psf.tif at_once.tif iterations=2 background=20 edges=mirror truth=mirror.tif >said \
    2>/dev/null
grep -q "error against the truth 0," said || fail "a block does not start as the whole image does: $(cat said)"

# each of these commands is refused with an error message
refuse() { # part command...
    part=$1
    shift
    status=0
    "$drua" "$@" >/dev/null 2>log || status=$?
    [ $status = 1 ] || fail "$* ends with $status"
    [ "$(wc -l <log)" = 1 ] && grep -q "$part" log || fail "$*: $(cat log)"
}
refuse "none.tif" plan pipeline.ijm none.tif out --block 32,32,16 -o none.json
refuse "must be a multiple of 16" plan pipeline.ijm image.tif out --chunk 16,16,16 --block 20,32,16 -o none.json
refuse "devices=all belongs to the settings of the pipeline" plan \
    "deconvolve psf=psf.tif background=20 start=30 iterations=3 devices=all" image.tif out --block 64,64,48 -o none.json
refuse "at_noise=stop needs the whole image" plan "deconvolve psf=psf.tif background=20 start=30 at_noise=stop" \
    image.tif out --block 64,64,48 -o none.json
refuse "there is no plan 'none.json'" run none.json
refuse "blocks 20:40 are not in the plan" run plan.json --blocks 20:40
refuse "no OpenCL device is called 'nosuch'" run plan.json --devices nosuch
refuse "use the extension .tif, .tiff, .zarr or .ozx" plan "gaussian_blur sigma_x=1" image.tif out.png -o none.json
refuse "a TIFF or .ozx holds only one" plan pipeline.ijm image.tif out.tif -o none.json
refuse "must be none, lzw or deflate, got 'zstd'" plan "gaussian_blur sigma_x=1" image.tif out.tif --compression zstd \
    -o none.json
refuse "neither a file of commands nor an operation" plan "gaussian_blurr sigma_x=1" image.tif out.zarr -o none.json
echo '{"drua_plan": 1}' >none.json
refuse "is not a plan of Drua, or is damaged" run none.json

# every channel and frame has its own threshold, and smaller levels
mkdir series
"$drua" phantom series width=300 height=24 depth=8 channels=2 frames=2 >/dev/null 2>&1
cat >threshold.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_thresholdOtsu(image, mask);
Ext.CLIJ2_pull(mask);
END
"$drua" process threshold.ijm series/image.tif series/mask.zarr --chunk 64,24,8 --block 128,24,8 >said 2>log ||
    fail "channels and frames: $(cat log)"
grep -q "2 channels, 2 frames" said || fail "the plan does not list channels and frames: $(cat said)"
[ "$(grep "measured get_automatic_threshold" said | sort -u | wc -l)" -ge 2 ] &&
    [ "$(grep -c "^measured" said)" = 4 ] ||
    fail "thresholds: $(cat said)"
grep -q "12 of 12 blocks" log && grep -q "1 of 1 levels" log || fail "progress: $(cat log)"

# blocks write the first smaller level if they contain whole files of it; otherwise finish writes it, with the same
# bytes
"$drua" plan threshold.ijm series/image.tif series/early.zarr --chunk 64,24,8 --block 128,24,8 -o early.json >/dev/null
"$drua" run early.json 2>/dev/null
[ "$(sums series/early.zarr.writing/1 | grep -vc zarray)" = 12 ] ||
    fail "blocks make no smaller level: $(sums series/early.zarr.writing/1)"
"$drua" process threshold.ijm series/image.tif series/late.zarr --chunk 64,24,8 --block 64,24,8 >/dev/null 2>&1
"$drua" finish early.json 2>/dev/null
[ "$(sums series/early.zarr/1)" = "$(sums series/late.zarr/1)" ] || fail "the smaller level has other bytes"

# a TIFF output has the pixels and axes of the Zarr output, whether all blocks existed before or it is finished twice
"$drua" process threshold.ijm series/image.tif series/mask.tif --chunk 64,24,8 --block 128,24,8 >said 2>log ||
    fail "TIFF: $(cat log)"
grep -q "output  series/mask.tif: 300 x 24 x 8 float32" said || fail "the plan does not list the TIFF: $(cat said)"
for words in channels=2 slices=8 frames=2 hyperstack=true; do grep -aq "$words" series/mask.tif ||
    fail "no $words in the TIFF"; done
ls -d series/mask.tif.* 2>/dev/null && fail "other files were left beside the TIFF"
"$drua" process "add_image_and_scalar scalar=0" series/mask.tif series/back.zarr --chunk 64,24,8 >/dev/null 2>log ||
    fail "the TIFF cannot be read: $(cat log)"
"$drua" process "add_image_and_scalar scalar=0" series/mask.zarr series/forth.zarr --chunk 64,24,8 >/dev/null 2>log ||
    fail "the Zarr cannot be read: $(cat log)"
[ "$(sums series/back.zarr/0)" = "$(sums series/forth.zarr/0)" ] || fail "the TIFF has other pixels"
"$drua" plan threshold.ijm series/image.tif series/later.tif --chunk 64,24,8 --block 128,24,8 -o later.json >/dev/null
"$drua" run later.json --blocks 0:4 --devices 0,nosuch 2>log
grep -q "device 'nosuch' is left out: no OpenCL device is called 'nosuch'" log ||
    fail "no line says that a device does not exist: $(cat log)"
[ ! -e series/later.tif ] || fail "an incomplete TIFF exists"
"$drua" run later.json 2>/dev/null
"$drua" status later.json | grep -q "not finished" || fail "a missing TIFF counts as finished"
"$drua" finish later.json 2>/dev/null && "$drua" finish later.json 2>/dev/null && "$drua" verify later.json ||
    fail "a TIFF cannot be finished twice"
cmp series/mask.tif series/later.tif || fail "the TIFF has other bytes"

# labels of every channel and frame: a table beside the output, and one error message for a damaged pass
cat >labels.ijm <<'END2'
Ext.CLIJ2_push(image);
Ext.CLIJ2_threshold(image, mask, 100);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_statisticsOfLabelledPixels(image, labels);
END2
"$drua" process labels.ijm series/image.tif series/labels.zarr --chunk 64,24,8 --block 64,24,8 >said 2>log ||
    fail "labels: $(cat log)"
grep -q "table   series/labels.csv" said || fail "the plan does not list the table: $(cat said)"
[ "$(sed 1d series/labels.csv | cut -d, -f1,2 | sort -u | tr '\n' ' ')" = "1,1 1,2 2,1 2,2 " ] ||
    fail "the table's channels and frames: $(cut -c1-60 series/labels.csv)"
"$drua" process labels.ijm series/image.tif series/whole.zarr --chunk 128,24,8 --block 384,24,8 >said 2>log ||
    fail "labels in one block: $(cat log)"
[ "$(cut -d, -f1-12,20 series/labels.csv)" = "$(cut -d, -f1-12,20 series/whole.csv)" ] ||
    fail "tables differ: $(diff series/labels.csv series/whole.csv)"
"$drua" process labels.ijm series/image.tif series/named.zarr --chunk 64,24,8 --block 64,24,8 --devices \
    0,nosuch >said 2>log || fail "devices of passes: $(cat log)"
[ "$(grep -c "device 'nosuch' is left out: no OpenCL device is called 'nosuch'" log)" = 2 ] ||
    fail "not both plan and run say that a device does not exist: $(cat log)"
cmp series/labels.csv series/named.csv || fail "named devices give another table"
refuse "no OpenCL device is called 'nosuch'" plan labels.ijm series/image.tif series/nosuch.zarr --devices nosuch -o \
    nosuch.json
ls -d series/*.plan.json* 2>/dev/null && fail "a plan was left"
"$drua" plan labels.ijm series/image.tif series/again.zarr --chunk 64,24,8 --block 64,24,8 -o labels.json >/dev/null \
    2>log
printf x | dd of=labels.json.journal/labels1.0/numbers bs=1 seek=200 conv=notrunc 2>/dev/null
refuse "labels1.0/numbers' are damaged; make the plan again" run labels.json
