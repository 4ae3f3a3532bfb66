#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Packs folders so that the same files give the same bytes: files are sorted and have one owner and one time.

pack.py SECONDS OUT.zip|OUT.tar.gz FOLDER   packs the files of FOLDER; names in the tar begin with FOLDER's name
pack.py SECONDS --jars FOLDER               packs each jar in FOLDER again, in place
"""
import gzip
import os
import sys
import tarfile
import time
import zipfile


def files(folder):
    """Paths relative to the folder, sorted."""
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(place, name), folder).replace(os.sep, "/") for name in names]
    return sorted(found)


def write_zip(out, entries, seconds):
    """Entries are (name, bytes). Directories need no entries, because programs create them when they unpack files."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, content in entries:
            entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            entry.external_attr = 0o100644 << 16
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)


def write_tar(out, folder, seconds):
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = seconds
        entry.mode = 0o755 if os.path.basename(os.path.dirname(entry.name)) == "bin" else 0o644
        return entry

    top = os.path.basename(os.path.normpath(folder))
    with open(out, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, seconds) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name in files(folder):
            tar.add(os.path.join(folder, name), f"{top}/{name}", filter=plain)


def repack(jar, seconds):
    """Puts the manifest first, because programs that read a jar as a stream need it there."""
    with zipfile.ZipFile(jar) as packed:
        names = sorted((name for name in packed.namelist() if not name.endswith("/")),
                       key=lambda name: (name != "META-INF/MANIFEST.MF", name))
        entries = [(name, packed.read(name)) for name in names]
    write_zip(jar, entries, seconds)


def main():
    seconds, out, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    if out == "--jars":
        for name in files(folder):
            if name.endswith(".jar"):
                repack(os.path.join(folder, name), seconds)
    elif out.endswith(".zip"):
        write_zip(out, [(name, open(os.path.join(folder, name), "rb").read()) for name in files(folder)], seconds)
    else:
        write_tar(out, folder, seconds)


main()
