// SPDX-License-Identifier: BSD-3-Clause
// registerVolumes finds a quarter turn with a shift, moves another channel along, and leaves missing pixels out.
// expect: turn: 0.00 -1.00 0.00, 1.00 0.00 0.00, shift 41.0 -1.0 1.0
// expect: turn: less than 3 % of the brightness differ, reliable
// expect: channel: less than 3 % of the brightness differ
// expect: shift 8.0 -6.0 4.0
// expect: missing: 2.0 1.0 0.0
// error: Drua_registerVolumes: search must be near or shifts if mode is translation, got rotations; set mode to rigid_body
run("Drua Macro Extensions", "cl_device=");
x = newArray(10, 22, 30, 14, 27, 18, 33, 9, 24);
y = newArray(12, 9, 20, 28, 31, 19, 12, 22, 26);
z = newArray(6, 15, 10, 17, 7, 12, 5, 14, 19);

// A quarter turn about the middle and a shift: x, y, z becomes 41 - y, x - 1, z + 1.
reference = draw("reference", 0, 0, 0, 0);
turned = draw("turned", 1, 2, -1, 1);
Ext.Drua_registerVolumes(turned, reference, aligned, "rigid_body", "rotations", "none");
print("turn: " + row("XX") + " " + row("XY") + " " + row("XZ") + ", " + row("YX") + " " + row("YY") + " " + row("YZ") + ", " + shift());
reliable = "chance";
if (getResult("Peak_Ratio", nResults - 1) > 1.6)
    reliable = "reliable";
print("turn: " + difference(aligned) + ", " + reliable);
Ext.Drua_estimateRegistration3d(turned, reference, transform, "rigid_body", "rotations", "none");
Ext.Drua_applyRegistration3d(turned, reference, transform, channel);
print("channel: " + difference(channel));

moved = draw("moved", 0, 8, -6, 4);
Ext.Drua_registerVolumes(moved, reference, aligned, "translation", "shifts", "none");
print(shift());

// A margin that was not recorded stays in place.
near = draw("near", 0, 2, 1, 0);
Ext.Drua_create3d(recorded, 40, 40, 24, 8);
Ext.Drua_drawBox(recorded, 8, 8, 0, 23, 23, 23, 1);
Ext.Drua_mask(near, recorded, source);
Ext.Drua_mask(reference, recorded, target);
Ext.Drua_registerVolumes(source, target, aligned, "translation", "near", "zero");
print("missing: " + d2s(getResult("Shift_X", nResults - 1), 1) + " " + d2s(getResult("Shift_Y", nResults - 1), 1) + " " + d2s(abs(getResult("Shift_Z", nResults - 1)), 1));
Ext.Drua_registerVolumes(moved, reference, aligned, "translation", "rotations", "none");

function draw(name, turn, dx, dy, dz) {
    Ext.Drua_create3d(spheres, 40, 40, 24, 32);
    for (i = 0; i < x.length; i++) {
        u = x[i];
        v = y[i];
        if (turn) {
            u = 39 - y[i];
            v = x[i];
        }
        Ext.Drua_drawSphere(spheres, u + dx, v + dy, z[i] + dz, 2, 2, 2, 100 + 20 * i);
    }
    Ext.Drua_gaussianBlur(spheres, name, 1.5, 1.5, 1.5);
    Ext.Drua_addImageAndScalar(name, result, 10);
    Ext.Drua_copy(result, name);
    return name;
}

function row(column) {
    return d2s(round(100 * getResult(column, nResults - 1)) / 100 + 0.0001, 2);
}

function shift() {
    return "shift " + d2s(getResult("Shift_X", nResults - 1), 1) + " " + d2s(getResult("Shift_Y", nResults - 1), 1) + " " + d2s(getResult("Shift_Z", nResults - 1), 1);
}

function difference(image) {
    Ext.Drua_crop(image, inside, 4, 4, 4, 32, 32, 16);
    Ext.Drua_crop(reference, expected, 4, 4, 4, 32, 32, 16);
    Ext.Drua_absoluteDifference(inside, expected, error);
    Ext.Drua_getSumOfAllPixels(error, sum);
    Ext.Drua_getSumOfAllPixels(expected, all);
    if (sum < 0.03 * all)
        return "less than 3 % of the brightness differ";
    return d2s(100 * sum / all, 1) + " % of the brightness differ";
}
