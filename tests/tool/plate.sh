#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests plates of OME-Zarr as input and output of drua process. Usage: plate.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

command -v python3 >/dev/null || skip "python3 is missing"
# Three fields of 40 x 24 pixels with 1, 2 and 3 squares of 4 x 4 pixels, whose values are 100, 200 and 300.
cat >make.py <<'END'
import json, os, struct, sys
folder, version = sys.argv[1:3]
FIELDS = [("A/1", "0", 1), ("A/1", "1", 2), ("B/12", "0", 3)]

def group(path, ome):
    os.makedirs(path, exist_ok=True)
    if version == "0.5":
        with open(path + "/zarr.json", "w") as f:
            json.dump({"zarr_format": 3, "node_type": "group", "attributes": {"ome": dict(ome, version="0.5")}}, f)
        return
    with open(path + "/.zgroup", "w") as f:
        json.dump({"zarr_format": 2}, f)
    with open(path + "/.zattrs", "w") as f:
        json.dump(ome, f)

own = {} if version == "0.5" else {"version": "0.4"}
group(folder, {"plate": dict(own, name="screen 7", field_count=2, rows=[{"name": "A"}, {"name": "B"}],
    columns=[{"name": "1"}, {"name": "12"}], acquisitions=[{"id": 4, "name": "first"}],
    wells=[{"path": "A/1", "rowIndex": 0, "columnIndex": 0}, {"path": "B/12", "rowIndex": 1, "columnIndex": 1}])})
for well in ("A/1", "B/12"):
    group(folder + "/" + well.split("/")[0], {})
    group(folder + "/" + well, {"well": dict(own, images=[{"path": f, "acquisition": 4} for w, f, n in FIELDS
                                                          if w == well])})
for well, field, squares in FIELDS:
    path = folder + "/" + well + "/" + field
    pixels = [[0] * 40 for _ in range(24)]
    for i in range(squares):
        for y in range(4):
            for x in range(4):
                pixels[6 + y][2 + 10 * i + x] = 100 * (i + 1)
    multiscales = [dict(own, axes=[{"name": "y", "type": "space", "unit": "micrometer"},
                                   {"name": "x", "type": "space", "unit": "micrometer"}],
                        datasets=[{"path": "0", "coordinateTransformations": [
                            {"type": "scale", "scale": [0.5, 0.5]}]}])]
    group(path, {"multiscales": multiscales})
    os.makedirs(path + "/0/c/0" if version == "0.5" else path + "/0/0")
    data = b"".join(struct.pack("<40H", *row) for row in pixels)
    if version == "0.5":
        array = {"zarr_format": 3, "node_type": "array", "shape": [24, 40], "data_type": "uint16", "fill_value": 0,
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [24, 40]}},
                 "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
                 "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}
        with open(path + "/0/zarr.json", "w") as f:
            json.dump(array, f)
    else:
        array = {"zarr_format": 2, "shape": [24, 40], "chunks": [24, 40], "dtype": "<u2", "compressor": None,
                 "fill_value": 0, "order": "C", "filters": None, "dimension_separator": "/"}
        with open(path + "/0/.zarray", "w") as f:
            json.dump(array, f)
    with open(path + ("/0/c/0/0" if version == "0.5" else "/0/0/0"), "wb") as f:
        f.write(data)
END
cat >check.py <<'END'
import csv, json, os, struct, sys
out, version = sys.argv[1:3]

def ome(path):
    if version == "0.5":
        found = json.load(open(path + "/zarr.json"))["attributes"]["ome"]
        assert found["version"] == "0.5"
        return found
    return json.load(open(path + "/.zattrs"))

plate = ome(out)["plate"]
assert plate["name"] == "screen 7" and plate["acquisitions"] == [{"id": 4, "name": "first"}], plate
assert [w["path"] for w in plate["wells"]] == ["A/1", "B/12"] and plate["wells"][1]["columnIndex"] == 1
assert plate.get("version") == (None if version == "0.5" else "0.4")
assert ome(out + "/A/1")["well"]["images"] == [{"path": "0", "acquisition": 4}, {"path": "1", "acquisition": 4}]
ome(out + "/B")
for field, squares in (("A/1/0", 1), ("A/1/1", 2), ("B/12/0", 3)):
    path = out + "/" + field
    image = ome(path)["multiscales"][0]
    assert image["datasets"][0]["coordinateTransformations"][0]["scale"] == [0.5, 0.5], image
    assert ome(path + "/labels")["labels"] == ["labels"]
    for chunk, kind, factor in (("", "H", 200), ("/labels/labels", "I", 1)):
        data = open(path + chunk + ("/0/c/0/0" if version == "0.5" else "/0/0/0"), "rb").read()
        got = struct.unpack("<%d%s" % (24 * 40, kind), data)
        for y in range(24):
            for x in range(40):
                i = (x - 2) // 10
                inside = 6 <= y < 10 and 0 <= i < squares and (x - 2) % 10 < 4
                want = (i + 1) * factor if inside else 0
                assert got[40 * y + x] == want, (field, chunk, x, y, got[40 * y + x], want)
rows = list(csv.DictReader(open(out[:-5] + ".csv")))
assert [(r["WELL"], r["FIELD"], r["IDENTIFIER"], float(r["PIXEL_COUNT"]), float(r["MEAN_INTENSITY"]))
        for r in rows] == [
    ("A/1", "0", "1", 16, 200), ("A/1", "1", "1", 16, 200), ("A/1", "1", "2", 16, 400), ("B/12", "0", "1", 16, 200),
    ("B/12", "0", "2", 16, 400), ("B/12", "0", "3", 16, 600)], rows
left = [f for folder, _, files in os.walk(out) for f in files if f.endswith((".csv", ".writing")) or "plan" in f]
assert not left, left
END
cat >measure.ijm <<'END'
Ext.CLIJ2_push(image);
Ext.CLIJ2_multiplyImageAndScalar(image, doubled, 2);
Ext.CLIJ2_threshold(doubled, mask, 50);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_statisticsOfLabelledPixels(doubled, labels);
Ext.CLIJ2_pull(doubled);
Ext.CLIJ2_pull(labels);
END
for version in 0.4 0.5; do
    python3 make.py in$version.zarr $version
    "$drua" process measure.ijm in$version.zarr out$version.zarr --zarr $version --compression none >said 2>log ||
        fail "plate $version: $(cat log)"
    python3 check.py out$version.zarr $version || fail "the plate of version $version is wrong"
done
grep -q "^field A/1/1, 2 of 3" log || fail "no progress of fields: $(cat log)"
[ "$(grep -c "^input" said)" = 1 ] || fail "plans of all fields are printed: $(cat said)"

# resumed after a field failed; finished fields stay
mv in0.4.zarr/A/1/1/0/0/0 kept
printf short >in0.4.zarr/A/1/1/0/0/0
status=0
"$drua" process measure.ijm in0.4.zarr again.zarr --compression none >said 2>log || status=$?
[ $status = 1 ] && grep -q "field A/1/1: .*(1 of 3 fields failed)" log || fail "a damaged field: $status, $(cat log)"
[ ! -e again.zarr ] && [ -d again.zarr.writing/B/12/0 ] || fail "a damaged field stops the others"
mv kept in0.4.zarr/A/1/1/0/0/0
sed 's/image, doubled, 2/image, doubled, 3/' measure.ijm >other.ijm
for folder in . A B/12; do # as processes killed while they write these groups leave them
    echo x >again.zarr.writing/$folder/part.1.2.3.writing
done
status=0
"$drua" process other.ijm in0.4.zarr again.zarr --compression none >said 2>log || status=$?
[ $status = 1 ] && grep -q "has fields of another run" log || fail "another pipeline resumes: $(cat log)"
"$drua" process measure.ijm in0.4.zarr again.zarr --compression none >said 2>log || fail "resumed: $(cat log)"
python3 check.py again.zarr 0.4 || fail "the resumed plate is wrong"

# a field that is missing does not stop the others; damage comes before absence
mv in0.4.zarr/A/1/0 gone
mv in0.4.zarr/B/12/0/0/0/0 kept
printf short >in0.4.zarr/B/12/0/0/0/0
status=0
"$drua" process measure.ijm in0.4.zarr absent.zarr --compression none >said 2>log || status=$?
[ $status = 1 ] && grep -q "field B/12/0: .*(2 of 3 fields failed)" log || fail "missing, damaged: $status, $(cat log)"
mv kept in0.4.zarr/B/12/0/0/0/0
status=0
"$drua" process measure.ijm in0.4.zarr absent.zarr --compression none >said 2>log || status=$?
[ $status = 75 ] && grep -q "field A/1/0: its folder 'in0.4.zarr/A/1/0' is missing.*(1 of 3 fields failed)" log ||
    fail "a missing field: $status, $(cat log)"
[ ! -e absent.zarr ] && [ -d absent.zarr.writing/B/12/0 ] || fail "a missing field stops the others"
mv gone in0.4.zarr/A/1/0
"$drua" process measure.ijm in0.4.zarr absent.zarr --compression none >said 2>log || fail "back: $(cat log)"
python3 check.py absent.zarr 0.4 || fail "the plate whose field came back is wrong"

# interrupted after the table was joined
mkdir late
# the last field fails, so that the folder keeps the others
mv in0.4.zarr/B/12/0/0/0/0 kept
printf short >in0.4.zarr/B/12/0/0/0/0
"$drua" process measure.ijm in0.4.zarr late/out.zarr --compression none >said 2>log && fail "a damaged field was done"
mv kept in0.4.zarr/B/12/0/0/0/0
cp out0.4.csv late/out.csv
"$drua" process measure.ijm in0.4.zarr late/out.zarr --compression none >said 2>log || fail "a table: $(cat log)"
python3 check.py late/out.zarr 0.4 || fail "the plate of a run with a table is wrong"

# a file of another program that appears during the run stays, and the same command continues when it has moved away
mkdir foreign
mv in0.4.zarr/B/12/0/0/0/0 kept
printf short >in0.4.zarr/B/12/0/0/0/0
"$drua" process measure.ijm in0.4.zarr foreign/out.zarr --compression none >said 2>log && fail "a short field is done"
mv kept in0.4.zarr/B/12/0/0/0/0
echo mine >foreign/out.csv
status=0
"$drua" process measure.ijm in0.4.zarr foreign/out.zarr --compression none >said 2>log || status=$?
[ $status = 1 ] && grep -q "foreign/out.csv' already exists" log && [ "$(cat foreign/out.csv)" = mine ] ||
    fail "a table of another program: $status, $(cat log)"
rm foreign/out.csv
"$drua" process measure.ijm in0.4.zarr foreign/out.zarr --compression none >said 2>log || fail "moved away: $(cat log)"
python3 check.py foreign/out.zarr 0.4 || fail "the plate beside a foreign table is wrong"

# killed at some moment
for pause in 0.1 0.2 0.3; do
    "$drua" process measure.ijm in0.4.zarr killed.zarr --compression none >said 2>log &
    sleep $pause
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
done
[ -e killed.zarr ] || "$drua" process measure.ijm in0.4.zarr killed.zarr --compression none >said 2>log ||
    fail "killed: $(cat log)"
python3 check.py killed.zarr 0.4 || fail "the plate of a killed run is wrong"

# refused
refuse() { # words of the sentence, output, pipeline
    status=0
    "$drua" process "$3" in0.4.zarr "$2" >said 2>log || status=$?
    [ $status = 1 ] && grep -q "$1" log || fail "$2: $status, $(cat log)"
}
refuse "already exists" again.zarr measure.ijm
status=0
"$drua" process measure.ijm in0.4.zarr again.zarr --overwrite >said 2>log || status=$?
[ $status = 1 ] && grep -q "already exists" log || fail "--overwrite replaces a plate: $status, $(cat log)"
echo mine >second-2.csv
refuse "second-2.csv' already exists" second.zarr measure.ijm
refuse "needs the extension .zarr" again.tif measure.ijm
refuse "must not contain each other" in0.4.zarr/out.zarr measure.ijm
sed 's/pull(labels)/pull(mask)/' measure.ijm >two.ijm
refuse "has 2 images as results" two.zarr two.ijm
mv in0.4.zarr/B gone
status=0
"$drua" process measure.ijm in0.4.zarr far.zarr >said 2>log || status=$?
[ $status = 75 ] && grep -q "the well 'in0.4.zarr/B/12' of the plate is missing; make it accessible" log ||
    fail "a missing well: $status, $(cat log)"
mv gone in0.4.zarr/B
cp in0.4.zarr/A/1/.zattrs kept
echo '{"well": {"images": []}}' >in0.4.zarr/A/1/.zattrs
refuse "the metadata of the well 'in0.4.zarr/A/1' list no images" far.zarr measure.ijm
echo '{"well": {"images": [{"path": "0"}, {"path": "0"}]}}' >in0.4.zarr/A/1/.zattrs
refuse "list the field A/1/0 twice" far.zarr measure.ijm
cp kept in0.4.zarr/A/1/.zattrs
cp in0.4.zarr/.zattrs kept
sed 's|"path": "B/12"|"path": "A/1"|' kept >in0.4.zarr/.zattrs
refuse "list the field A/1/0 twice" far.zarr measure.ijm
cp kept in0.4.zarr/.zattrs
sed -i.back 's|"path": "B/12"|"path": "../x"|' in0.4.zarr/.zattrs
refuse "whose path is not like A/1" far.zarr measure.ijm
