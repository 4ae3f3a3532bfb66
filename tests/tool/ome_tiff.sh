#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests OME-TIFF as output and its levels as input, against a reader in Python that knows nothing of Drua. Usage:
# ome_tiff.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

command -v python3 >/dev/null || skip "python3 is missing"

# Two channels of 300 x 270 x 2 pixels, uint16.
cat >image.py <<'END'
WIDTH, HEIGHT, DEPTH, CHANNELS = 300, 270, 2, 2

def pixel(c, z, y, x):
    return (x * 31 + y * 17 + z * 1000 + c * 20000) % 65536
END
python3 - <<'END'
import json, os, struct
from image import *
channel = lambda name, colour: {"label": name, "color": colour, "active": True,
                                "window": {"start": 0, "end": 9, "min": 0, "max": 9}}
group = {"multiscales": [{"version": "0.4", "axes": [{"name": "c", "type": "channel"}] + [
    {"name": n, "type": "space", "unit": "micrometer"} for n in "zyx"], "datasets": [{"path": "0",
    "coordinateTransformations": [{"type": "scale", "scale": [1, 0.5, 0.25, 0.25]},
                                  {"type": "translation", "translation": [0, 3, -2, 7.5]}]}]}],
    "omero": {"channels": [channel("DNA <a> & \"b\"", "0000FF"), channel("actin\uffff\n", "FF8000")]}}
os.makedirs("in.zarr/0")
for name, content in ((".zgroup", {"zarr_format": 2}), (".zattrs", group), ("0/.zarray", {
        "zarr_format": 2, "shape": [CHANNELS, DEPTH, HEIGHT, WIDTH], "chunks": [1, DEPTH, HEIGHT, WIDTH],
        "dtype": "<u2", "compressor": None, "fill_value": 0, "order": "C", "filters": None,
        "dimension_separator": "/"})):
    with open("in.zarr/" + name, "w") as f:
        json.dump(content, f)
for c in range(CHANNELS):
    os.makedirs("in.zarr/0/%d/0/0" % c)
    with open("in.zarr/0/%d/0/0/0" % c, "wb") as f:
        f.write(b"".join(struct.pack("<%dH" % WIDTH, *(pixel(c, z, y, x) for x in range(WIDTH)))
                         for z in range(DEPTH) for y in range(HEIGHT)))
END

cat >check.py <<'END'
import struct, sys, xml.etree.ElementTree as xml, zlib
from image import *

data = open(sys.argv[1], "rb").read()
assert data[:2] == b"II"
big = struct.unpack_from("<H", data, 2)[0] == 43
sizes = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 13: 4, 16: 8, 18: 8}

def directory(at):
    count, = struct.unpack_from("<Q" if big else "<H", data, at)
    at += 8 if big else 2
    tags, before = {}, 0
    for _ in range(count):
        tag, kind, n = struct.unpack_from("<HHQ" if big else "<HHI", data, at)
        assert tag > before, "tags are not in order"
        before = tag
        room = 8 if big else 4
        place = at + (12 if big else 8)
        if sizes[kind] * n > room:
            place, = struct.unpack_from("<Q" if big else "<I", data, place)
        letter = {2: "B", 1: "B", 3: "H", 4: "I", 5: "II", 13: "I", 16: "Q", 18: "Q"}[kind]
        tags[tag] = struct.unpack_from("<" + letter * n, data, place)
        at += 20 if big else 12
    return tags, struct.unpack_from("<Q" if big else "<I", data, at)[0]

def pixels(tags):
    width, height, tw, th = (tags[t][0] for t in (256, 257, 322, 323))
    assert tw % 16 == 0 and th % 16 == 0
    rows = [[0] * width for _ in range(height)]
    across = (width + tw - 1) // tw
    assert len(tags[324]) == len(tags[325]) == across * ((height + th - 1) // th)
    for i, (at, length) in enumerate(zip(tags[324], tags[325])):
        tile = data[at:at + length]
        tile = zlib.decompress(tile) if tags[259][0] == 8 else tile
        assert len(tile) == 2 * tw * th
        for y in range(min(th, height - i // across * th)):
            x0 = i % across * tw
            n = min(tw, width - x0)
            rows[i // across * th + y][x0:x0 + n] = struct.unpack_from("<%dH" % n, tile, 2 * tw * y)
    return rows

at, = struct.unpack_from("<Q" if big else "<I", data, 8 if big else 4)
pages = []
while at:
    tags, at = directory(at)
    pages.append(tags)
assert len(pages) == CHANNELS * DEPTH, len(pages)
for i, tags in enumerate(pages):
    c, z = i % CHANNELS, i // CHANNELS
    assert pixels(tags) == [[pixel(c, z, y, x) for x in range(WIDTH)] for y in range(HEIGHT)], i
    assert len(tags[330]) == 1
    level, last = directory(tags[330][0])
    assert level[254][0] == 1 and last == 0
    assert (level[256][0], level[257][0]) == (WIDTH // 2, HEIGHT // 2)
    for y, row in enumerate(pixels(level)):
        for x, got in enumerate(row):
            want = sum(pixel(c, z, 2 * y + b, 2 * x + a) for a in (0, 1) for b in (0, 1)) / 4
            assert abs(got - want) <= 0.5, (i, x, y, got, want)

text = bytes(pages[0][270])
assert text[-1] == 0
root = xml.fromstring(text[:-1].decode())
ns = "{http://www.openmicroscopy.org/Schemas/OME/2016-06}"
p = root.find(ns + "Image/" + ns + "Pixels")
want = {"DimensionOrder": "XYCZT", "Type": "uint16", "SizeX": "300", "SizeY": "270", "SizeC": "2", "SizeZ": "2",
        "SizeT": "1", "PhysicalSizeX": "0.25", "PhysicalSizeZ": "0.5", "PhysicalSizeXUnit": "\u00b5m"}
assert all(p.get(k) == v for k, v in want.items()), p.attrib
names = [(c.get("Name"), c.get("Color")) for c in p.findall(ns + "Channel")]
assert names == [("DNA <a> & \"b\"", str(0x0000FFFF)), ("actin  ", str(0xFF8000FF - 2 ** 32))], names
plane = p.find(ns + "Plane")
assert [float(plane.get("Position" + k)) for k in "XYZ"] == [7.5, -2, 3], plane.attrib
assert p.find(ns + "TiffData").attrib == {"IFD": "0", "PlaneCount": "4"}
END

for compression in none deflate; do
    "$drua" process copy in.zarr $compression.ome.tif --compression $compression 2>log || fail "write: $(cat log)"
    python3 check.py $compression.ome.tif || fail "$compression.ome.tif is wrong"
done
if command -v tiffinfo >/dev/null; then
    tiffinfo -D deflate.ome.tif >said 2>log || fail "libtiff: $(cat log)"
    [ ! -s log ] || fail "libtiff warns: $(cat log)"
fi

# back: the same pixels, names, colours and position
"$drua" process copy deflate.ome.tif back.zarr --chunk 300,270,2 --compression none 2>log || fail "read: $(cat log)"
for c in 0 1; do
    cmp back.zarr/0/$c/0/0/0 in.zarr/0/$c/0/0/0 || fail "channel $c has other pixels"
done
grep -q '"label":"DNA <a> & \\"b\\"","color":"0000FF"' back.zarr/.zattrs && grep -q '3,-2,7.5' back.zarr/.zattrs ||
    fail "the metadata are $(cat back.zarr/.zattrs)"

# a level as input
"$drua" process copy none.ome.tif half.ome.tif --level 1 >said 2>log || fail "level: $(cat log)"
grep -q "input   none.ome.tif: 150 x 135 x 2 uint16, 2 channels" said || fail "level 1 is: $(cat said)"
grep -a -q 'SizeX="150" SizeY="135".*PhysicalSizeX="0.5"' half.ome.tif || fail "level 1 has another scale"
status=0
"$drua" process copy none.ome.tif no.zarr --level 2 2>log || status=$?
[ $status = 1 ] && grep -q "has 2 levels, counted from 0; got level 2" log || fail "level 2: $status, $(cat log)"
