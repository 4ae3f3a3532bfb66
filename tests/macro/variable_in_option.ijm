// SPDX-License-Identifier: BSD-3-Clause
// An option may name a variable; a value that is neither number nor variable ends the macro with the option's key.
// only: patched
// expect: 1 2 3
// error: frames= in the options of run() must be a number, or a variable that holds one, got 'totals'
// error: in line 10
newImage("image", "8-bit black", 20, 20, 6);
total = 3;
run("Properties...", "channels=1 slices=2 frames=total pixel_width=1 pixel_height=1 voxel_depth=1");
print_frames(); run("Properties...", "channels=1 slices=2 frames=totals pixel_width=1 pixel_height=1 voxel_depth=1");
print("not reached");

function print_frames() {
    getDimensions(width, height, channels, slices, frames);
    print(channels, slices, frames);
}
