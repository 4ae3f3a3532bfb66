#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests named inputs of pipelines by blocks: channels of one image, other images of the same extent, refused inputs, and
# inputs that change. Usage: block_inputs.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

# Two channels of 40 x 24 x 6 pixels, whose values are 2 x + y and 100 z; a flat field with the value x + 1.
make_inputs() {
    python3 - <<'END'
import json, os, struct
def image(path, planes, names=None):
    axes = ([{"name": "c", "type": "channel"}] if names else []) + [{"name": n, "type": "space"} for n in "zyx"]
    shape = ([len(planes)] if names else []) + [6, 24, 40]
    group = {"multiscales": [{"version": "0.4", "axes": axes, "datasets": [{"path": "0", "coordinateTransformations": [
        {"type": "scale", "scale": [1] * len(shape)}]}]}]}
    if names:
        group["omero"] = {"channels": [{"label": n, "color": "FF0000", "window": {"start": 0, "end": 9, "min": 0,
                                                                                 "max": 9}} for n in names]}
    os.makedirs(path + "/0")
    for name, content in ((".zgroup", {"zarr_format": 2}), (".zattrs", group), ("0/.zarray", {
            "zarr_format": 2, "shape": shape, "chunks": ([1] if names else []) + [6, 24, 40], "dtype": "<u2",
            "compressor": None, "fill_value": 0, "order": "C", "filters": None, "dimension_separator": "/"})):
        with open(path + "/" + name, "w") as f:
            json.dump(content, f)
    for c, plane in enumerate(planes):
        folder = path + "/0/" + (str(c) + "/" if names else "") + "0/0"
        os.makedirs(folder)
        with open(folder + "/0", "wb") as f:
            f.write(b"".join(struct.pack("<H", plane(x, y, z)) for z in range(6) for y in range(24) for x in range(40)))
image("in.zarr", [lambda x, y, z: 2 * x + y, lambda x, y, z: 100 * z], ["nuclei", "actin"])
image("flat.zarr", [lambda x, y, z: x + 1])
END
}

# Compares an output of type float32 with a formula.
check() { # output, formula in x, y, z
    python3 - "$1" "$2" <<'END' || fail "$1 is not $2"
import os, struct, sys
chunk = sys.argv[1] + "/0"
while os.path.isdir(chunk):
    chunk += "/0"
data = open(chunk, "rb").read()
got = struct.unpack("<%df" % (len(data) // 4), data)
want = [eval(sys.argv[2]) for z in range(6) for y in range(24) for x in range(40)]
assert len(got) == len(want), len(got)
wrong = [(g, w) for g, w in zip(got, want) if not abs(g - w) <= 1e-4 * (1 + abs(w))]
assert not wrong, wrong[:3]
END
}

command -v python3 >/dev/null || skip "python3 is missing"
make_inputs
size="--chunk 40,24,6 --compression none"
cat >ratio.ijm <<'END'
Ext.CLIJ2_push(first);
Ext.CLIJ2_addImageAndScalar(first, shifted, 7);
Ext.CLIJ2_divideImages(second, shifted, ratio);
Ext.CLIJ2_pull(ratio);
END
# shellcheck disable=SC2086 # sizes are several words
"$drua" process ratio.ijm in.zarr ratio.zarr $size --channel first=nuclei --channel second=2 >said 2>log ||
    fail "ratio: $(cat log)"
check ratio.zarr '100 * z / (2 * x + y + 7)'
grep -q "^input   first: channel nuclei" said && grep -q "^input   second: channel 2" said || fail "said: $(cat said)"
grep -q '"label":"actin, nuclei"' ratio.zarr/.zattrs && grep -q '"color":"FFFFFF"' ratio.zarr/.zattrs &&
    ! grep -q '"end":9' ratio.zarr/.zattrs || fail "the result has other channels: $(cat ratio.zarr/.zattrs)"

# a mask of one channel on the other, with a threshold that blocks measure
cat >masked.ijm <<'END'
Ext.CLIJ2_thresholdOtsu(second, mask);
Ext.CLIJ2_mask(first, mask, masked);
Ext.CLIJ2_convertFloat(masked, result);
Ext.CLIJ2_pull(result);
END
# shellcheck disable=SC2086
"$drua" process masked.ijm in.zarr masked.zarr $size --channel first=1 --channel second=actin >said 2>log ||
    fail "masked: $(cat log)"
check masked.zarr '(2 * x + y) * (z >= 3)'

# a flat field serves both channels
cat >flat.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_divideImages(image, flat, corrected);
Ext.CLIJ2_pull(corrected);
END
# shellcheck disable=SC2086
"$drua" plan flat.ijm in.zarr flat-out.zarr $size --input flat=flat.zarr -o plan.json >said 2>log ||
    fail "flat: $(cat log)"
cp -p flat.zarr/0/0/0/0 kept
"$drua" run plan.json --blocks 0:1 2>log || fail "run: $(cat log)"
printf '\1\0' | dd of=flat.zarr/0/0/0/0 bs=1 conv=notrunc 2>/dev/null
status=0
"$drua" run plan.json 2>log || status=$?
[ $status = 1 ] && grep -q "the input 'flat.zarr/0/0/0/0' has changed" log || fail "a changed flat field: $(cat log)"
cp -p kept flat.zarr/0/0/0/0
mv flat.zarr gone.zarr
status=0
"$drua" run plan.json 2>log || status=$?
[ $status = 75 ] || fail "a missing flat field ends with $status: $(cat log)"
mv gone.zarr flat.zarr
"$drua" run plan.json 2>log && "$drua" finish plan.json 2>log || fail "flat: $(cat log)"
check_channel() { # channel, formula
    mkdir -p "channel$1/0"
    cp -R "flat-out.zarr/0/$1" "channel$1/0/0"
    check "channel$1" "$2"
}
check_channel 0 '(2 * x + y) / (x + 1)'
check_channel 1 '100 * z / (x + 1)'

# chosen frames of a TIFF and of an OME-Zarr; the same frames are chosen from a second input with as many frames
mkdir movie
"$drua" phantom movie width=40 height=24 depth=6 frames=4 channels=2 >/dev/null 2>&1
cat >twice.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_addImages(image, other, sum);
Ext.CLIJ2_pull(sum);
END
"$drua" process "add_image_and_scalar scalar=0" movie/image.tif movie/all.zarr --chunk 40,24,6 --compression none \
    >/dev/null 2>log || fail "all frames: $(cat log)"
for in in movie/image.tif movie/all.zarr; do
    for frames in 2-3 4; do
        rm -rf some.zarr twice.zarr
        "$drua" process "add_image_and_scalar scalar=0" $in some.zarr --chunk 40,24,6 --compression none \
            --frames $frames >said 2>log || fail "frames $frames of $in: $(cat log)"
        "$drua" process twice.ijm $in twice.zarr --input other=$in --chunk 40,24,6 --compression none \
            --frames $frames >said 2>log || fail "frames $frames of two images: $(cat log)"
        python3 - movie/all.zarr some.zarr twice.zarr $frames <<'END' || fail "frames $frames of $in are wrong"
import array, os, sys
def frames(path):
    chunks = sorted(folder + "/0" for folder, _, files in os.walk(path + "/0") if "0" in files)
    return [array.array("f", open(c, "rb").read()).tolist() for c in chunks]
whole, some, twice = (frames(path) for path in sys.argv[1:4])
first, last = (int(n) for n in (sys.argv[4].split("-") * 2)[:2])
wanted = whole[2 * (first - 1):2 * last]
assert len(whole) == 8 and whole[2] != whole[4] and some == wanted, (len(whole), len(some), len(wanted))
assert twice == [[2 * v for v in frame] for frame in wanted]
END
    done
done
status=0
"$drua" process "add_image_and_scalar scalar=0" movie/image.tif none.zarr --frames 4-5 >said 2>log || status=$?
[ $status = 1 ] && grep -q "has 4 frames, so it has no frames 4 to 5; choose frames from 1 to 4" log ||
    fail "frames that do not exist: $status, $(cat log)"
for frames in 0 3-2 a 2-; do
    status=0
    "$drua" plan "add_image_and_scalar scalar=0" movie/image.tif none.zarr --frames $frames -o none.json >/dev/null \
        2>log || status=$?
    [ $status = 2 ] && grep -q frames log || fail "--frames $frames: $status, $(cat log)"
done

# a box of the pixels, of a TIFF and of an OME-Zarr, in blocks that are not multiples of the file's chunks
for in in movie/image.tif movie/all.zarr; do
    rm -rf some.zarr twice.zarr
    "$drua" process "add_image_and_scalar scalar=0" $in some.zarr --chunk 30,20,4 --compression none --frames 2-3 \
        --origin 7,3,2 --size 30,20,0 >said 2>log || fail "box of $in: $(cat log)"
    "$drua" process twice.ijm $in twice.zarr --input other=$in --block 10,5,2 --chunk 10,5,2 --compression none \
        --origin 7,3,2 --size 10,5,2 >said 2>log || fail "box of two images: $(cat log)"
    grep -q "10 x 5 x 2 float32, 2 channels, 4 frames" said || fail "box in the plan's lines: $(cat said)"
    python3 - movie/all.zarr some.zarr twice.zarr <<'END' || fail "the box of $in is wrong"
import array, json, os, sys
def volumes(path):
    chunks = sorted(folder + "/0" for folder, _, files in os.walk(path + "/0") if "0" in files)
    return [array.array("f", open(c, "rb").read()).tolist() for c in chunks]
def box(v, x0, y0, z0, w, h, d):
    return [v[(z * 24 + y) * 40 + x] for z in range(z0, z0 + d) for y in range(y0, y0 + h) for x in range(x0, x0 + w)]
whole, some, twice = (volumes(path) for path in sys.argv[1:4])
assert len(whole) == 8 and some == [box(v, 7, 3, 2, 30, 20, 4) for v in whole[2:6]]
assert twice == [[2 * p for p in box(v, 7, 3, 2, 10, 5, 2)] for v in whole]
places = json.load(open("some.zarr/.zattrs"))["multiscales"][0]["datasets"][0]["coordinateTransformations"]
pixel, slice = places[0]["scale"][-1], places[0]["scale"][-3]
due = [2 * slice, 3 * pixel, 7 * pixel]
assert all(abs(a - b) < 1e-9 for a, b in zip(places[1]["translation"][-3:], due)), places
END
done
for box in "--origin 0,0,6" "--origin 30,0,0 --size 11,0,0" "--size 0,25,0"; do
    status=0
    # shellcheck disable=SC2086
    "$drua" process "add_image_and_scalar scalar=0" movie/image.tif none.zarr $box >said 2>log || status=$?
    [ $status = 1 ] && grep -q "choose a box inside the image" log || fail "$box: $status, $(cat log)"
done
status=0
"$drua" plan "add_image_and_scalar scalar=0" movie/image.tif none.zarr --origin 1,-1,0 -o none.json >said 2>log ||
    status=$?
[ $status = 2 ] && grep -q origin log || fail "--origin 1,-1,0: $status, $(cat log)"

# a mask is displayed from 0 to 1, with the name and colour of its channel; a masked image keeps the name and colour of
# the image's channel
cat >shown.ijm <<'END'
Ext.CLIJ2_thresholdOtsu(second, mask);
Ext.CLIJ2_convertUInt8(mask, bytes);
Ext.CLIJ2_mask(first, mask, masked);
Ext.CLIJ2_pull(bytes);
Ext.CLIJ2_pull(masked);
END
# shellcheck disable=SC2086
"$drua" process shown.ijm in.zarr shown $size --channel first=nuclei --channel second=actin >said 2>log ||
    fail "shown: $(cat log)"
python3 - <<'END' || fail "shown: $(cat shown/bytes.zarr/.zattrs shown/masked.zarr/.zattrs)"
import json
def channel(name):
    return json.load(open("shown/%s.zarr/.zattrs" % name))["omero"]["channels"][0]
mask, masked = channel("bytes"), channel("masked")
assert (mask["label"], mask["color"], mask["window"]["start"], mask["window"]["end"]) == ("actin", "FF0000", 0, 1)
assert (masked["label"], masked["color"], masked["window"]["end"]) == ("nuclei", "FF0000", 9)
END

# refused
refuse() { # words of the sentence, option...
    words=$1
    shift
    status=0
    "$drua" process flat.ijm in.zarr refused.zarr "$@" >said 2>log || status=$?
    [ $status != 0 ] && grep -q "$words" log || fail "$*: $status, $(cat log)"
    [ ! -e refused.zarr.writing ] || fail "$*: the output is begun"
}
"$drua" phantom . width=32 height=24 depth=6 >/dev/null 2>&1
refuse "has 32 x 24 x 6 pixels, but IN has 40 x 24 x 6" --input flat=image.tif
refuse "has no channel 'dapi'; use a number from 1 to 2, or one of the names 'nuclei', 'actin'" --channel image=dapi
refuse "has no channel '3'" --channel image=3
refuse "no --channel or --input has the name 'image'" --channel first=1
refuse "there is no image 'flat'" --channel image=1
refuse "names two inputs" --channel image=1 --input image=flat.zarr
refuse "source2: there is no image 'flat'; did you mean 'flatt' of --input?" --input flatt=flat.zarr
refuse "no line of the pipeline reads the image 'dark' of --input; it reads 'flat', 'image'; correct the name" \
    --input dark=flat.zarr --input flat=flat.zarr
refuse "no line of the pipeline reads the image 'actin' of --channel; it reads 'image', 'flat'" \
    --channel image=1 --channel actin=2 --input flat=flat.zarr
refuse "must have the form VARIABLE=FILE" --input 1=flat.zarr
refuse "'flat' is not a valid value of --input" --input flat
cat >overwrites.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_addImageAndScalar(image, flat, 7);
Ext.CLIJ2_multiplyImages(image, flat, product);
Ext.CLIJ2_pull(product);
END
status=0
"$drua" process overwrites.ijm in.zarr refused.zarr --input flat=flat.zarr >said 2>log || status=$?
[ $status = 1 ] && grep -q "no line of the pipeline reads the image 'flat' of --input; it reads 'image'" log ||
    fail "an input that the pipeline overwrites: $status, $(cat log)"
cat >second.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_push(flat);
Ext.CLIJ2_divideImages(image, flat, corrected);
Ext.CLIJ2_pull(corrected);
END
status=0
"$drua" process second.ijm in.zarr refused.zarr --input flatt=flat.zarr >said 2>log || status=$?
[ $status = 1 ] && grep -q "no --input has the name 'flat'; did you mean 'flatt' of --input?" log ||
    fail "a misspelt input that the pipeline pushes: $status, $(cat log)"
mkdir -p several.zarr/OME
echo '{"zarr_format": 2}' | tee several.zarr/.zgroup >several.zarr/OME/.zgroup
echo '{"bioformats2raw.layout": 3}' >several.zarr/.zattrs
echo '{"series": ["0", "1"]}' >several.zarr/OME/.zattrs
cp -R flat.zarr several.zarr/0
cp -R flat.zarr several.zarr/1
refuse "several.zarr' holds several images (besides the first one: 2 '1'); give the path of one image, such as flat=several.zarr/0" \
    --input flat=several.zarr
for list in ",," "," "0,," ",0" "0,,0"; do
    refuse "'$list' is not a valid value of --devices" --input flat=flat.zarr --devices "$list"
done
refuse "the value of '--devices' is empty" --input flat=flat.zarr --devices ""
