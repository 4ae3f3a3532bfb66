#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Python package into a folder, and runs the JSON cases and the tests of the package: run.sh BUILD. Where
# other programs for OME-Zarr and OME-TIFF are installed, also tests that they and Drua read each other's images.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
build=$(cd "${1:-build}" && pwd)
# shellcheck source=tests/python/install.sh
. tests/python/install.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! has_numpy; then
    echo "SKIP the Python package: it needs python3 with numpy"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
install_package "$build" "$work"
mkdir "$work/again"
install_package "$build" "$work/again"
cmp "$work"/drua-0-*.whl "$work"/again/drua-0-*.whl # the same input gives the same bytes
passed=0 failed=0 skipped=0
tests=("-W error tests/python/cases.py tests/golden/cases" "-W error tests/python/package.py")
if python3 -c 'import dask.array' 2>/dev/null; then
    tests+=("-W error tests/python/beside_dask.py")
else
    skipped=$((skipped + 1))
    echo "SKIP the program of docs/dask.md: it needs Dask"
fi
if python3 -c 'import napari_ome_zarr, ngff_zarr, ome_zarr, tifffile' 2>/dev/null; then
    tests+=("tests/python/readers.py $build/bin/drua")
else
    skipped=$((skipped + 1))
    echo "SKIP readers of other programs: they need napari-ome-zarr, ome-zarr, ngff-zarr and tifffile"
fi
for test in "${tests[@]}"; do
    # shellcheck disable=SC2086 # words
    status=0
    PYTHONPATH=$work/package python3 $test >"$work/said" 2>&1 || status=$?
    [ $status = 0 ] || cat "$work/said"
    read -r good bad < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/said") ||
        { echo "FAIL $test ended early"; bad=1 good=0; }
    if [ "$bad" -eq 0 ] && [ $status != 0 ]; then
        echo "FAIL $test exits with $status"
        bad=1
    fi
    passed=$((passed + good)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
