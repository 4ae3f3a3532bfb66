# SPDX-License-Identifier: BSD-3-Clause
"""Tests OME-Zarr in ZIP archives that are exchanged with Python's zipfile: archives.py DRUA."""
import json
import os
import subprocess
import sys
import tempfile
import zipfile

drua = os.path.abspath(sys.argv[1])


def run(*words, status=0, says=""):
    done = subprocess.run([drua, *words], capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode == status and says in said, (words, done.returncode, said)


def files_of(folder):
    """The files below a folder, by their paths with slashes."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return found


def pixels_of(files):
    return {name: data for name, data in files.items() if not name.endswith("zarr.json")}


def pack(folder, archive, **options):
    with zipfile.ZipFile(archive, "w", **options) as out:
        for name, data in files_of(folder).items():
            out.writestr(name, data)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    run("phantom", ".", "width=80", "height=64", "depth=20", "background=20")
    for shard in [], ["--shard", "64,64,16"]:
        shape = ["--chunk", "32,32,16", "--overwrite", *shard]
        run("process", "copy", "image.tif", "folder.zarr", "--zarr", "0.5", *shape)
        run("process", "copy", "image.tif", "ours.ozx", *shape)
        with zipfile.ZipFile("ours.ozx") as archive:
            assert archive.testzip() is None
            names = archive.namelist()
            metadata = [name for name in names if name.endswith("zarr.json")]
            assert names[0] == "zarr.json" and names[:len(metadata)] == metadata, names
            about = json.loads(archive.comment)["ome"]
            assert about == {"version": "0.5", "zipFile": {"centralDirectory": {"jsonFirst": True}}}, about
            assert all(entry.compress_type == zipfile.ZIP_STORED for entry in archive.infolist())
            packed = {name: archive.read(name) for name in names}
        folder = files_of("folder.zarr")
        del packed["zarr.json"], folder["zarr.json"]  # they hold the name of the image
        assert packed == folder, sorted(packed.keys() ^ folder.keys())
        first = open("ours.ozx", "rb").read()
        run("process", "copy", "image.tif", "ours.ozx", *shape)
        assert open("ours.ozx", "rb").read() == first, "equal images must give equal archives"

        # archives by Python, with and without folders as entries, read as input
        pack("folder.zarr", "theirs.ozx")
        for name in "ours.ozx", "theirs.ozx":
            run("process", "copy", name, "again.zarr", "--zarr", "0.5", *shape)
            assert pixels_of(files_of("again.zarr")) == pixels_of(files_of("folder.zarr")), name
    pack("folder.zarr", "packed.ozx", compression=zipfile.ZIP_DEFLATED)
    run("process", "copy", "packed.ozx", "none.zarr", status=1, says="is compressed")
    run("process", "copy", "image.tif", "ours.ozx", "--anew", "--chunk", "16,16,16", status=1, says="already exists")
    with open("two.ijm", "w") as file:
        file.write("Ext.Drua_push(a);\nExt.CLIJ2_copy(a, b);\nExt.CLIJ2_copy(b, c);\n"
                   "Ext.Drua_pull(b);\nExt.Drua_pull(c);\n")
    run("process", "two.ijm", "image.tif", "two.ozx", status=1, says="a TIFF or .ozx holds only one")
print("archives are exchanged with zipfile")
