// SPDX-License-Identifier: BSD-3-Clause
// Tracks the cells of a time-lapse: blur, threshold and labels of each frame, tracks, and a table with a row per track.
// Argument: a 2-D movie, one frame a slice. Without an argument, it tracks five moving cells that it draws.
run("Drua Macro Extensions", "cl_device=");
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
Ext.Drua_pull(tracked);
