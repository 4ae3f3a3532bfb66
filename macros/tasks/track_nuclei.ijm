// SPDX-License-Identifier: BSD-3-Clause
// # Track nuclei
//
// How do nuclei move through a movie? Each frame is segmented separately, so a nucleus has another label in each frame.
// Tracking gives it the same label in all frames. Argument: a 2-D movie with one frame per slice. Without an argument,
// the program tracks five moving nuclei that it draws.
//
// 1. Blur and Otsu's threshold find the nuclei of all frames.
// 2. Each frame gets its own [labels](../../docs/reference/connected_components_box.md), and the frames are joined to
//    one label movie.
// 3. [Track Labels](../../docs/reference/track_labels.md) links labels of successive frames that are less than 20
//    pixels apart and gives each track a number.
// 4. [Measure Tracks](../../docs/reference/measure_tracks.md) adds a row for each track to the Results table: start,
//    end, length, speed.
//
// Each nucleus should keep its colour from the first to the last frame. The program draws five nuclei that move by the
// square root of 4 + k * k pixels a frame, with k from -2 to 2. The fastest ones move 2.8 pixels a frame. If a track
// breaks, `distance` is smaller than a step; if tracks jump between neighbours, `distance` is too large.
// [Tracking](../../docs/tracking.md) describes gaps, divisions and merges.
//
// words: track nuclei|track cells|tracking|follow cells|cell migration|time lapse
// table: TRACK START END LENGTH MEAN_SPEED
// labels: first.tif the first frame
// labels: last.tif the last frame; nuclei keep their colours
// expect: 5 tracks, 2.0 to 2.8 pixels a frame
run("Drua Macro Extensions", "cl_device=");
first = "first"; last = "last"; // the titles of the windows
path = getArgument();
if (path == "") {
    newImage("movie", "8-bit black", 256, 256, 10);
    for (frame = 1; frame <= 10; frame++) {
        setSlice(frame);
        setColor(200);
        for (cell = 0; cell < 5; cell++)
            fillOval(20 + 45 * cell + 2 * frame, 30 + 35 * cell + (cell - 2) * frame, 18, 16);
    }
} else {
    open(path);
}
movie = getTitle();
frames = nSlices;
Ext.Drua_push(movie);
close(movie);
Ext.Drua_gaussianBlur(movie, blurred, 2, 2, 0);
Ext.Drua_automaticThreshold(blurred, mask, "Otsu");
for (frame = 0; frame < frames; frame++) {
    Ext.Drua_copySlice(mask, slice, frame);
    Ext.Drua_connectedComponentsLabelingBox(slice, labels);
    joined = "frames_" + frame;
    if (frame == 0)
        Ext.Drua_copy(labels, joined);
    else {
        Ext.Drua_concatenateStacks(all, labels, joined);
        Ext.Drua_release(all);
    }
    all = joined;
}
Ext.Drua_trackLabels(all, tracked, tracks, frames, "distance=20 split_distance=20");
Ext.Drua_measureTracks(tracks, "");
speeds = Array.sort(Table.getColumn("MEAN_SPEED"));
print(nResults + " tracks, " + d2s(speeds[0], 1) + " to " + d2s(speeds[nResults - 1], 1) + " pixels a frame");
Ext.Drua_copySlice(tracked, first, 0);
Ext.Drua_copySlice(tracked, last, frames - 1);
Ext.Drua_pull(first);
Ext.Drua_pull(last);
