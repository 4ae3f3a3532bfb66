#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# # Use a cluster with SLURM
#
# How do many computers share the work on one image? `drua plan` divides the image into blocks, and each job of an array
# computes some of them. All computers need a shared disk with the image, the plan and the result.
#
# 1. `drua plan` records the pipeline, chooses blocks and begins the result.
# 2. `drua slurm` writes the job scripts and prints the two commands that submit them.
# 3. The program submits them if a cluster answers (`sinfo`). Otherwise it runs the elements of the array one after
#    another, as the jobs would.
# 4. `drua verify` reads the whole result and compares its checksums.
#
# `drua status` should count all blocks as done. A killed job does no harm: submit both scripts again, and the jobs
# compute only the unfinished blocks. [Clusters](../../docs/clusters.md) describes options, failures, Spark and
# Nextflow.
#
# words: slurm|cluster|sbatch|hpc|run on a cluster|many computers
# image: image.tif one slice of the image
# image: mask.tif the result of both jobs
# expect: 8 of 8 blocks done, finished
set -euo pipefail
drua phantom . width=128 height=128 depth=64 background=20 >log.txt 2>&1

cat >pipeline.ijm <<'END'
image = getTitle();
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_push(image);
Ext.Drua_differenceOfGaussian(image, objects, 1, 1, 1, 6, 6, 3);
Ext.Drua_threshold(objects, mask, 5);
Ext.Drua_pull(mask);
END

drua plan pipeline.ijm image.tif mask.zarr --chunk 32,32,32 --block 64,64,32 -o plan.json >>log.txt
drua slurm plan.json --array 2 --gpus 0 --time 0:10:00 >>log.txt
if sinfo >/dev/null 2>&1; then
    job=$(sbatch --parsable plan.json.array.sh)
    sbatch --wait --dependency=afterany:"${job%%;*}" plan.json.finish.sh >>log.txt
else
    drua run plan.json --array 0/2 2>>log.txt
    drua run plan.json --array 1/2 2>>log.txt
    drua finish plan.json >>log.txt
fi
drua verify plan.json >>log.txt
drua status plan.json
drua process copy mask.zarr mask.tif --overwrite >>log.txt 2>&1
