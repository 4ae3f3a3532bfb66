# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Makes the Python package of a build and unpacks it. Scripts source this file.

has_numpy() { python3 -c 'import numpy' 2>/dev/null; }

install_package() { # build, folder: the package lies in FOLDER/package then
    "$1/bin/drua" describe >"$2/registry.json"
    python3 packaging/python/build_wheel.py "$1/lib/libdrua.so" "$2/registry.json" 0 "linux_$(uname -m)" "$2" >"$2/said"
    python3 -m zipfile -e "$2"/drua-0-*.whl "$2/package"
}
