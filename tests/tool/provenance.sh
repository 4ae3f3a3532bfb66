#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests the provenance that results of pipelines by blocks state. Usage: provenance.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

command -v python3 >/dev/null || skip "python3 is missing"
"$drua" phantom . width=48 height=40 depth=6 >/dev/null 2>&1
cat >half.ijm <<'END'
Ext.Drua_push(image);
Ext.CLIJ2_multiplyImageAndScalar(image, "half of it", 0.5);
Ext.Drua_pull("half of it");
END
cat >check.py <<'END'
import hashlib, json, sys
path, kind = sys.argv[1:3]
if kind == "0.5":
    found = json.load(open(path + "/zarr.json"))["attributes"]["drua"]
else:
    found = json.load(open(path + ("/.zattrs" if kind == "0.4" else "")))
    found = found["drua"] if kind == "0.4" else found
for step in sys.argv[3:]:
    found = found[step]
assert found["pipeline"] == open("half.ijm").read(), found["pipeline"]
assert found["version"] and found["device"]
assert found["inputs"] == [{"name": "IN", "file": "image.tif",
                            "sha256": hashlib.sha256(open("image.tif", "rb").read()).hexdigest()}], found["inputs"]
END

for version in 0.4 0.5; do
    "$drua" process half.ijm image.tif half$version.zarr --zarr $version >said 2>log || fail "process: $(cat log)"
    python3 check.py half$version.zarr $version || fail "OME-Zarr $version lacks its provenance"
done
"$drua" process copy half0.4.zarr copied.zarr >said 2>log || fail "copy: $(cat log)"
python3 check.py copied.zarr 0.4 earlier || fail "the provenance of the source is lost"
grep -q '"pipeline":"Ext.Drua_push(input);' copied.zarr/.zattrs || fail "a copy lacks its pipeline"

# a TIFF gets a file of its provenance only on request; an existing file stays
"$drua" process half.ijm image.tif half.tif >said 2>log || fail "TIFF: $(cat log)"
[ ! -e half.tif.json ] || fail "a file is written that nobody asked for"
echo kept >told.tif.json
status=0
"$drua" process half.ijm image.tif told.tif --provenance >said 2>log || status=$?
[ $status = 1 ] && [ "$(cat told.tif.json)" = kept ] || fail "an existing file: $status, $(cat log)"
"$drua" process half.ijm image.tif told.tif --provenance --overwrite >said 2>log || fail "TIFF: $(cat log)"
python3 check.py told.tif.json file || fail "told.tif.json is wrong"

# every file of an OME-TIFF in several files has its checksum
python3 - <<'EOF'
import struct

def write(name, value, xml):
    text = xml.encode() + b"\0"
    tags = [(256, 4, 1, 4), (257, 4, 1, 3), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (270, 2, len(text), 200),
            (273, 4, 1, 180), (277, 3, 1, 1), (278, 4, 1, 3), (279, 4, 1, 12)]
    data = b"II*\0" + struct.pack("<IH", 8, len(tags)) + b"".join(struct.pack("<HHII", *t) for t in tags) + bytes(4)
    open(name, "wb").write((data.ljust(180, b"\0") + bytes([value]) * 12).ljust(200, b"\0") + text)

planes = "".join('<TiffData IFD="0" PlaneCount="1" FirstZ="%d"><UUID FileName="part%d.ome.tif">urn:uuid:%d</UUID>'
                 '</TiffData>' % (z, z, z) for z in range(3))
for z in range(3):
    write("part%d.ome.tif" % z, 10 * z, '<OME UUID="urn:uuid:%d"><Image ID="Image:0"><Pixels ID="Pixels:0" '
          'Type="uint8" DimensionOrder="XYZCT" SizeX="4" SizeY="3" SizeZ="3" SizeC="1" SizeT="1">%s</Pixels></Image>'
          '</OME>' % (z, planes))
EOF
"$drua" process half.ijm part0.ome.tif parts.tif --provenance >said 2>log || fail "several files: $(cat log)"
python3 - <<'EOF' || fail "parts.tif.json lacks a file"
import hashlib, json
given, = json.load(open("parts.tif.json"))["inputs"]
sums = {i["file"]: i["sha256"] for i in [given] + given["further_files"]}
assert sums == {n: hashlib.sha256(open(n, "rb").read()).hexdigest() for n in
                ("part0.ome.tif", "part1.ome.tif", "part2.ome.tif")}, given
EOF
