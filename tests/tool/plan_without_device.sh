#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A plan made on a computer without a device gives the pixels of a plan made on the device: plan_without_device.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

without_device() { OCL_ICD_VENDORS=$PWD/nothing OCL_ICD_FILENAMES='' "$drua" "$@"; }

"$drua" phantom . kind=beads width=40 height=30 depth=20 >log 2>&1 || fail "no phantom: $(cat log)"
"$drua" process copy image.tif image.zarr >log 2>&1 || fail "no image: $(cat log)"
cat >labels.ijm <<'END'
Ext.Drua_push(input);
Ext.Drua_gaussianBlur3D(input, blurred, 1, 1, 1);
Ext.Drua_thresholdOtsu(blurred, mask);
Ext.Drua_connectedComponentsLabelingBox(mask, labels);
Ext.Drua_pull(labels);
END
blur='gaussian_blur sigma_x=1 sigma_y=1'

without_device plan "$blur" image.zarr there.zarr -o there.json 2>log &&
    fail "a plan was made for a device of unknown memory"
grep -q -e '--memory' log || fail "the message does not name --memory: $(cat log)"

without_device plan "$blur" image.zarr there.zarr -o there.json --memory 80GB >said || fail "no plan without a device"
grep -q "no OpenCL device; the blocks are for a device with 80000.0 MB" said || fail "the plan says: $(cat said)"
status=0
without_device run there.json 2>log || status=$?
[ $status -eq 75 ] || fail "a run without a device ends with $status: $(cat log)"

status=0
without_device plan labels.ijm image.zarr alone.zarr -o alone.json --memory 80GB 2>log || status=$?
[ $status -eq 75 ] && grep -q -e '--share' log || fail "a threshold measured without a device: $status, $(cat log)"
[ ! -e alone.zarr.writing ] || fail "a plan that failed left something"

without_device plan labels.ijm image.zarr shared.zarr -o shared.json --memory 80GB --share >said ||
    fail "no shared plan"
deconvolve='deconvolve psf=psf.tif iterations=2'
without_device plan "$deconvolve" image.zarr restored.zarr -o restored.json --memory 80GB --share >said ||
    fail "no plan of a deconvolution"
grep -q "psf.tif' was not checked" said || fail "the psf is checked without a device: $(cat said)"
"$drua" process "$deconvolve" image.zarr deconvolved.zarr >log 2>&1 || fail "process: $(cat log)"

for plan in there shared restored; do
    "$drua" run $plan.json 2>log && "$drua" finish $plan.json 2>>log || fail "$plan: $(cat log)"
done
"$drua" process "$blur" image.zarr here.zarr >log 2>&1 || fail "process: $(cat log)"
"$drua" process labels.ijm image.zarr labels.zarr >log 2>&1 || fail "process: $(cat log)"
diff -r there.zarr/0 here.zarr/0 || fail "blurred pixels differ"
diff -r shared.zarr/0 labels.zarr/0 || fail "labels differ"
diff -r restored.zarr/0 deconvolved.zarr/0 || fail "restored pixels differ"
