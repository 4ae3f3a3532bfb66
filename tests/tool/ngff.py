#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the metadata of pipelines' results: ngff.py DRUA [NAME].

Python writes images as the specifications of OME-Zarr and N5 say, runs the program on them, and reads its results with
json. Pixels are raw, so that Python needs no library.
"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

DRUA = str(pathlib.Path(sys.argv[1]).resolve())
SHAPE = {"t": 2, "c": 3, "z": 4, "y": 20, "x": 300}


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def put_bytes(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(value)


def zarr2(folder, shape, pixel=lambda index: sum(index) % 200):
    """An array of uint8 in one raw chunk."""
    put(folder / ".zarray", {"zarr_format": 2, "shape": shape, "chunks": shape, "dtype": "|u1", "fill_value": 0,
                             "order": "C", "filters": None, "dimension_separator": "/", "compressor": None})
    indexes = [()]
    for extent in shape:
        indexes = [index + (i,) for index in indexes for i in range(extent)]
    put_bytes(folder.joinpath(*["0"] * len(shape)), bytes(pixel(index) for index in indexes))


def zarr3(folder, shape):
    put(folder / "zarr.json", {
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "uint8", "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shape}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "codecs": [{"name": "bytes"}], "attributes": {}})
    size = 1
    for extent in shape:
        size *= extent
    put_bytes(folder.joinpath("c", *["0"] * len(shape)), bytes(i % 200 for i in range(size)))


def n5(folder, extent, **attributes):
    """An array of uint8 in one raw block; extents from x on."""
    put(folder / "attributes.json", {"dataType": "uint8", "dimensions": extent, "blockSize": extent,
                                     "compression": {"type": "raw"}, **attributes})
    size = 1
    head = (0).to_bytes(2, "big") + len(extent).to_bytes(2, "big")
    for n in extent:
        head += n.to_bytes(4, "big")
        size *= n
    put_bytes(folder.joinpath(*["0"] * len(extent)), head + bytes(i % 200 for i in range(size)))


def drua(*arguments):
    done = subprocess.run([DRUA, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def attributes(image):
    """The attributes of a group, and the part that is about OME-Zarr."""
    path = image / "zarr.json"
    if path.exists():
        group = json.loads(path.read_text())
        assert group["zarr_format"] == 3 and group["node_type"] == "group"
        return group["attributes"], group["attributes"]["ome"]
    group = json.loads((image / ".zattrs").read_text())
    return group, group


def axes_of(image):
    return attributes(image)[1]["multiscales"][0]["axes"]


def numbers(image, level, kind):
    """The scale or the translation of a level for each axis; None if the level has none."""
    image = attributes(image)[1]["multiscales"][0]
    steps = image["datasets"][level]["coordinateTransformations"]
    assert [step["type"] for step in steps] in (["scale"], ["scale", "translation"])
    for step in steps:
        if step["type"] == kind:
            assert len(step[kind]) == len(image["axes"])
            return step[kind]
    return None


def near(got, due):
    assert got is not None and len(got) == len(due), (got, due)
    assert all(abs(a - b) <= 1e-12 * max(1, abs(b)) for a, b in zip(got, due)), (got, due)


# ---- tests: each makes its images in an empty folder

CHANNELS = [
    {"color": "00FF00", "active": True, "label": "GFP \u00b5 \"x\"", "family": "linear", "inverted": False,
     "window": {"start": 100, "end": 1500.5, "min": 0, "max": 65535}},
    {"color": "FF00FF", "active": False, "label": "mCherry", "coefficient": 1,
     "window": {"start": 50, "end": 900, "min": 0, "max": 65535}},
    {"color": "0000FF", "label": "DAPI", "window": {"start": 0, "end": 2000, "min": 0, "max": 65535}}]
AXES = [{"name": "frame", "type": "time"}, {"name": "ch", "type": "channel"},
        {"name": "z", "type": "space", "unit": "nanometer"}, {"name": "y", "type": "space", "unit": "micrometer"},
        {"name": "x", "type": "space", "unit": "micrometer"}]


def make_channels(folder):
    """An image whose datasets and multiscales both have a scale and a translation; a time step without a unit."""
    zarr3(folder / "scale0/image", list(SHAPE.values()))
    put(folder / "zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {
        "stage": {"lens": "63x", "ids": [1, 2.5, None, True]},
        "ome": {"version": "0.5", "lab": "north", "multiscales": [{
            "name": "ct", "axes": AXES,
            "datasets": [{"path": "scale0/image", "coordinateTransformations": [
                {"type": "scale", "scale": [30, 1, 250, 0.325, 0.325]},
                {"type": "translation", "translation": [5, 0, 1000, -5, 3]}]}],
            "coordinateTransformations": [{"type": "scale", "scale": [2, 1, 1, 1, 2]},
                                          {"type": "translation", "translation": [0, 0, 0, 0.5, 0]}]}],
                "omero": {"channels": CHANNELS, "rdefs": {"model": "color", "defaultZ": 5}}}}})


def check_channels(image):
    whole, ome = attributes(image)
    due = CHANNELS[:2] + [{**CHANNELS[2], "active": True}]
    assert ome["omero"] == {"channels": due, "rdefs": {"model": "color", "defaultZ": 5}}, ome["omero"]
    assert axes_of(image) == AXES, axes_of(image)
    near(numbers(image, 0, "scale"), [60, 1, 250, 0.325, 0.65])
    near(numbers(image, 0, "translation"), [10, 0, 1000, -4.5, 6])
    # x and y halve, z does not; the centre of a pixel is the centre of the 2 x 2 pixels that it combines
    near(numbers(image, 1, "scale"), [60, 1, 500, 0.65, 1.3])
    near(numbers(image, 1, "translation"), [10, 0, 1125, -4.5 + 0.1625, 6.325])
    assert whole["stage"] == {"lens": "63x", "ids": [1, 2.5, None, True]}
    assert ome.get("lab", whole.get("lab")) == "north"


def channels(folder):
    make_channels(folder / "in.zarr")
    for version in "0.4", "0.5":
        out = folder / f"{version}.zarr"
        drua("process", "copy", folder / "in.zarr", out, "--zarr", version)
        check_channels(out)
        drua("process", "copy", out, folder / f"again{version}.zarr", "--zarr", "0.5")
        check_channels(folder / f"again{version}.zarr")


def translated(folder):
    """A time step in an unknown unit, an image with one frame and channel, and an axis with a negative scale."""
    axes = [{"name": "t", "type": "time", "unit": "blinks"}, {"name": "c", "type": "channel"}, *AXES[3:]]
    zarr2(folder / "in.zarr/0", [1, 1, 30, 40])
    put(folder / "in.zarr/.zgroup", {"zarr_format": 2})
    put(folder / "in.zarr/.zattrs", {"multiscales": [{"version": "0.4", "axes": axes, "datasets": [
        {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [7, 1, -0.5, 0.5]},
                                                    {"type": "translation", "translation": [0, 0, 8, 9]}]}]}]})
    drua("process", "copy", folder / "in.zarr", folder / "out.zarr")
    assert axes_of(folder / "out.zarr") == axes, axes_of(folder / "out.zarr")
    near(numbers(folder / "out.zarr", 0, "scale"), [7, 1, -0.5, 0.5])
    near(numbers(folder / "out.zarr", 0, "translation"), [0, 0, 8, 9])


def moved_parts(folder):
    """Parts, projections and smaller images begin where their first pixel was."""
    axes = AXES[2:3] + AXES[3:]
    zarr2(folder / "in.zarr/0", [8, 30, 40])
    put(folder / "in.zarr/.zattrs", {"multiscales": [{"version": "0.4", "axes": axes, "datasets": [
        {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [2000, 0.5, 0.25]},
                                                    {"type": "translation", "translation": [9000, -4, 100]}]}]}]})
    cases = [("CLIJ2_crop3D(i, r, 8, 6, 2, 20, 10, 3)", [2000, 0.5, 0.25], [13000, -1, 102]),
             ("CLIJ2_subStack(i, r, 3, 6)", [2000, 0.5, 0.25], [15000, -4, 100]),
             ("CLIJ2_reduceStack(i, r, 2, 1)", [4000, 0.5, 0.25], [11000, -4, 100]),
             ("CLIJ2_maximumZProjection(i, r)", [0.5, 0.25], [-4, 100]),
             ("CLIJ2_meanZProjection(i, r)", [0.5, 0.25], [-4, 100]),
             ("CLIJ2_medianZProjection(i, r)", [0.5, 0.25], [-4, 100]),
             ("Drua_binMean(i, r, 2, 2, 4)", [8000, 1, 0.5], [12000, -3.75, 100.125]),
             ("CLIJ2_downsample3D(i, r, 0.5, 0.5, 1)", [2000, 1, 0.5], [9000, -4, 100]),
             ("CLIJ2_downsampleSliceBySliceHalfMedian(i, r)", [2000, 1, 0.5], [9000, -3.75, 100.125]),
             ("CLIJ2_resample(i, r, 2, 2, 1, 1)", [2000, 1, 0.5], [9000, -3.75, 100.125]),
             ("CLIJ2_transposeXY(i, r)", [2000, 0.25, 0.5], [9000, 100, -4])]
    for line, scale, place in cases:
        (folder / "one.ijm").write_text(f"Ext.Drua_push(i); Ext.{line}; Ext.Drua_pull(r);")
        drua("process", folder / "one.ijm", folder / "in.zarr", folder / "out.zarr", "--overwrite")
        near(numbers(folder / "out.zarr", 0, "scale"), scale)
        near(numbers(folder / "out.zarr", 0, "translation"), place)
    # a mirrored axis has no position, and the plan says so
    (folder / "one.ijm").write_text("Ext.Drua_push(i); Ext.CLIJ2_rotateClockwise(i, r); Ext.Drua_pull(r);")
    said = drua("process", folder / "one.ijm", folder / "in.zarr", folder / "out.zarr", "--overwrite")
    assert "note    the result r has no position: where its first pixel lies in IN is not known\n" in said, said


def lost(folder):
    """The plan says which metadata the format of a TIFF cannot hold."""
    make_channels(folder / "in.zarr")
    for name, words in (("out.tif", "names of channels, position, own attributes"),
                        ("out.ome.tif", "display ranges, own attributes")):
        said = drua("process", "copy", folder / "in.zarr", folder / name)
        assert f"note    {folder / name} has no place for: {words}\n" in said, said
    zarr2(folder / "plain.zarr/0", [20, 30])
    assert "no place" not in drua("process", "copy", folder / "plain.zarr/0", folder / "plain.tif")


def levels(folder):
    """A level that is opened by its own path has the scale and place that its image states for it."""
    zarr2(folder / "in.zarr/0", [30, 40])
    zarr2(folder / "in.zarr/below/1", [15, 20])
    put(folder / "in.zarr/.zattrs", {"multiscales": [{"version": "0.4", "axes": AXES[3:], "datasets": [
        {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.5]}]},
        {"path": "below/1", "coordinateTransformations": [{"type": "scale", "scale": [1, 1.5]},
                                                          {"type": "translation", "translation": [0.25, 0.5]}]}]}]})
    drua("process", "copy", folder / "in.zarr/below/1", folder / "out.zarr")
    assert axes_of(folder / "out.zarr") == AXES[3:]
    near(numbers(folder / "out.zarr", 0, "scale"), [1, 1.5])
    near(numbers(folder / "out.zarr", 0, "translation"), [0.25, 0.5])


def setups(folder):
    """BigDataViewer's N5 has the resolution in the time point and the downsampling in the setup; n5-viewer's has both
    in the image."""
    bdv, viewer = folder / "bdv.n5", folder / "viewer.n5"
    put(bdv / "attributes.json", {"n5": "2.0.0"})
    put(bdv / "setup0/attributes.json", {"downsamplingFactors": [[1, 1, 1], [2, 2, 1]], "dataType": "uint8"})
    put(bdv / "setup0/timepoint0/attributes.json", {"multiScale": True, "resolution": [0.2, 0.3, 1.5]})
    n5(bdv / "setup0/timepoint0/s0", [20, 10, 4])
    n5(bdv / "setup0/timepoint0/s1", [10, 5, 4], downsamplingFactors=[2, 2, 1])
    put(viewer / "attributes.json", {"scales": [[1, 1, 1], [4, 4, 2]],
                                     "pixelResolution": {"unit": "um", "dimensions": [0.2, 0.3, 1.5]}})
    n5(viewer / "s0", [20, 10, 4])
    n5(viewer / "s1", [5, 3, 2])
    for path, scale, place in ((bdv / "setup0", [1.5, 0.3, 0.2], None),
                               (bdv / "setup0/timepoint0", [1.5, 0.3, 0.2], None),
                               (bdv / "setup0/timepoint0/s1", [1.5, 0.6, 0.4], [0, 0.15, 0.1]),
                               (viewer / "s1", [3, 1.2, 0.8], [0.75, 0.45, 0.3]), (viewer, [1.5, 0.3, 0.2], None)):
        out = folder / "out.zarr"
        drua("process", "copy", path, out, "--overwrite")
        near(numbers(out, 0, "scale"), scale)
        assert (numbers(out, 0, "translation") is None) == (place is None), path
        if place:
            near(numbers(out, 0, "translation"), place)
        assert [axis.get("unit") for axis in axes_of(out)] == ["micrometer" if viewer in path.parents or path == viewer
                                                              else None] * 3


def pixels_of(array):
    """The pixels of an array in one raw chunk, as a function of the index."""
    about = json.loads((array / ".zarray").read_text())
    data = array.joinpath(*["0"] * len(about["shape"])).read_bytes()
    size = int(about["dtype"][2:])
    assert about["compressor"] is None and about["chunks"] == about["shape"] and about["dtype"][1] == "u", about

    def at(*index):
        place = 0
        for i, extent in zip(index, about["shape"]):
            place = place * extent + i
        return int.from_bytes(data[size * place:size * place + size], "little")
    return at, about["shape"], about["dtype"]


def check_labels(image, dtype, objects):
    """Level 0 numbers the objects; each pixel of level 1 is the most frequent of those that it combines."""
    (all_, shape, found), (below, small, _) = pixels_of(image / "0"), pixels_of(image / "1")
    assert found == dtype, found
    seen = set()
    for y in range(shape[0]):
        for x in range(shape[1]):
            assert (all_(y, x) > 0) == objects(y, x), (y, x, all_(y, x))
            seen.add(all_(y, x))
    assert len(seen) > 100, len(seen)
    for y in range(small[0]):
        for x in range(small[1]):
            four = [all_(j, i) for j in (2 * y, 2 * y + 1) for i in (2 * x, 2 * x + 1) if j < shape[0] and i < shape[1]]
            most = max(four.count(value) for value in four)
            assert below(y, x) == min(value for value in four if four.count(value) == most), (y, x)
    label = attributes(image)[1]["image-label"]
    assert label["version"] == "0.4" and "omero" not in attributes(image)[1], label
    return label


def objects(y, x):
    return x % 5 > 0 and y % 4 > 0


def make_objects(folder):
    zarr2(folder / "in.zarr/0", [41, 301], lambda index: 200 if objects(*index) else 0)
    put(folder / "in.zarr/.zattrs", {"multiscales": [{"version": "0.4", "axes": AXES[3:], "datasets": [
        {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.5]}]}]}],
        "omero": {"channels": [CHANNELS[0]]}})


NUMBERED = "Ext.CLIJ2_push(i); Ext.CLIJ2_greaterConstant(i, m, 100); Ext.CLIJ2_connectedComponentsLabelingBox(m, l);"
RAW = "--compression", "none", "--chunk", "512,512,1"


def labels(folder):
    """Numbers of objects are labels after conversions, and of type uint32 unless the pipeline says another type."""
    make_objects(folder)
    for name, end, dtype in (("plain", "Ext.CLIJ2_pull(l);", "<u4"),
                             ("small", "Ext.CLIJ2_convertUInt16(l, s); Ext.CLIJ2_copy(s, t); Ext.CLIJ2_pull(t);",
                              "<u2"),
                             ("inside", "Ext.CLIJ2_mask(l, m, t); Ext.CLIJ2_pull(t);", "<u4")):
        (folder / f"{name}.ijm").write_text(NUMBERED + end)
        drua("process", folder / f"{name}.ijm", folder / "in.zarr", folder / f"{name}.zarr", *RAW)
        check_labels(folder / f"{name}.zarr", dtype, objects)
    drua("process", "copy", folder / "small.zarr", folder / "again.zarr", *RAW)
    check_labels(folder / "again.zarr", "<u2", objects)
    (folder / "said.ijm").write_text(NUMBERED + "Ext.CLIJ2_addImageAndScalar(l, t, 1); Ext.CLIJ2_pull(t);")
    drua("process", folder / "said.ijm", folder / "in.zarr", folder / "not.zarr", *RAW)
    assert attributes(folder / "not.zarr")[1]["multiscales"][0]["type"] == "mean"
    drua("process", folder / "said.ijm", folder / "in.zarr", folder / "said.zarr", "labels=yes", *RAW)
    check_labels(folder / "said.zarr", "<u4", lambda y, x: True)
    drua("process", folder / "plain.ijm", folder / "in.zarr", folder / "no.zarr", "--labels", "no", *RAW)
    assert "image-label" not in attributes(folder / "no.zarr")[1]


def moved(folder):
    """A result whose voxels differ from the input's states their size and the position of its first voxel."""
    zarr2(folder / "in.zarr/0", [20, 30])
    put(folder / "in.zarr/.zattrs", {"multiscales": [{"version": "0.4", "axes": AXES[3:], "datasets": [
        {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.25]},
                                                    {"type": "translation", "translation": [3, 4]}]}]}]})
    for name, command, scale, place in (("binned", "Ext.Drua_binMean(a, b, 2, 2, 1);", [1, 0.5], [3.25, 4.125]),
                                        ("cropped", "Ext.CLIJ2_crop2D(a, b, 1, 1, 9, 9);", [0.5, 0.25], [3.5, 4.25]),
                                        ("opened", "Ext.CLIJ2_topHatBox(a, b, 2, 2, 0);", [0.5, 0.25], [3, 4])):
        (folder / f"{name}.ijm").write_text(f"Ext.CLIJ2_push(a); {command} Ext.CLIJ2_pull(b);")
        drua("process", folder / f"{name}.ijm", folder / "in.zarr", folder / f"{name}.zarr")
        near(numbers(folder / f"{name}.zarr", 0, "scale"), scale)
        assert numbers(folder / f"{name}.zarr", 0, "translation") == place, name


def labels_of_image(folder):
    """Labels beside an image lie in its group; the folder of several images is a group that lists them."""
    make_objects(folder)
    (folder / "one.ijm").write_text(NUMBERED + "Ext.CLIJ2_pull(i); Ext.CLIJ2_pull(l);")
    (folder / "two.ijm").write_text(NUMBERED + "Ext.CLIJ2_pull(l); Ext.CLIJ2_pull(i); Ext.CLIJ2_pull(m);")
    one, two = folder / "one.zarr", folder / "two"
    for version, name in (("0.4", ".zattrs"), ("0.5", "zarr.json"), ("0.5", "zarr.json")):
        drua("process", folder / "one.ijm", folder / "in.zarr", one, "--zarr", version, "--overwrite")
        assert {path.name for path in one.iterdir()} - {".zgroup"} == {"0", "1", "labels", name}
        assert attributes(one / "labels")[1]["labels"] == ["l"]
        label = attributes(one / "labels/l")[1]
        assert label["image-label"] == {"version": version, "source": {"image": "../../"}}, label
        assert label["multiscales"][0]["axes"] == axes_of(one)
        assert attributes(one)[1]["omero"]["channels"] == [CHANNELS[0]] and "omero" not in label
    plan = folder / "plan.json"
    drua("plan", folder / "two.ijm", folder / "in.zarr", two, "-o", plan)
    drua("run", plan)
    assert sorted(path.name for path in two.iterdir()) == ["i.zarr.writing", "m.zarr.writing"]
    drua("finish", plan)
    drua("finish", plan)
    drua("verify", plan)
    assert attributes(two)[1] == {"bioformats2raw.layout": 3}
    assert attributes(two / "OME")[1] == {"series": ["i.zarr", "m.zarr"]}
    check_xml(two / "OME/METADATA.ome.xml")
    assert attributes(two / "i.zarr/labels")[1] == {"labels": ["l"]} and not (two / "m.zarr/labels").exists()
    drua("process", "copy", two, folder / "first.zarr", *RAW)
    assert (folder / "first.zarr/0/0/0").read_bytes() == (folder / "in.zarr/0/0/0").read_bytes()
    (two / "i.zarr/labels/note.txt").write_text("mine")
    done = subprocess.run([DRUA, "process", "copy", folder / "in.zarr", two / "i.zarr", "--overwrite"],
                          capture_output=True, text=True)
    assert done.returncode != 0 and "note.txt" in done.stderr and (two / "i.zarr/labels/note.txt").exists()


def check_xml(path):
    """The OME-XML that napari needs lists an image for each path, with its size, scale and channel."""
    root = xml.parse(path).getroot()
    name = "{http://www.openmicroscopy.org/Schemas/OME/2016-06}"
    assert [image.get("ID") for image in root] == ["Image:i.zarr", "Image:m.zarr"]
    for image in root:
        pixels = image.find(name + "Pixels")
        assert [pixels.get("Size" + axis) for axis in "XYZCT"] == ["301", "41", "1", "1", "1"], pixels.attrib
        assert float(pixels.get("PhysicalSizeX")) == 0.5 and pixels.get("PhysicalSizeXUnit") == "\u00b5m"
        assert pixels.find(name + "MetadataOnly") is not None
        assert pixels.find(name + "Channel").get("Name") == CHANNELS[0]["label"]


def refused(*arguments):
    done = subprocess.run([DRUA, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode != 0, arguments
    return done.stderr


def tiff(path, bits, kind, rows, width, tags=()):
    """A page of rows in the file's bytes, little-endian; `kind` is the sample format; tags: (number, type, value)."""
    pixels = b"".join(rows)
    place = 8 + len(pixels)
    entries = [(256, 4, width), (257, 4, len(rows)), (258, 3, bits), (259, 3, 1), (262, 3, 1), (273, 4, 8), (277, 3, 1),
               (278, 4, len(rows)), (279, 4, len(pixels)), (339, 3, kind), *tags]
    after = place + 2 + 12 * len(entries) + 4
    more = body = b""
    for number, type_, value in sorted(entries):
        if type_ == 5:
            body += struct.pack("<HHII", number, type_, 1, after + len(more))
            more += struct.pack("<II", *value)
        else:
            body += struct.pack("<HHII", number, type_, 1, value)
    path.write_bytes(struct.pack("<2sHI", b"II", 42, place) + pixels + struct.pack("<H", len(entries)) + body +
                     bytes(4) + more)


def raw_row(image):
    """The first row of an image in one raw chunk, and its type."""
    about = json.loads((image / "0/.zarray").read_text())
    data = image.joinpath("0", *["0"] * len(about["shape"])).read_bytes()
    code = {"|u1": "B", "<u2": "H", "<u4": "I", "<i4": "i", "<f4": "f"}[about["dtype"]]
    values = struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data)
    return about["dtype"], list(values)[:about["shape"][-1]]


def types(folder):
    """Pixels of types that Drua lacks are read if no value changes, and otherwise refused."""
    cases = [("|b1", "?", [True, False, True], "|u1"), ("<f8", "d", [0.5, -3, float("inf")], "<f4"),
             ("<i8", "q", [-2**31, 5, 2**31 - 1], "<i4"), ("<u8", "Q", [0, 7, 2**32 - 1], "<u4"),
             ("<f8", "d", [0.1, 0, 0], None), ("<i8", "q", [2**31, 0, 0], None), ("<u8", "Q", [2**32, 0, 0], None)]
    for i, (dtype, code, values, made) in enumerate(cases):
        image = folder / f"{i}.zarr"
        put(image / ".zarray", {"zarr_format": 2, "shape": [2, 3], "chunks": [1, 3], "dtype": dtype, "order": "C",
                                "fill_value": dtype == "|b1", "filters": None, "compressor": None})
        put_bytes(image / "1.0", struct.pack(f"<3{code}", *values))
        out = folder / f"{i}-out.zarr"
        if made:
            drua("process", "flip flip_x=1", image, out, *RAW)
            assert raw_row(out) == (made, [int(dtype == "|b1")] * 3), raw_row(out)
            drua("process", "flip flip_y=1", image, folder / f"{i}-turned.zarr", *RAW)
            assert raw_row(folder / f"{i}-turned.zarr") == (made, values), raw_row(folder / f"{i}-turned.zarr")
        else:
            assert "cannot hold exactly" in refused("process", "copy", image, out)
    cases = [(1, 1, b"\xa0", [255, 0, 255], "|u1"), (12, 1, b"\xab\xc1\x23\xff\xf0", [0xabc, 0x123, 0xfff], "<u2"),
             (16, 3, struct.pack("<3e", 0.5, -2, 65504), [0.5, -2, 65504], "<f4"),
             (64, 3, struct.pack("<3d", 0.5, -2, 1), [0.5, -2, 1], "<f4"),
             (64, 3, struct.pack("<3d", 0.1, 0, 0), None, None),
             (64, 2, struct.pack("<3q", -9, 2, 3), [-9, 2, 3], "<i4"),
             (64, 1, struct.pack("<3Q", 2**32, 2, 3), None, None)]
    for i, (bits, kind, row, values, made) in enumerate(cases):
        image, out = folder / f"{i}.tif", folder / f"{i}-tif.zarr"
        tiff(image, bits, kind, [row, row], 3)
        if made:
            drua("process", "copy", image, out, *RAW)
            assert raw_row(out) == (made, values), raw_row(out)
        else:
            assert "cannot hold exactly" in refused("process", "copy", image, out)


def resolutions(folder):
    """The scale of a TIFF without a text is the one that ImageJ's open() gives. ImageJ ignores 72 pixels per inch, and
    states small fractions of a centimetre in micrometres."""
    cases = [(2, (72, 1), 1, None), (2, (254, 1), 1 / 254, "inch"), (3, (50, 1), 0.02, "centimeter"),
             (3, (10000, 1), 1, "micrometer"), (1, (2, 1), 0.5, None), (None, (2, 1), 1, None)]
    for i, (unit, fraction, size, named) in enumerate(cases):
        tags = [(282, 5, fraction), (283, 5, fraction)] + ([(296, 3, unit)] if unit else [])
        tiff(folder / f"{i}.tif", 8, 1, [b"abc", b"def"], 3, tags)
        out = folder / f"{i}.zarr"
        drua("process", "copy", folder / f"{i}.tif", out)
        assert all(abs(number - size) < 1e-8 for number in numbers(out, 0, "scale")), (i, numbers(out, 0, "scale"))
        assert [axis.get("unit") for axis in axes_of(out)] == [named, named], axes_of(out)
        drua("process", "copy", out, folder / f"{i}-back.tif")
        drua("process", "copy", folder / f"{i}-back.tif", folder / f"{i}-again.zarr")
        assert all(abs(number - size) < 1e-6 for number in numbers(folder / f"{i}-again.zarr", 0, "scale"))


def wrong_types(folder):
    """Display settings whose type differs from OME-Zarr's are left out with a note. All others are kept."""
    wrong = {"label": 7, "color": 16711680, "family": [], "active": "yes", "inverted": 1, "window": [0, 5],
             "coefficient": "1"}
    listed = [{**CHANNELS[0], "own": {"kept": [1]}}, wrong, {**CHANNELS[2], "window": {"start": "0", "end": 9}}]
    cases = [({"channels": listed, "rdefs": 5}, "rdefs; channel 2: label, color, family, active, inverted, window, "
              "coefficient; channel 3: window"), ({"channels": {"label": "GFP"}}, "channels"), ([1], "omero"),
             ({"channels": [4, None, CHANNELS[2]]}, "channel 1; channel 2")]
    for i, (omero, named) in enumerate(cases):
        image, out = folder / f"{i}.zarr", folder / f"{i}-out.zarr"
        zarr2(image / "0", [3, 2, 40])
        put(image / ".zattrs", {"multiscales": [{"version": "0.4", "axes": [
            {"name": "c", "type": "channel"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
            "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1, 1, 1]}]}]}],
            "omero": omero})
        assert f"left out: {named}\n" in drua("process", "copy", image, out)
        made = attributes(out)[1].get("omero", {}).get("channels")
        if i == 0:
            assert made[0] == listed[0], made[0]
            assert made[1]["label"] == "2" and made[1]["active"] is True and made[1]["window"]["max"] == 255, made[1]
            assert set(made[1]) == {"label", "color", "active", "window"}, made[1]
            assert made[2]["label"] == "DAPI" and made[2]["window"]["max"] == 255, made[2]
            assert "rdefs" not in attributes(out)[1]["omero"]
        else:
            assert made is None or made[0]["label"] == "1", made
    zarr2(folder / "good.zarr/0", [3, 2, 40])
    assert "left out" not in drua("process", "copy", folder / "good.zarr/0", folder / "good-out.zarr")


def cut_shards(folder):
    """A shard that has lost bytes before or between its chunks is refused, although its index is whole."""
    image = folder / "a.zarr"
    zarr3(image, [4, 60])
    about = json.loads((image / "zarr.json").read_text())
    for place in "start", "end":
        about["codecs"] = [{"name": "sharding_indexed", "configuration": {
            "chunk_shape": [2, 60], "codecs": [{"name": "bytes"}], "index_location": place,
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]
        put(image / "zarr.json", about)
        first = 32 if place == "start" else 0
        index, pixels = struct.pack("<4Q", first, 120, first + 120, 120), bytes(240)
        for cut in 0, 1, 33, 119:
            whole = index + pixels[cut:] if place == "start" else pixels[cut:] + index
            put_bytes(image / "c/0/0", whole)
            out = folder / f"{place}{cut}.zarr"
            if cut:
                assert "index" in refused("process", "copy", image, out)
            else:
                drua("process", "copy", image, out)
    index = struct.pack("<4Q", 16, 120, 152, 120)
    about["codecs"][0]["configuration"]["index_location"] = "start"
    put(image / "zarr.json", about)
    put_bytes(image / "c/0/0", index + bytes(240))
    assert "where the index is" in refused("process", "copy", image, folder / "inside.zarr")


def versions(folder):
    """N5 of a later major version is refused, because it may store pixels in another way."""
    for version, accepted in ("1.0.0", True), ("4.1.0", True), ("5.0.0", False), ("17", False):
        image = folder / f"{version}.n5"
        n5(image, [30, 20], n5=version)
        if accepted:
            drua("process", "copy", image, folder / f"{version}.zarr")
        else:
            assert f"N5 version {version}" in refused("process", "copy", image, folder / f"{version}.zarr")


TESTS = [channels, translated, moved_parts, lost, levels, setups, moved, labels, labels_of_image, types, resolutions,
         wrong_types, cut_shards, versions]

for test in TESTS:
    if len(sys.argv) < 3 or sys.argv[2] == test.__name__:
        with tempfile.TemporaryDirectory() as name:
            test(pathlib.Path(name).resolve())
        print(test.__name__)
