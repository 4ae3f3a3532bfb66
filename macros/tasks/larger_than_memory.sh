#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# # Process a file that is larger than memory
#
# How can an image be processed that fits neither the GPU's memory nor the computer's? Drua reads, computes and writes
# it block by block. The program makes a small image of known bars and divides it into 8 blocks.
#
# 1. `drua phantom` makes the image; use your own file instead. OME-Zarr, N5 and TIFF work.
# 2. The pipeline is a file of macro commands. Try it on a part of the image first.
# 3. `drua process` runs the pipeline on the whole file. If it is interrupted, run the same command again to continue.
#    [Processing block by block](../../docs/blocks.md) lists the operations and options.
#
# The result is bit-identical to the result of processing the whole image at once. The last lines of the program prove
# this for the small image. With your own image, process a part of it in ImageJ and compare that part.
#
# words: larger than memory|out of memory|big image|large image|image too large|huge file|terabyte
# image: image.tif one slice of the image
# image: mask.tif the result
# expect: the blocks give the same file as the whole image
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

drua process pipeline.ijm image.tif mask.zarr --chunk 32,32,32 --block 64,64,32 >>log.txt 2>&1
drua process pipeline.ijm image.tif whole.tif >>log.txt 2>&1 # a single block
drua process copy mask.zarr mask.tif >>log.txt 2>&1
cmp mask.tif whole.tif
echo "the blocks give the same file as the whole image"
