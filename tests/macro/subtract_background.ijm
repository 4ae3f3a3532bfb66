// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// Drua's subtractBackground gives the pixels of ImageJ's Subtract Background: every option, type and radius, planes and
// stacks, also planes of one row or column.
// expect: 192 calls, 0 differ
run("Drua Macro Extensions", "cl_device=");
calls = 0;
differ = 0;

// Slopes, spots of several sizes, an object in a corner, and noise.
function scene(bits, width, height, depth) {
    random("seed", 5 + width);
    newImage("scene", bits + "-bit black", width, height, depth);
    scale = pow(2, minOf(bits, 16) - 8);
    for (z = 1; z <= depth; z++) {
        setSlice(z);
        for (y = 0; y < height; y++)
            for (x = 0; x < width; x++) {
                value = 60 + 40 * sin((x + 3 * z) / 17) + y / 4 + 30 * random;
                if (pow(x - 30, 2) + pow(y - 20, 2) < 60 || x + y < 7)
                    value += 90;
                if (x % 11 == 0 && y % 7 == 0)
                    value -= 50;
                setPixel(x, y, value * scale);
            }
    }
}

function compare(bits, width, height, depth, radius) {
    options = newArray("light", "create", "sliding", "disable");
    for (chosen = 0; chosen < 16; chosen++) {
        scene(bits, width, height, depth);
        text = "rolling=" + radius;
        flag = newArray(4);
        for (i = 0; i < 4; i++) {
            flag[i] = floor(chosen / pow(2, i)) % 2;
            if (flag[i])
                text += " " + options[i];
        }
        Ext.Drua_push("scene");
        ours = "ours";
        Ext.Drua_subtractBackground("scene", ours, radius, flag[0], flag[1], flag[2], flag[3]);
        Ext.Drua_pull(ours);
        selectImage("scene");
        run("Subtract Background...", text + " stack");
        most = 0;
        for (z = 1; z <= depth; z++) {
            selectImage("scene");
            setSlice(z);
            theirs = newArray(width * height);
            for (i = 0; i < width * height; i++)
                theirs[i] = getPixel(i % width, floor(i / width));
            selectImage(ours);
            setSlice(z);
            for (i = 0; i < width * height; i++)
                most = maxOf(most, abs(theirs[i] - getPixel(i % width, floor(i / width))));
        }
        calls++;
        if (!(most == 0)) {
            differ++;
            print(bits, width, height, depth, text, "differ by", most);
        }
        close("*");
        Ext.Drua_clear();
    }
}

setBatchMode(true);
compare(8, 61, 43, 1, 5);
compare(8, 70, 90, 2, 25);
compare(16, 64, 50, 1, 10.5);
compare(16, 99, 70, 2, 50);
compare(32, 57, 57, 1, 0.7);
compare(32, 80, 61, 2, 12);
compare(8, 66, 75, 1, 200);
compare(32, 130, 97, 1, 150);
compare(16, 40, 1, 1, 6);
compare(8, 1, 35, 1, 6);
compare(32, 3, 2, 1, 4);
compare(16, 45, 64, 1, 31);
print(calls + " calls, " + differ + " differ");
