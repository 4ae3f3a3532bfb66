// SPDX-License-Identifier: BSD-3-Clause
// From raw tiles to tracks: this macro simulates a movie of a tilted light sheet with two channels, two tiles, uneven
// illumination and drift, and then corrects each of these effects. It prints the error of each step against the truth,
// saves a picture of each step beside the truth, and saves the table of tracks. Argument: the folder for the pictures.

var output = getArgument();
if (output == "") output = getDirectory("Folder for the pictures");

var frames = 5, nuclei = 8, depth = 14, tileWidth = 110, tileHeight = 112;
var sceneWidth = 190, sceneHeight = 128;
var offsetX = 78, offsetY = 2;              // true position of the second tile; the recorded one is 80, 0
var shift = 0.75, angle = 45;               // each plane starts 0.75 pixels further along y than the one before
var wedge = Math.ceil(shift * (depth - 1)); // rows that the last plane did not record
var rim = 3;                                // rows that only one tile recorded
var driftX = 2.3, driftY = -1.7;            // pixels from frame to frame
var sigma = 1.5, camera = 10;               // blur in pixels, grey value without light
var x = newArray(28, 52, 70, 96, 98, 130, 150, 165), y = newArray(40, 82, 42, 88, 52, 44, 86, 58);
var moveX = newArray(2, -1, -2, 1, 2, -2, 1, -1), moveY = newArray(1, -1, 1, -1, -1, 1, -1, 1);

setBatchMode(true);
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
makeIllumination();
Ext.Drua_create3d(psf, 11, 11, 11, 32);
Ext.Drua_drawBox(psf, 5, 5, 5, 0, 0, 0, 1);
Ext.Drua_gaussianBlur(psf, blurredPsf, sigma, sigma, sigma);
for (channel = 1; channel <= 2; channel++) {
    raw = "raw" + channel;
    Ext.Drua_create3d(raw, tileWidth, tileHeight, 2 * depth * frames, 32);
    for (frame = 0; frame < frames; frame++)
        record(frame, channel);
}

// 1. even illumination
Ext.Drua_addImageAndScalar("raw1", lit, -camera);
Ext.Drua_addImageAndScalar("raw2", lit2, -camera);
Ext.Drua_estimateFlatField(lit, flat, dark, false, 1, 1, 10);
even1 = "even1";
even2 = "even2";
Ext.Drua_applyFlatField(lit, flat, dark, even1);
Ext.Drua_applyFlatField(lit2, flat, dark, even2);
print("flat field: mean error " + d2s(100 * difference(flat, "illumination"), 1) + " %");
save("1_flat_field", flat, "illumination", 0.6, 1.2);

// 2. straight stacks, 3. one mosaic, 4. sharp images
for (frame = 0; frame < frames; frame++)
    for (channel = 1; channel <= 2; channel++)
        assemble(frame, channel);

// 5. no drift: the second channel moves with the first
run("Clear Results");
Ext.Drua_estimateRegistration("movie1", transforms, "translation", "previous");
Ext.Drua_applyRegistration("movie1", transforms, still);
Ext.Drua_applyRegistration("movie2", transforms, still2);
worst = 0;
for (frame = 0; frame < frames; frame++) {
    offX = abs(getResult("Shift_X", frame) - driftX * frame);
    offY = abs(getResult("Shift_Y", frame) - driftY * frame);
    worst = maxOf(worst, maxOf(offX, offY));
}
print("registration: largest error " + d2s(worst, 2) + " pixels");
Ext.Drua_copySlice(still, first, 0);
Ext.Drua_copySlice(still, last, frames - 1);
save("5_first_and_last_frame", first, last, 0, 400);

// 6. objects and their tracks
Ext.Drua_getDimensions(still, width, height, slices);
Ext.Drua_create3d(labels, width, height, frames, 16);
for (frame = 0; frame < frames; frame++) {
    Ext.Drua_copySlice(still, plane, frame);
    Ext.Drua_voronoiOtsuLabeling(plane, objects, 4, 1);
    Ext.Drua_copySlice(objects, labels, frame);
    Ext.Drua_release(plane);
    Ext.Drua_release(objects);
}
Ext.Drua_trackLabels(labels, tracked, tracks, frames, "distance=12");
checkTracks();
Ext.Drua_clear();

// Relative light of each pixel of a tile, with mean 1.
function makeIllumination() {
    newImage("illumination", "32-bit black", tileWidth, tileHeight, 1);
    run("Macro...", "code=[v = 1.15 - 0.5 * ((x / w - 0.45) * (x / w - 0.45) + (y / h - 0.55) * (y / h - 0.55))]");
    getStatistics(area, mean);
    run("Divide...", "value=" + mean);
    Ext.Drua_push("illumination");
    close("illumination");
}

// Simulates all planes of a frame, for both tiles; keeps the scene and its blurred image.
function record(frame, channel) {
    raw = "raw" + channel;
    Ext.Drua_create3d(scene, sceneWidth, sceneHeight, depth, 32);
    if (channel == 1) {
        Ext.Drua_setRandom(scene, 0, 200, 7);
        Ext.Drua_gaussianBlur(scene, texture, 2, 2, 1);
        Ext.Drua_copy(texture, scene);
        Ext.Drua_release(texture);
    } else
        Ext.Drua_set(scene, 20);
    for (i = 0; i < nuclei; i++) {
        value = 400;
        if (channel == 2)
            value = 100 + 50 * i;
        Ext.Drua_drawSphere(scene, x[i] + moveX[i] * frame, y[i] + moveY[i] * frame, depth / 2, 7, 7, 4, value);
    }
    Ext.Drua_translate(scene, drifted, -driftX * frame, -driftY * frame, 0);
    Ext.Drua_gaussianBlur(drifted, blurred, sigma, sigma, sigma);
    name = "truth" + channel + "_" + frame;
    Ext.Drua_copy(drifted, name);
    name = "blurred" + channel + "_" + frame;
    Ext.Drua_copy(blurred, name);
    for (tile = 0; tile < 2; tile++) {
        for (k = 0; k < depth; k++) {
            Ext.Drua_copySlice(blurred, plane, k);
            Ext.Drua_translate(plane, moved, offsetX * tile, offsetY * tile + shift * k, 0);
            Ext.Drua_crop(moved, part, 0, 0, 0, tileWidth, tileHeight, 1);
            Ext.Drua_multiplyImages(part, "illumination", vignetted);
            Ext.Drua_addImageAndScalar(vignetted, seen, camera);
            Ext.Drua_cameraNoise(seen, counts, 4, 0, 1 + k + 20 * (tile + 2 * (channel + 2 * frame)));
            Ext.Drua_copySlice(counts, raw, k + depth * (tile + 2 * frame));
            Ext.Drua_release(plane);
            Ext.Drua_release(moved);
            Ext.Drua_release(part);
            Ext.Drua_release(vignetted);
            Ext.Drua_release(seen);
            Ext.Drua_release(counts);
        }
    }
    Ext.Drua_release(scene);
    Ext.Drua_release(drifted);
    Ext.Drua_release(blurred);
}

// Assembles one frame from its two tiles, restores it, and puts its brightest plane into the movie.
function assemble(frame, channel) {
    Ext.Drua_create3d(tiles, tileWidth, tileHeight - wedge, 2 * depth, 32);
    for (tile = 0; tile < 2; tile++) {
        Ext.Drua_crop3D("even" + channel, skewed, 0, 0, depth * (tile + 2 * frame), tileWidth, tileHeight, depth);
        Ext.Drua_deskew(skewed, straight, angle, 1, shift / cos(angle * PI / 180), "forward", false);
        if (frame + channel + tile == 1)
            checkDeskew(skewed, straight);
        Ext.Drua_crop3D(straight, full, 0, wedge, 0, tileWidth, tileHeight - wedge, depth);
        Ext.Drua_paste3D(full, tiles, 0, 0, depth * tile);
        Ext.Drua_release(full);
        Ext.Drua_release(skewed);
        Ext.Drua_release(straight);
    }
    if (frame + channel == 1) {
        Ext.Drua_stitchGrid(tiles, mosaic, found, 2, 1, "overlap=27");
        checkPositions();
        positions = "positions";
        Ext.Drua_crop2D(found, positions, 0, 0, 2, 3);
    } else
        Ext.Drua_stitchPositions(tiles, "positions", mosaic, found, "keep");
    Ext.Drua_crop3D(mosaic, full, 0, rim, 0, offsetX + tileWidth, tileHeight - wedge - 2 * rim, depth);
    Ext.Drua_maximumImageAndScalar(full, light, 0);
    Ext.Drua_deconvolve(light, blurredPsf, sharp, "iterations=15");
    if (frame + channel == 1)
        checkMosaic(full, sharp);
    Ext.Drua_maximumZProjection(sharp, projection);
    name = "movie" + channel;
    if (frame == 0) {
        Ext.Drua_getDimensions(projection, width, height, slices);
        Ext.Drua_create3d(name, width, height, frames, 32);
    }
    Ext.Drua_copySlice(projection, name, frame);
    Ext.Drua_release(tiles);
    Ext.Drua_release(mosaic);
    Ext.Drua_release(full);
    Ext.Drua_release(light);
    Ext.Drua_release(found);
    Ext.Drua_release(sharp);
    Ext.Drua_release(projection);
}

function checkDeskew(skewed, straight) {
    Ext.Drua_crop3D("blurred1_0", truth, 0, 16, 0, tileWidth, 90, depth);
    Ext.Drua_crop3D(skewed, before, 0, 16, 0, tileWidth, 90, depth);
    Ext.Drua_crop3D(straight, after, 0, 16, 0, tileWidth, 90, depth);
    print("deskew: mean error " + d2s(difference(before, truth), 1) + " before, " + d2s(difference(after, truth), 1) +
        " after");
    side("2_deskew", before, after, truth);
}

function checkPositions() {
    n = nResults;
    offX = abs(getResult("X", n - 1) - getResult("X", n - 2) - offsetX);
    offY = abs(getResult("Y", n - 1) - getResult("Y", n - 2) - offsetY);
    print("stitching: error of the second tile " + d2s(maxOf(offX, offY), 2) + " pixels");
}

function checkMosaic(mosaic, sharp) {
    Ext.Drua_crop3D("truth1_0", truth, 8, 10 + wedge + rim, 3, 170, 75, 8);
    Ext.Drua_crop3D(mosaic, before, 8, 10, 3, 170, 75, 8);
    Ext.Drua_crop3D(sharp, after, 8, 10, 3, 170, 75, 8);
    print("deconvolution: mean error " + d2s(difference(before, truth), 1) + " before, " +
        d2s(difference(after, truth), 1) + " after");
    middle("3_mosaic", before, truth);
    middle("4_deconvolved", after, truth);
}

// Compares the displacement of each track with that of the nearest nucleus, and the second channel along each track.
function checkTracks() {
    run("Clear Results");
    Ext.Drua_listTrackedSpots(tracks);
    worst = 0;
    correct = 0;
    for (i = 0; i < nuclei; i++) {
        track = 0;
        same = 1;
        for (frame = 0; frame < frames; frame++) {
            best = 1000;
            for (row = 0; row < nResults; row++) {
                if (getResult("FRAME", row) == frame + 1) {
                    dx = getResult("X", row) - x[i] - moveX[i] * frame;
                    dy = getResult("Y", row) + wedge + rim - y[i] - moveY[i] * frame;
                    if (dx * dx + dy * dy < best) {
                        best = dx * dx + dy * dy;
                        number = getResult("TRACK", row);
                    }
                }
            }
            worst = maxOf(worst, sqrt(best));
            if (frame > 0 && number != track)
                same = 0;
            track = number;
        }
        correct += same;
    }
    run("Clear Results");
    Ext.Drua_measureTracks(tracks, "");
    print("tracks: " + nResults + ", " + correct + " of " + nuclei + " nuclei keep their track, largest error " +
        d2s(worst, 1) + " pixels");
    saveAs("Results", output + File.separator + "tracks.csv");
    run("Clear Results");
    Ext.Drua_statisticsOfLabelledPixels(still2, tracked);
    saveAs("Results", output + File.separator + "second_channel.csv");
    Ext.Drua_maximumZProjection(tracked, paths);
    Ext.Drua_pull(paths);
    run("glasbey on dark");
    run("Scale...", "x=3 y=3 interpolation=None create");
    saveAs("PNG", output + File.separator + "6_tracks.png");
    close();
    close();
}

function difference(image, truth) {
    Ext.Drua_absoluteDifference(image, truth, apart);
    Ext.Drua_meanOfAllPixels(apart, mean);
    Ext.Drua_release(apart);
    return mean;
}

// Saves an image beside the truth.
function save(name, image, truth, lowest, highest) {
    Ext.Drua_combineHorizontally(image, truth, pair);
    Ext.Drua_pull(pair);
    setMinAndMax(lowest, highest);
    run("Scale...", "x=3 y=3 interpolation=None create");
    saveAs("PNG", output + File.separator + name + ".png");
    close();
    close();
    Ext.Drua_release(pair);
}

// Saves the middle slices.
function middle(name, image, truth) {
    Ext.Drua_copySlice(image, left, 4);
    Ext.Drua_copySlice(truth, right, 4);
    save(name, left, right, 0, 400);
    Ext.Drua_release(left);
    Ext.Drua_release(right);
}

// Saves the stacks as seen from the side.
function side(name, before, after, truth) {
    Ext.Drua_maximumXProjection(before, left);
    Ext.Drua_maximumXProjection(after, centre);
    Ext.Drua_maximumXProjection(truth, right);
    Ext.Drua_combineHorizontally(left, centre, both);
    save(name, both, right, 0, 400);
    Ext.Drua_release(left);
    Ext.Drua_release(centre);
    Ext.Drua_release(right);
    Ext.Drua_release(both);
}
