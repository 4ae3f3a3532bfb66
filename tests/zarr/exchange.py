#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Chunked images by zarr-python and tensorstore, and these libraries' reading of the engine's images.

exchange.py make FOLDER    writes all images and images.tsv: name, type, frames, channels, depth, height, width, scale,
                           unit
exchange.py pack FOLDER    prints these images for images.txt: a line per file with its path and its bytes in base64
exchange.py check FOLDER   reads the images of the folder with both libraries, and checks their metadata
A pixel is (3x + 5y + 7z + 11c + 13t) mod 100; 50 less in signed types, a quarter of it in float32.
"""
import base64
import importlib.metadata
import json
import pathlib
import shutil
import sys

import numcodecs
import numpy as np
import tensorstore
import zarr

STEPS = {"x": 3, "y": 5, "z": 7, "c": 11, "t": 13}
SIZES = {"t": 2, "c": 2, "z": 3, "y": 9, "x": 11}
CHUNKS = {"t": 1, "c": 1, "z": 2, "y": 5, "x": 6}


def pixels(axes, shape, dtype):
    grids = np.meshgrid(*[np.arange(n) for n in shape], indexing="ij")
    value = sum(STEPS[a] * g for a, g in zip(axes, grids)) % 100
    kind = np.dtype(dtype).kind
    return (value / 4 if kind == "f" else value - 50 if kind == "i" else value).astype(dtype)


def multiscales(axes, levels, version):
    scale = {"t": 2.5, "c": 1, "z": 0.5, "y": 0.25, "x": 0.125}
    units = {"t": "second", "z": "micrometer", "y": "micrometer", "x": "micrometer"}
    kinds = {"t": "time", "c": "channel"}
    image = {
        "axes": [{"name": a, "type": kinds.get(a, "space"), **({"unit": units[a]} if a in units else {})}
                 for a in axes],
        "datasets": [
            {"path": f"{level}", "coordinateTransformations": [{"type": "scale",
                                                                "scale": [scale[a] * (2**level if a in "yx" else 1)
                                                                          for a in axes]}]}
            for level in range(levels)
        ],
        "name": "image",
    }
    if version == 2:
        image["version"] = "0.4"
        return {"multiscales": [image]}
    return {"ome": {"version": "0.5", "multiscales": [image]}}


class Maker:
    def __init__(self, folder):
        self.folder = folder
        self.lines = []

    def note(self, name, axes, shape, dtype, scaled):
        size = dict(zip(axes, shape))
        numbers = [size.get(a, 1) for a in "tczyx"]
        self.lines.append("\t".join(map(str, [name, np.dtype(dtype).newbyteorder("=").name, *numbers, "scaled" if scaled
                                              else "plain"])))

    def ome(self, name, version, axes="tczyx", dtype="uint16", levels=1, **how):
        group = zarr.open_group(self.folder / name, mode="w", zarr_format=version)
        for level in range(levels):
            shape = [max(1, SIZES[a] // (2**level if a in "yx" else 1)) for a in axes]
            chunks = [min(CHUNKS[a], n) for a, n in zip(axes, shape)]
            if version == 3 and "dimension_names" not in how:
                how["dimension_names"] = list(axes)
            array = group.create_array(str(level), shape=shape, chunks=chunks, dtype=dtype, **how)
            array[...] = pixels(axes, shape, dtype)
        group.attrs.update(multiscales(axes, levels, version))
        shape = [SIZES[a] for a in axes]
        self.note(name, axes, shape, dtype, True)

    def store(self, name, spec, axes="zyx", dtype="uint16"):
        shape = [SIZES[a] for a in axes]
        store = tensorstore.open({**spec, "kvstore": {"driver": "file", "path": str(self.folder / name)}},
                                 create=True).result()
        store.write(pixels(axes, shape, dtype)).result()
        self.note(name, axes, shape, dtype, False)


def of_zarr_python(make):
    blosc = numcodecs.Blosc
    packers = {
        "raw": None,
        "gzip": numcodecs.GZip(5),
        "zlib": numcodecs.Zlib(5),
        "zstd": numcodecs.Zstd(3),
        "blosc_lz4": blosc("lz4", 5, blosc.SHUFFLE),
        "blosc_lz4_bits": blosc("lz4", 5, blosc.BITSHUFFLE),
        "blosc_zstd": blosc("zstd", 3, blosc.SHUFFLE),
        "blosc_zstd_bits": blosc("zstd", 3, blosc.BITSHUFFLE),
        "blosc_zlib_plain": blosc("zlib", 3, blosc.NOSHUFFLE),
    }
    for name, packer in packers.items():
        make.ome(f"v2_{name}.zarr", 2, axes="yx", compressors=packer)
    for dtype in ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"]:
        make.ome(f"v2_{dtype}.zarr", 2, axes="yx", dtype=dtype, chunk_key_encoding={"name": "v2", "separator": "/"})
        make.ome(f"v3_{dtype}.zarr", 3, axes="yx", dtype=dtype)
    make.ome("v2_big_endian.zarr", 2, axes="zyx", dtype=">u2")
    make.ome("v2_fortran.zarr", 2, axes="tcyx", order="F")
    make.ome("v2_tczyx.zarr", 2, levels=2)
    make.ome("v2_xyz.zarr", 2, axes="xyz", dtype=">i4")
    codecs = zarr.codecs
    packers = {
        "raw": [],
        "gzip": [codecs.GzipCodec(level=5)],
        "zstd": [codecs.ZstdCodec(level=3), codecs.Crc32cCodec()],
        "blosc_lz4": [codecs.BloscCodec(cname="lz4", shuffle="shuffle")],
        "blosc_zstd_bits": [codecs.BloscCodec(cname="zstd", shuffle="bitshuffle"), codecs.Crc32cCodec()],
        "crc32c": [codecs.Crc32cCodec()],
    }
    for name, packer in packers.items():
        make.ome(f"v3_{name}.zarr", 3, axes="yx", compressors=packer)
        shards = [n * 2 for n in [CHUNKS[a] for a in "zyx"]]
        make.ome(f"v3_shards_{name}.zarr", 3, axes="zyx", compressors=packer, shards=shards)
    make.ome("v3_tczyx.zarr", 3, levels=2)
    make.ome("v3_big_endian.zarr", 3, axes="zyx", serializer=codecs.BytesCodec(endian="big"))
    make.ome("v3_transposed.zarr", 3, axes="zyx", filters=[codecs.TransposeCodec(order=(2, 0, 1))])
    make.ome("v3_keys_of_v2.zarr", 3, axes="yx", chunk_key_encoding={"name": "v2", "separator": "."})


def of_tensorstore(make):
    shape, chunks = [SIZES[a] for a in "zyx"], [CHUNKS[a] for a in "zyx"]
    for name, packer in {"raw": None, "zlib": {"id": "zlib", "level": 3}, "zstd": {"id": "zstd", "level": 3},
                         "blosc": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 2}}.items():
        make.store(f"ts2_{name}.zarr", {"driver": "zarr", "metadata": {"shape": shape, "chunks": chunks, "dtype": "<u2",
                                                                       "compressor": packer, "order": "F"}})
    inner = [{"name": "transpose", "configuration": {"order": [1, 2, 0]}},
             {"name": "bytes", "configuration": {"endian": "big"}},
             {"name": "zstd", "configuration": {"level": 3}}, {"name": "crc32c"}]
    for place in ["start", "end"]:
        sharding = {"name": "sharding_indexed", "configuration": {
            "chunk_shape": [1, 5, 6], "codecs": inner, "index_location": place,
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "crc32c"}]}}
        make.store(f"ts3_shards_{place}.zarr", {"driver": "zarr3", "metadata": {
            "shape": shape, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 10, 12]}},
            "data_type": "uint16", "codecs": [sharding]}})
    for name, packer in {"raw": {"type": "raw"}, "gzip": {"type": "gzip", "level": 3},
                         "zstd": {"type": "zstd", "level": 3},
                         "blosc": {"type": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1}}.items():
        make.store(f"n5_{name}.n5", {"driver": "n5", "metadata": {"dimensions": shape[::-1], "blockSize": chunks[::-1],
                                                                  "dataType": "uint16",
                                                                 "compression": packer}}, axes="xyz")


def missing(make):
    """Missing chunks have the fill value, 42; only the others are written."""
    for version in [2, 3]:
        name = f"v{version}_missing.zarr"
        array = zarr.create_array(make.folder / name, shape=[9, 11], chunks=[5, 6], dtype="uint16", zarr_format=version,
                                  fill_value=42)
        array[:5] = pixels("yx", [9, 11], "uint16")[:5]
        make.note(name, "yx", [9, 11], "uint16", False)


def make_all(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make = Maker(folder)
    of_zarr_python(make)
    of_tensorstore(make)
    missing(make)
    (folder / "images.tsv").write_text("\n".join(make.lines) + "\n")


def pack(folder):
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}"
                         for name in ["zarr", "numcodecs", "tensorstore", "numpy"])
    print(f"# Written by exchange.py of this folder: {versions}. Path, base64.")
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        print(path.relative_to(folder).as_posix(), base64.b64encode(path.read_bytes()).decode())


# ---- ours


def arrays_of(image):
    """Version and multiscales of an image, as a reader of the specification finds them."""
    if (image / "zarr.json").exists():
        about = json.loads((image / "zarr.json").read_text())["attributes"]["ome"]
        return 3, about["multiscales"][0]
    return 2, json.loads((image / ".zattrs").read_text())["multiscales"][0]


def check_metadata(image, version):
    from ome_zarr_models.v04 import Image as Image4
    from ome_zarr_models.v05 import Image as Image5

    (Image4 if version == 2 else Image5).from_zarr(zarr.open_group(image, mode="r"))


def check_level(image, version, axes, dataset, first):
    path = image / dataset["path"]
    array = zarr.open_array(path, mode="r")
    got = array[...]
    store = tensorstore.open({"driver": "zarr3" if version == 3 else "zarr",
                              "kvstore": {"driver": "file", "path": str(path)}}).result()
    assert np.array_equal(store.read().result(), got), f"{path}: the two libraries differ"
    if first:
        assert np.array_equal(got, pixels(axes, got.shape, got.dtype)), f"{path}: other pixels"
    return got.shape


def check(folder):
    count = 0
    for image in sorted(folder.glob("*.zarr")):
        version, about = arrays_of(image)
        check_metadata(image, version)
        axes = [axis["name"] for axis in about["axes"]]
        shapes = [check_level(image, version, axes, dataset, i == 0) for i, dataset in enumerate(about["datasets"])]
        print(image.name, version, "".join(axes), shapes)
        count += 1
    assert count, f"no image in {folder}"
    print(count, "images are right")


if __name__ == "__main__":
    {"make": make_all, "pack": pack, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
