# SPDX-License-Identifier: BSD-3-Clause
"""Tests that other programs read what Drua writes, and the reverse: readers.py DRUA.

The other programs are napari's reader (napari-ome-zarr), ome-zarr-py, ngff-zarr and tifffile. Each writes images that
Drua processes. Each reads the results: pixels, levels, names, colours and display ranges of channels, voxel sizes,
positions, labels, plates.
"""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import traceback

import napari_ome_zarr
import ngff_zarr
import numpy
import ome_zarr.format
import ome_zarr.io
import ome_zarr.reader
import ome_zarr.writer
import tifffile
import zarr

DRUA = str(pathlib.Path(sys.argv[1]).resolve())
FORMATS = {"0.4": ome_zarr.format.FormatV04(), "0.5": ome_zarr.format.FormatV05()}
UNITS = {"t": "second", "z": "micrometer", "y": "micrometer", "x": "micrometer"}
SCALE = {"t": 2.5, "c": 1, "z": 0.5, "y": 0.25, "x": 0.125}
POSITION = {"t": 0, "c": 0, "z": 12, "y": -3.5, "x": 100}
NAMES, COLOURS = ["DNA <1>", "actin"], ["0000FF", "FF8000"]
WINDOWS = [[3, 900], [10, 2000.5]]


def drua(*arguments):
    done = subprocess.run([DRUA, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, f"drua {' '.join(map(str, arguments))}: {done.stderr}"
    return done.stdout


def near(got, due):
    assert len(got) == len(due) and numpy.allclose(got, due, rtol=1e-12, atol=1e-12), (got, due)


def squares():
    """Numbers and places of the cells, squares of 6 x 6 pixels."""
    for number in range(12):
        y, x = 4 + 16 * (number // 4), 4 + 20 * (number % 4)
        yield number, numpy.s_[..., y:y + 6, x:x + 6]


def cells(shape):
    """Bright squares on a dark background, whose brightness tells them apart."""
    image = numpy.zeros(shape, "uint16")
    for number, place in squares():
        image[place] = 300 + 50 * number
    return image


def movie():
    """Two frames of two channels of three slices, each with another background."""
    image = cells((2, 2, 3, 60, 90))
    return image + numpy.arange(12, dtype="uint16").reshape(2, 2, 3, 1, 1)


def axes_of(names):
    types = {"t": "time", "c": "channel"}
    return [{"name": n, "type": types.get(n, "space"), **({"unit": UNITS[n]} if n in UNITS else {})} for n in names]


def omero():
    return {"channels": [{"label": NAMES[i], "color": COLOURS[i], "active": i == 0,
                          "window": {"start": WINDOWS[i][0], "end": WINDOWS[i][1], "min": 0, "max": 65535}}
                         for i in range(2)]}


def transforms(names, levels):
    steps = []
    for level in range(levels):
        factor = {"y": 2**level, "x": 2**level}
        scale = [SCALE[n] * factor.get(n, 1) for n in names]
        place = [POSITION[n] + SCALE[n] * (factor.get(n, 1) - 1) / 2 for n in names]
        steps.append([{"type": "scale", "scale": scale}, {"type": "translation", "translation": place}])
    return steps


def by_ome_zarr_py(path, version):
    image = movie()
    group = zarr.open_group(path, mode="w", zarr_format=2 if version == "0.4" else 3)
    levels = [image, image[..., ::2, ::2]]
    ome_zarr.writer.write_multiscale(levels, group, FORMATS[version], axes=axes_of("tczyx"),
                                     coordinate_transformations=transforms("tczyx", 2))
    ome_zarr.writer.add_metadata(group, {"omero": omero()}, FORMATS[version])
    return image


# ---- readers


def read_by_napari(path):
    """Layers of napari's reader: levels, settings, kind."""
    with contextlib.redirect_stdout(io.StringIO()):
        return napari_ome_zarr.napari_get_reader(str(path))(str(path))


def read_by_ome_zarr_py(path):
    place = ome_zarr.io.parse_url(str(path))
    assert place is not None, f"ome-zarr-py does not open {path}"
    return list(ome_zarr.reader.Reader(place)())


def colour_of(colormap):
    """The brightest colour of a napari colormap, as hexadecimal digits."""
    return "".join(f"{round(255 * part):02X}" for part in colormap.colors[-1][:3])


def check_halves(levels):
    """Each level is half as wide and high as the one before."""
    for large, small in zip(levels, levels[1:]):
        assert small.shape[:-2] == large.shape[:-2], (large.shape, small.shape)
        for axis in -2, -1:
            assert small.shape[axis] in (large.shape[axis] // 2, (large.shape[axis] + 1) // 2), small.shape


# ---- tests


def check_channels(path, expected, version):
    layers = read_by_napari(path)
    assert [kind for _, _, kind in layers] == ["image"], layers
    levels, about, _ = layers[0]
    assert numpy.array_equal(levels[0].compute(), expected), f"napari reads wrong pixels of {path}"
    check_halves(levels)
    assert about["channel_axis"] == 1 and about["axis_labels"] == ("t", "z", "y", "x"), about
    assert about["units"] == tuple(UNITS[n] for n in "tzyx"), about["units"]
    assert [name.split(": ")[-1] for name in about["name"]] == NAMES, about["name"]
    assert [colour_of(map_) for map_ in about["colormap"]] == COLOURS, about["colormap"]
    assert about["contrast_limits"] == WINDOWS and about["visible"] == [True, False], about
    near(about["scale"], [SCALE[n] for n in "tzyx"])

    node, = read_by_ome_zarr_py(path)
    assert numpy.array_equal(node.data[0].compute(), expected)
    assert node.metadata["channel_names"] == NAMES and node.metadata["contrast_limits"] == WINDOWS, node.metadata
    assert node.metadata["visible"] == [True, False]
    for level, steps in enumerate(node.metadata["coordinateTransformations"]):
        due = transforms("tczyx", len(node.data))[level]
        near(steps[0]["scale"], due[0]["scale"])
        near(steps[1]["translation"], due[1]["translation"])
    assert node.metadata["axes"] == axes_of("tczyx"), node.metadata["axes"]

    several = ngff_zarr.from_ngff_zarr(str(path), validate=True, version=version)
    first = several.images[0]
    assert numpy.array_equal(first.data.compute(), expected) and tuple(first.dims) == tuple("tczyx")
    assert all(abs(first.scale[n] - SCALE[n]) < 1e-12 for n in "tzyx"), first.scale
    assert all(abs(first.translation[n] - POSITION[n]) < 1e-12 for n in "tzyx"), first.translation
    assert {n: str(unit) for n, unit in first.axes_units.items() if unit} == UNITS, first.axes_units
    found = several.metadata.omero.channels
    assert [(c.label, c.color, [c.window.start, c.window.end]) for c in found] == list(zip(NAMES, COLOURS, WINDOWS))
    assert len(several.images) == len(levels)


def channels(folder):
    """Movies of ome-zarr-py, filtered by Drua, in both versions and as one file (.ozx)."""
    for version in FORMATS:
        image = by_ome_zarr_py(folder / f"in{version}.zarr", version)
        for made in FORMATS:
            out = folder / f"out{version}-{made}.zarr"
            drua("process", "flip flip_x=1", folder / f"in{version}.zarr", out, "--zarr", made, "--chunk", "32,32,2")
            check_channels(out, image[..., ::-1], made)
    drua("process", "copy", folder / "in0.5.zarr", folder / "out.ozx", "--zarr", "0.5")
    several = ngff_zarr.from_ngff_zarr(str(folder / "out.ozx"), validate=True, version="0.5")
    assert numpy.array_equal(several.images[0].data.compute(), movie())
    assert several.metadata.omero.channels[1].label == NAMES[1]


PIPELINE = """Ext.Drua_push(image);
Ext.CLIJ2_multiplyImageAndScalar(image, doubled, 2);
Ext.CLIJ2_threshold(doubled, mask, 400);
Ext.CLIJ2_connectedComponentsLabelingBox(mask, labels);
Ext.CLIJ2_statisticsOfLabelledPixels(doubled, labels);
Ext.Drua_pull(doubled);
Ext.Drua_pull(labels);
"""


def objects(shape):
    """The label map of the cells."""
    due = numpy.zeros(shape, "uint32")
    for number, place in squares():
        due[place] = number + 1
    return due


def labels(folder):
    """Labels in the group of their image are layers of labels; an image of labels alone is a label too."""
    (folder / "pipeline.ijm").write_text(PIPELINE)
    for version in FORMATS:
        image = by_ome_zarr_py(folder / f"in{version}.zarr", version)
        out, due = folder / f"out{version}.zarr", objects(image.shape)
        drua("process", folder / "pipeline.ijm", folder / f"in{version}.zarr", out, "--zarr", version)
        layers = read_by_napari(out)
        assert [kind for _, _, kind in layers] == ["image", "labels"], [kind for _, _, kind in layers]
        assert numpy.array_equal(layers[0][0][0].compute(), 2 * image)
        check_label_layer(layers[1], due)
        image_node, group, label = read_by_ome_zarr_py(out)
        assert numpy.array_equal(label.data[0].compute(), due) and label.data[0].dtype.kind == "u"
        assert label.metadata["name"] == "labels" and label.metadata["metadata"]["path"] == "labels"
        near(label.metadata["coordinateTransformations"][0][0]["scale"], [SCALE[n] for n in "tczyx"])
        near(label.metadata["coordinateTransformations"][0][1]["translation"], [POSITION[n] for n in "tczyx"])
        # opened by their own path, they show their image too
        assert [kind for _, _, kind in read_by_napari(out / "labels/labels")] == ["image", "labels"]
        found = ngff_zarr.from_ngff_zarr(str(out / "labels/labels"), validate=True, version=version)
        assert numpy.array_equal(found.images[0].data.compute(), due)

        alone = folder / f"alone{version}.zarr"
        drua("process", "copy", out / "labels/labels", alone, "--zarr", version)
        layer, = read_by_napari(alone)
        check_label_layer(layer, due)
        assert numpy.array_equal(read_by_ome_zarr_py(alone)[-1].data[0].compute(), due)


def check_label_layer(layer, due):
    levels, about, kind = layer
    assert kind == "labels" and levels[0].dtype.kind == "u", (kind, levels[0].dtype)
    squeezed = due[:, 0] if levels[0].ndim == 4 else due
    assert numpy.array_equal(levels[0].compute(), squeezed)
    for level in levels[1:]: # no label is invented
        assert set(numpy.unique(level.compute())) <= set(numpy.unique(due))


def several(folder):
    """The images of a folder of results open one by one, and as a folder."""
    (folder / "two.ijm").write_text(PIPELINE.replace("Ext.Drua_pull(labels);", "Ext.Drua_pull(mask);"))
    for version in FORMATS:
        image = by_ome_zarr_py(folder / f"in{version}.zarr", version)
        out = folder / f"out{version}"
        drua("process", folder / "two.ijm", folder / f"in{version}.zarr", out, "--zarr", version, "--labels", "no")
        for name, due in ("doubled", 2 * image), ("mask", (objects(image.shape) > 0).astype("uint8")):
            layer, = read_by_napari(out / f"{name}.zarr")
            assert numpy.array_equal(layer[0][0].compute(), due), name
        layers = read_by_napari(out)
        assert [kind for _, _, kind in layers] == ["image", "image"], layers
        assert numpy.array_equal(layers[0][0][0].compute(), 2 * image)


def make_plate(path, version):
    group = zarr.open_group(path, mode="w", zarr_format=2 if version == "0.4" else 3)
    wells = ["A/1", "B/3"]
    ome_zarr.writer.write_plate_metadata(group, ["A", "B"], ["1", "3"], wells, FORMATS[version], name="screen",
                                         acquisitions=[{"id": 1, "name": "day 1"}], field_count=2)
    for number, well in enumerate(wells):
        place = group.require_group(well)
        ome_zarr.writer.write_well_metadata(place, [{"path": "0", "acquisition": 1}, {"path": "1", "acquisition": 1}],
                                            FORMATS[version])
        for field in range(2):
            image = cells((2, 60, 90)) + numpy.uint16(10 * number + field)
            own = place.require_group(str(field))
            ome_zarr.writer.write_multiscale([image], own, FORMATS[version], axes=axes_of("cyx"),
                                             coordinate_transformations=transforms("cyx", 1))
            ome_zarr.writer.add_metadata(own, {"omero": omero()}, FORMATS[version])
    return wells


def plates(folder):
    (folder / "pipeline.ijm").write_text(PIPELINE)
    for version in FORMATS:
        wells = make_plate(folder / f"in{version}.zarr", version)
        out = folder / f"out{version}.zarr"
        drua("process", folder / "pipeline.ijm", folder / f"in{version}.zarr", out, "--zarr", version)
        plate = ngff_zarr.from_hcs_zarr(str(out), validate=True)
        assert plate.name == "screen" and [well.path for well in plate.wells] == wells, plate
        assert [a.name for a in plate.acquisitions] == ["day 1"] and plate.field_count == 2
        grid = numpy.zeros((2, 120, 180), "uint16")
        for number, well in enumerate(wells):
            for field in range(2):
                found = plate.get_well(*well.split("/")).get_image(field)
                due = 2 * (cells((2, 60, 90)) + numpy.uint16(10 * number + field))
                assert numpy.array_equal(found.images[0].data.compute(), due), (well, field)
                assert [c.label for c in found.metadata.omero.channels] == NAMES
                assert [c.color for c in found.metadata.omero.channels] == COLOURS
                assert abs(found.images[0].translation["x"] - POSITION["x"]) < 1e-12
                if field == 0:
                    grid[:, 60 * number:60 * number + 60, 90 * number:90 * number + 90] = due
        (levels, about, kind), (label_levels, _, label_kind) = read_by_napari(out)
        assert (kind, label_kind) == ("image", "labels") and numpy.array_equal(levels[0].compute(), grid)
        assert [name.split(": ")[-1] for name in about["name"]] == NAMES
        assert [colour_of(map_) for map_ in about["colormap"]] == COLOURS
        assert len(numpy.unique(label_levels[0].compute())) == 13
        whole = read_by_ome_zarr_py(out)[0]
        assert whole.metadata["channel_names"] == NAMES, whole.metadata
        well = read_by_ome_zarr_py(out / "A/1")[0]
        assert numpy.array_equal(well.data[0].compute()[:, :60, :90], 2 * cells((2, 60, 90)))
        table = (folder / f"out{version}.csv").read_text().splitlines()
        assert len(table) == 1 + 2 * 2 * 2 * 12, len(table)


def ngff(folder):
    """Images of ngff-zarr, with and without channels."""
    for version in FORMATS:
        for dims, image in ("tczyx", movie()), ("zyx", movie()[0, 0]), ("yx", movie()[0, 0, 0]):
            path, out = folder / f"{dims}{version}.zarr", folder / f"{dims}{version}-out.zarr"
            place = {n: POSITION[n] for n in dims if n != "c"}
            one = ngff_zarr.to_ngff_image(image, list(dims), {n: SCALE[n] for n in dims if n != "c"}, place,
                                          axes_units={n: UNITS[n] for n in dims if n in UNITS})
            ngff_zarr.to_ngff_zarr(str(path), ngff_zarr.to_multiscales(one, [2], chunks=32), version=version)
            drua("process", "copy", path, out, "--zarr", version)
            found = ngff_zarr.from_ngff_zarr(str(out), validate=True, version=version).images[0]
            assert numpy.array_equal(found.data.compute(), image) and "".join(found.dims) == dims
            for n in dims.replace("c", ""):
                assert abs(found.scale[n] - SCALE[n]) < 1e-12 and abs(found.translation[n] - POSITION[n]) < 1e-12, n
                assert str(found.axes_units[n]) == UNITS[n], found.axes_units


def by_tifffile(path):
    """An OME-TIFF as public collections have them: tiles, compression, levels in SubIFDs, a stage position."""
    image = movie()
    planes = image.shape[0] * image.shape[1] * image.shape[2]
    sizes = {f"PhysicalSize{n.upper()}": SCALE[n] for n in "xyz"}
    units = {f"PhysicalSize{n.upper()}Unit": "\u00b5m" for n in "xyz"}
    plane = {f"Position{n.upper()}": [POSITION[n]] * planes for n in "xyz"}
    plane.update({f"Position{n.upper()}Unit": ["\u00b5m"] * planes for n in "xyz"})
    colours = [int(colour + "FF", 16) - (2**32 if colour[0] in "89ABCDEF" else 0) for colour in COLOURS]
    with tifffile.TiffWriter(path, ome=True, bigtiff=True) as file:
        how = {"tile": (32, 48), "compression": "zlib", "photometric": "minisblack"}
        file.write(image, subifds=1, metadata={
            "axes": "TCZYX", "Name": "embryo 7", **sizes, **units, "TimeIncrement": SCALE["t"],
            "TimeIncrementUnit": "s", "Channel": {"Name": NAMES, "Color": colours}, "Plane": plane}, **how)
        file.write(image[..., ::2, ::2], subfiletype=1, metadata=None, **how)
    return image


def check_tiff(path, due):
    with tifffile.TiffFile(path) as file:
        assert file.is_ome and len(file.series) == 1
        series = file.series[0]
        axes, found = series.axes, series.asarray()
        order = [axes.index(n) for n in "TCZYX"]
        assert numpy.array_equal(found.transpose(order), due), path
        assert len(series.levels) == 1 or series.levels[1].shape[-1] == found.shape[-1] // 2
        about = tifffile.xml2dict(file.ome_metadata)["OME"]["Image"]["Pixels"]
    for n in "xyz":
        assert abs(about[f"PhysicalSize{n.upper()}"] - SCALE[n]) < 1e-12, about
        assert about[f"PhysicalSize{n.upper()}Unit"] == "\u00b5m"
        plane = about["Plane"] if isinstance(about["Plane"], dict) else about["Plane"][0]
        assert abs(plane[f"Position{n.upper()}"] - POSITION[n]) < 1e-12, plane
        assert plane[f"Position{n.upper()}Unit"] == "\u00b5m", plane
    assert about["TimeIncrement"] == SCALE["t"] and about["TimeIncrementUnit"] == "s"
    assert [c["Name"] for c in about["Channel"]] == NAMES
    assert [c["Color"] & 0xFFFFFFFF for c in about["Channel"]] == [int(colour + "FF", 16) for colour in COLOURS]


def tiffs(folder):
    """An OME-TIFF of tifffile keeps its metadata through a pipeline, as OME-Zarr with labels and as OME-TIFF."""
    image = by_tifffile(folder / "in.ome.tif")
    (folder / "pipeline.ijm").write_text(PIPELINE)
    drua("process", folder / "pipeline.ijm", folder / "in.ome.tif", folder / "out.zarr")
    node, _, label = read_by_ome_zarr_py(folder / "out.zarr")
    assert numpy.array_equal(node.data[0].compute(), 2 * image)
    assert numpy.array_equal(label.data[0].compute(), objects(image.shape))
    assert node.metadata["channel_names"] == NAMES, node.metadata
    assert [colour for _, colour in node.metadata["colormap"]] == [
        [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)] for colour in COLOURS]
    for one in node, label:
        steps = one.metadata["coordinateTransformations"][0]
        near(steps[0]["scale"], [SCALE[n] for n in "tczyx"])
        near(steps[1]["translation"], [POSITION[n] for n in "tczyx"])
        assert one.metadata["axes"] == axes_of("tczyx"), one.metadata["axes"]
    drua("process", "flip flip_y=1", folder / "in.ome.tif", folder / "out.ome.tif")
    check_tiff(folder / "out.ome.tif", image[..., ::-1, :])
    drua("process", "flip flip_y=1", folder / "out.zarr", folder / "back.ome.tif", "--compression", "deflate")
    check_tiff(folder / "back.ome.tif", 2 * image[..., ::-1, :])
    # ImageJ's format has no names of channels and no stage position
    drua("process", "copy", folder / "in.ome.tif", folder / "plain.tif")
    with tifffile.TiffFile(folder / "plain.tif") as file:
        assert file.is_imagej and file.series[0].axes == "TZCYX", file.series
        assert numpy.array_equal(file.series[0].asarray(), image.transpose(0, 2, 1, 3, 4))
        about = file.imagej_metadata
        assert about["unit"] in ("um", "micron", "\u00b5m", "\\u00B5m") and about["spacing"] == SCALE["z"], about
        assert about["finterval"] == SCALE["t"], about
        assert [list(lut[:, -1]) for lut in about["LUTs"]] == [[0, 0, 255], [255, 128, 0]], about["LUTs"]


TESTS = [channels, labels, several, plates, ngff, tiffs]

chosen = [test for test in TESTS if len(sys.argv) < 3 or test.__name__ in sys.argv[2:]]
failed = 0
for test in chosen:
    try:
        with tempfile.TemporaryDirectory() as name:
            test(pathlib.Path(name).resolve())
    except Exception:
        traceback.print_exc()
        failed += 1
print(f"{len(chosen) - failed} passed, {failed} failed")
sys.exit(failed > 0)
