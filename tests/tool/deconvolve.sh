#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests deconvolution on the command line: deconvolve.sh DRUA [windows]. Covers a phantom, its restoration, hyperstacks,
# a psf with other voxels, and refused calls. A program for Windows does not keep the file permissions of POSIX.
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

"$drua" phantom "$folder" width=40 height=36 depth=12 background=20
for name in truth psf image; do
    [ -s "$folder/$name.tif" ] || fail "there is no $name.tif"
done
said=$("$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/out.tif" iterations=15 accelerate \
    background=20 truth="$folder/truth.tif" 2>"$folder/log")
cat "$folder/log"
echo "$said"
grep -q "room for the psf" "$folder/log" || fail "the estimate is missing"
echo "$said" | awk '/error against the truth/ { gsub(",", ""); found = 1; if ($9 >= 0.9 * $11) exit 1 }
    END { if (!found) exit 1 }' || fail "the error did not fall"
[ -s "$folder/out.tif" ] || fail "there is no result"
# the error before the deconvolution is that of the image without its background
same=$("$drua" deconvolve "$folder/truth.tif" "$folder/psf.tif" "$folder/same.tif" iterations=1 \
    truth="$folder/truth.tif" 2>/dev/null)
echo "$same" | grep -q "before 0$" || fail "the object differs from itself: $same"
lit=$("$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/same.tif" --overwrite iterations=1 \
    background=20 truth="$folder/truth.tif" 2>/dev/null | sed 's/.*before //')
dark=$("$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/same.tif" iterations=1 --overwrite \
    truth="$folder/truth.tif" 2>/dev/null | sed 's/.*before //')
awk "BEGIN { exit !($lit < $dark - 0.5) }" ||
    fail "the background of 20 counts as an error of the image: $lit, $dark without it"
joined=$("$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/same.tif" --overwrite \
    "iterations=1 Background=20" truth="$folder/truth.tif" 2>/dev/null | sed 's/.*before //')
[ "$joined" = "$lit" ] || fail "two settings in one word: $joined before, $lit as two words"

# all channels and frames; the result is read again as a hyperstack
mkdir "$folder/series"
"$drua" phantom "$folder/series" width=40 height=36 depth=12 channels=2 frames=2
said=$("$drua" deconvolve "$folder/series/image.tif" "$folder/series/psf.tif" "$folder/series/out.tif" \
    iterations=2 background=20 2>/dev/null)
[ "$(echo "$said" | grep -c channel)" = 4 ] || fail "not four images were restored: $said"
said=$("$drua" deconvolve "$folder/series/out.tif" "$folder/series/psf.tif" "$folder/series/again.tif" \
    iterations=1 2>/dev/null)
echo "$said" | grep -q "channel 2, frame 2" || fail "the result has not two channels and frames: $said"

# all devices of one kind in one call write the same file
shared=$("$drua" deconvolve "$folder/series/image.tif" "$folder/series/psf.tif" "$folder/series/shared.tif" \
    iterations=2 background=20 devices=all \
    truth="$folder/series/truth.tif" 2>/dev/null)
[ "$(echo "$shared" | grep -c "channel.*error against the truth")" = 4 ] ||
    fail "all devices did not restore four images: $shared"
cmp "$folder/series/out.tif" "$folder/series/shared.tif" || fail "all devices write another file than one"

# a NaN pixel in the last frame: the finished frames are kept
cp "$folder/series/out.tif" "$folder/holed.tif"
printf '\377\377\377\377\377\377\377\377' | dd of="$folder/holed.tif" bs=1 seek=$((8 + 4 * 12 * 36 * 40 * 4 - 40)) \
    conv=notrunc 2>/dev/null
"$drua" deconvolve "$folder/holed.tif" "$folder/series/psf.tif" "$folder/kept.tif" iterations=1 2>"$folder/log" \
    >/dev/null && fail "a pixel that is no number was restored"
grep -q "channel 2, frame 2: .* NaN .*kept.tif holds the 3 of 4 images finished before" "$folder/log" ||
    fail "no message names the images that are kept: $(cat "$folder/log")"
said=$("$drua" deconvolve "$folder/kept.tif" "$folder/series/psf.tif" "$folder/again2.tif" iterations=1 2>&1 \
    >/dev/null) && fail "the image after the finished ones is not 0"
echo "$said" | grep -q "channel 2, frame 2: deconvolve: source has a mean of 0" ||
    fail "the finished images are not kept: $said"

"$drua" deconvolve "$folder/image.tif" "$folder/none.tif" "$folder/out2.tif" 2>"$folder/log" &&
    fail "a missing file was read"
grep -q "none.tif" "$folder/log" || fail "the sentence does not name the file"
"$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/out2.tif" iteration=5 2>"$folder/log" &&
    fail "an unknown option was accepted"
grep -q "no option 'iteration'" "$folder/log" || fail "the sentence does not name the option"
"$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/out2.tif" iterations=0 2>"$folder/log" &&
    fail "a wrong number of iterations was accepted"
grep -q "^deconvolve: .*iterations" "$folder/log" || fail "the sentence does not name the command: $(cat "$folder/log")"
"$drua" phantom "$folder" colour=red 2>/dev/null && fail "an unknown setting was accepted"
"$drua" deconvolve "$folder/image.tif" 2>/dev/null && fail "missing arguments were accepted"

"$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/none/out.tif" 2>"$folder/log" >/dev/null &&
    fail "a missing folder was written to"
grep -q "none/out.tif' cannot be written" "$folder/log" || fail "the sentence does not name the result"
[ "$(wc -l <"$folder/log")" = 1 ] || fail "more than one message, or work before it: $(cat "$folder/log")"

# a series whose end is missing
bytes=$(wc -c <"$folder/series/image.tif")
head -c $((bytes - 2000)) "$folder/series/image.tif" >"$folder/cut.tif"
"$drua" deconvolve "$folder/cut.tif" "$folder/psf.tif" "$folder/out2.tif" iterations=1 2>"$folder/log" >/dev/null &&
    fail "a truncated file was restored"
grep -q "cut.tif' is truncated or damaged" "$folder/log" ||
    fail "the message about a truncated file: $(cat "$folder/log")"

# the input, the psf and the truth are never overwritten, however the output's path is spelled or linked
mkdir "$folder/away"
cp "$folder/image.tif" "$folder/unchanged.tif"
ln -s image.tif "$folder/soft.tif"
ln "$folder/psf.tif" "$folder/hard.tif"
sum=$(cat "$folder/image.tif" "$folder/psf.tif" "$folder/truth.tif" | cksum)
for output in image.tif ./image.tif away/../image.tif soft.tif psf.tif hard.tif truth.tif; do
    "$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/$output" iterations=1 truth="$folder/truth.tif" \
        --overwrite 2>"$folder/log" >/dev/null &&
        fail "an input was replaced as $output"
    grep -q "the output '.*' is the input '.*' or would replace it" "$folder/log" ||
        fail "$output: the message about the input: $(cat "$folder/log")"
    [ "$(cat "$folder/image.tif" "$folder/psf.tif" "$folder/truth.tif" | cksum)" = "$sum" ] ||
        fail "an input changed: $output"
done
"$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/unchanged.tif" iterations=1 \
    2>"$folder/log" >/dev/null &&
    fail "an existing file was replaced"
grep -q "unchanged.tif' already exists.*--overwrite" "$folder/log" ||
    fail "the message about an existing file: $(cat "$folder/log")"
cmp "$folder/image.tif" "$folder/unchanged.tif" || fail "an existing file changed"
"$drua" phantom "$folder" width=40 height=36 depth=12 2>"$folder/log" >/dev/null &&
    fail "phantom replaced existing files"
grep -q "truth.tif' already exists" "$folder/log" || fail "phantom says: $(cat "$folder/log")"

# pipes and devices stay in place, links lead to the replaced file, which keeps its permissions
mkfifo "$folder/pipe.tif"
"$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/pipe.tif" iterations=1 --overwrite \
    2>"$folder/log" >/dev/null && fail "a pipe was replaced"
[ -p "$folder/pipe.tif" ] || fail "the pipe is gone"
"$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" /dev/null iterations=1 --overwrite \
    2>"$folder/log" >/dev/null && fail "a device was replaced"
[ -c /dev/null ] || fail "the device is gone"
cp "$folder/image.tif" "$folder/rights.tif"
chmod 640 "$folder/rights.tif"
ln -s rights.tif "$folder/link.tif"
"$drua" deconvolve "$folder/image.tif" "$folder/psf.tif" "$folder/link.tif" iterations=1 --overwrite \
    2>"$folder/log" >/dev/null || fail "a link was not followed: $(cat "$folder/log")"
[ -L "$folder/link.tif" ] || fail "the link is gone"
cmp -s "$folder/image.tif" "$folder/rights.tif" && fail "the link's file was not replaced"
[ "${2:-}" = windows ] || [ "$(stat -c %a "$folder/rights.tif")" = 640 ] ||
    fail "a file that is replaced has other permissions: $(stat -c %a "$folder/rights.tif")"
case $(ls "$folder") in *.writing*) fail "a part of a file was left: $(ls "$folder")" ;; esac

# 2 x 1 pixels of red, green and blue
{
    printf 'II*\0\010\0\0\0\010\0\0\001\003\0\001\0\0\0\002\0\0\0\001\001\003\0\001\0\0\0\001\0\0\0\002\001'
    printf '\003\0\003\0\0\0\156\0\0\0\006\001\003\0\001\0\0\0\002\0\0\0\021\001\004\0\001\0\0\0\164\0\0\0'
    printf '\025\001\003\0\001\0\0\0\003\0\0\0\026\001\003\0\001\0\0\0\001\0\0\0\027\001\004\0\001\0\0\0'
    printf '\006\0\0\0\0\0\0\0\010\0\010\0\010\0abcdef'
} >"$folder/rgb.tif"
"$drua" deconvolve "$folder/rgb.tif" "$folder/psf.tif" "$folder/out2.tif" 2>"$folder/log" &&
    fail "a colour image was restored"
grep -q "rgb.tif is an RGB image" "$folder/log" || fail "the message about a colour image: $(cat "$folder/log")"
"$drua" deconvolve "$folder/image.tif" "$folder/rgb.tif" "$folder/out2.tif" 2>"$folder/log" &&
    fail "a colour psf was accepted"
grep -q "rgb.tif is an RGB image" "$folder/log" || fail "the message about a colour psf: $(cat "$folder/log")"
[ -e "$folder/out2.tif" ] && fail "a refused call wrote a result"

# a psf of finer pixels
mkdir "$folder/fine"
"$drua" phantom "$folder/fine" width=40 height=36 depth=12 pixel=0.05 slice=0.1
"$drua" deconvolve "$folder/image.tif" "$folder/fine/psf.tif" "$folder/out3.tif" iterations=2 background=20 \
    2>"$folder/log" >/dev/null
grep -q "is resampled from voxels of .* to the image's 0.1 x 0.2" "$folder/log" ||
    fail "the psf was not resampled to the image's voxels"
echo passed
