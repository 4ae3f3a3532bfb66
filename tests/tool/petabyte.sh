#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A plan for a petabyte is as small as any other plan: petabyte.sh DRUA. The image consists of metadata alone, so all
# pixels have the fill value.
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

mkdir -p brain.zarr/0
echo '{"zarr_format": 2}' >brain.zarr/.zgroup
cat >brain.zarr/.zattrs <<'END'
{"multiscales": [{"version": "0.4", "axes": [{"name": "z", "type": "space"}, {"name": "y", "type": "space"},
    {"name": "x", "type": "space"}],
    "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1, 1, 1]}]}]}]}
END
cat >brain.zarr/0/.zarray <<'END'
{"zarr_format": 2, "shape": [10000, 200000, 250000], "chunks": [128, 128, 128], "dtype": "<u2", "order": "C",
    "fill_value": 7,
    "compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0}, "filters": null,
    "dimension_separator": "/"}
END

"$drua" plan "gaussian_blur sigma_x=1 sigma_y=1 sigma_z=1" brain.zarr result.zarr --block 256,256,256 --shard \
    256,256,256 --zarr 0.5 -o plan.json >said
grep -q "blocks  30560560 of 256 x 256 x 256, read with" said || fail "the plan says: $(cat said)"
[ "$(wc -c <plan.json)" -lt 10000 ] || fail "the plan has $(wc -c <plan.json) bytes"
[ "$(du -sk . | cut -f 1)" -lt 1000 ] || fail "a plan without finished blocks takes $(du -sk . | cut -f 1) KB"
"$drua" status plan.json | grep -q "^0 of 30560560 blocks done" || fail "status says: $("$drua" status plan.json)"

# the last block begins after more than 2^48 pixels and ends at the image's border
"$drua" run plan.json --blocks 30560559:30560560 2>log || fail "run: $(cat log)"
"$drua" status plan.json | grep -q "^1 of 30560560 blocks done" || fail "the last block was not done"
[ "$(find result.zarr.writing -type f -path '*/c/*' | wc -l)" -ge 1 ] || fail "the last block has no file"
"$drua" run plan.json --blocks 30560560:30560561 2>log && fail "a block after the last one was done"
grep -q "30560560" log || fail "a block after the last one: $(cat log)"

# a run keeps the state of each block in memory, so the number of blocks is limited
"$drua" plan "gaussian_blur sigma_x=1 sigma_y=1 sigma_z=1" brain.zarr small.zarr --block 64,64,64 --chunk 64,64,64 -o \
    small.json 2>log && fail "a plan of 2 thousand million blocks was made"
grep -q "more than 100000000, the limit of a plan" log || fail "too many blocks: $(cat log)"
if [ -e small.json ] || [ -e small.zarr.writing ]; then fail "a plan of too many blocks left something"; fi
