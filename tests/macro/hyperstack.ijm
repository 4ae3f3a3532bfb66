// SPDX-License-Identifier: BSD-3-Clause
// push takes the slices of the displayed channel and frame; without slices it takes channels, or else frames.
// expect: slices 231 232 233 at 2 2 3
// expect: Drua_push: 'channels' has 3 channels and one slice; as in CLIJ2, push takes the channels as the slices of a volume. For the displayed channel alone, use pushCurrentZStack
// expect: channels 12 22 32
// expect: frames 11 12 13 14
// expect: z stack 331 332 333
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
hyperstack("slices", 3, 3, 4);
Stack.setPosition(2, 2, 3);
Ext.Drua_push("slices");
Stack.getPosition(c, z, t);
Ext.Drua_pull("slices");
print("slices" + values() + " at", c, z, t);

selectImage("slices");
hyperstack("channels", 3, 1, 2);
Stack.setPosition(1, 1, 2);
Ext.Drua_push("channels");
Ext.Drua_pull("channels");
print("channels" + values());

hyperstack("frames", 1, 1, 4);
Ext.Drua_push("frames");
Ext.Drua_pull("frames");
print("frames" + values());

hyperstack("z stack", 3, 3, 4);
Stack.setPosition(3, 1, 3);
Ext.Drua_pushCurrentZStack("z stack");
Ext.Drua_pull("z stack");
print("z stack" + values());

// The digits of a pixel's value are channel, frame and slice if there are slices, else channel and frame.
function hyperstack(title, channels, slices, frames) {
    newImage(title, "16-bit grayscale-mode", 2, 2, channels, slices, frames);
    for (t = 1; t <= frames; t++) {
        for (z = 1; z <= slices; z++) {
            for (c = 1; c <= channels; c++) {
                Stack.setPosition(c, z, t);
                value = 10 * c + t;
                if (slices > 1)
                    value = 10 * value + z;
                setPixel(1, 1, value);
            }
        }
    }
}

function values() {
    text = "";
    for (z = 1; z <= nSlices; z++) {
        setSlice(z);
        text = text + " " + getPixel(1, 1);
    }
    return text;
}
