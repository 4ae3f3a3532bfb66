// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.DisplayedSlice;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.Watch;
import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ColorProcessor;
import java.awt.Dimension;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Draws the pictures of a 3-D view. While requests follow each other, pictures are as coarse as needed to follow the
 * mouse; the last one is then drawn again in full. The stack stays on the device until another object, channel or frame
 * is shown.
 */
final class VolumeRenderer extends LatestRequest {
    /** Time for a picture while the mouse moves, and time without a request before the full picture. */
    private static final long FAST_MS = 40, QUIET_MS = 120;
    private static final int COARSEST = 4, FRAMES = 72, DEGREES = 360;

    private final BiConsumer<ColorProcessor, String> shown;
    private final Consumer<String> failed;
    private VolumeObject object;
    private VolumeScene scene;
    private Dimension size;
    private int channel, frame;
    private boolean wantsMovie, isCoarse;
    /** Estimated milliseconds of a full picture. */
    private double fullPictureMs = FAST_MS * COARSEST * COARSEST * COARSEST;
    private long volume;
    private VolumeObject pushed;
    private int generation, pushedChannel, pushedFrame;

    /**
     * @param shown  gets each picture and a line about it, in the renderer's thread
     * @param failed gets the sentence of a failure, in the renderer's thread
     */
    VolumeRenderer(BiConsumer<ColorProcessor, String> shown, Consumer<String> failed) {
        super("Drua 3-D view");
        this.shown = shown;
        this.failed = failed;
        start();
    }

    synchronized void show(VolumeObject what, VolumeScene next, Dimension area) {
        object = what;
        scene = next;
        size = area;
        channel = what.image.getChannel();
        frame = what.image.getFrame();
        change();
    }

    /** Opens a stack of pictures of one full rotation. */
    synchronized void record() {
        wantsMovie = true;
        change();
    }

    /** Waits for a request, or until it is quiet after a coarse picture; false after the end. */
    private synchronized boolean awaitRequest() throws InterruptedException {
        if (isCoarse && !changed && !closed)
            wait(QUIET_MS);
        while (!changed && !closed && !isCoarse)
            wait();
        return !closed;
    }

    @Override
    void work() {
        try {
            while (awaitRequest())
                serve();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            release();
        }
    }

    private void serve() {
        VolumeObject what;
        VolumeScene now;
        Dimension area;
        boolean isNew, movie;
        synchronized (this) {
            what = object;
            now = scene;
            area = size;
            isNew = changed;
            movie = wantsMovie;
            changed = wantsMovie = false;
        }
        if (now == null)
            return;
        try {
            if (movie)
                makeMovie(what, now, area);
            else
                draw(what, now, area, isNew ? pixelsPerRay() : 1);
        } catch (RuntimeException e) {
            isCoarse = false;
            if (DisplayedSlice.of(what.image) == null)
                failed.accept(
                    "the image '" + what.image.getTitle() + "' was closed; open it again and start 3-D View for it");
            else if (!isStale())
                failed.accept(EngineException.sentence(e));
        } catch (OutOfMemoryError e) {
            isCoarse = false;
            failed.accept("ImageJ has too little memory for the picture; give it more with Edit>Options>Memory & "
                + "Threads, or make the window smaller");
        }
    }

    /** How many pixels of the window share a ray along each axis, so that a picture takes little time. */
    private int pixelsPerRay() {
        int coarse = 1;
        while (coarse < COARSEST && fullPictureMs / (coarse * coarse * coarse) > FAST_MS)
            coarse *= 2;
        return coarse;
    }

    private void draw(VolumeObject what, VolumeScene now, Dimension area, int coarse) {
        long begun = System.nanoTime();
        ColorProcessor picture = picture(what, now, area, coarse);
        double milliseconds = (System.nanoTime() - begun) / 1e6;
        fullPictureMs = milliseconds * coarse * coarse * coarse;
        isCoarse = coarse > 1;
        shown.accept(picture,
            String.format("rotated %.0f\u00b0, tilted %.0f\u00b0, zoom %.1f: %.0f ms", now.turn, now.tilt, now.zoom,
                milliseconds));
    }

    private void makeMovie(VolumeObject what, VolumeScene now, Dimension area) {
        ImageStack stack = new ImageStack(area.width, area.height);
        for (int i = 0; i < FRAMES; i++) {
            if (isStale())
                return;
            ColorProcessor picture = picture(what, now.turned(i * (double) DEGREES / FRAMES, 0), area, 1);
            stack.addSlice(i * DEGREES / FRAMES + "\u00b0", picture);
            shown.accept(picture, "picture " + (i + 1) + " of " + FRAMES + "; any change ends the movie");
        }
        ImagePlus movie = new ImagePlus("Rotation of " + what.image.getTitle(), stack);
        movie.setDimensions(1, 1, FRAMES);
        movie.show();
    }

    private ColorProcessor picture(VolumeObject what, VolumeScene now, Dimension area, int coarse) {
        int width = Math.max(1, area.width / coarse), height = Math.max(1, area.height / coarse);
        VolumeColors colours = new VolumeColors(what);
        int[] pixels;
        synchronized (Engine.class) {
            long context = Engine.context();
            push(context, what);
            switch (now.mode) {
            case LABELS:
                pixels = colours.ofLabels(values(context, what, now, "labels", width, height, coarse),
                    values(context, what, now, "label_surface", width, height, coarse));
                break;
            case SURFACE:
                pixels = VolumeColors.ofSurface(values(context, what, now, "surface", width, height, coarse));
                break;
            default:
                pixels = colours.ofMaxima(values(context, what, now, "maximum", width, height, coarse));
            }
        }
        return new ColorProcessor(width, height, pixels);
    }

    private synchronized int[] place() {
        return new int[] {channel, frame};
    }

    private void push(long context, VolumeObject what) {
        int[] place = place();
        boolean isThere = volume != 0 && generation == Engine.generation();
        if (isThere && pushed == what && pushedChannel == place[0] && pushedFrame == place[1])
            return;
        long before = isThere ? volume : 0;
        if (isThere && pushed != what) {
            Native.release(context, volume);
            before = volume = 0;
        }
        volume = Images.push(context, what.image, Images.slices(what.image, place[0], place[1]), null, before);
        pushed = what;
        generation = Engine.generation();
        pushedChannel = place[0];
        pushedFrame = place[1];
    }

    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    private float[] values(
        long context, VolumeObject what, VolumeScene now, String mode, int width, int height, double step) {
        Registry.Operation operation = Registry.get().operations.get("render_volume");
        Object[] arguments = now.arguments(volume, mode, VolumeScene.sliceDistance(what.image), width, height, step);
        try (Watch watch = Watch.begin(context, "3-D View", this::isStale)) {
            long made = (Long) Invocation.run(context, operation, arguments)[0];
            try {
                return Images.pullNumbers(context, made)[0];
            } finally {
                Native.release(context, made);
            }
        }
    }

    private void release() {
        synchronized (Engine.class) {
            if (volume != 0 && generation == Engine.generation())
                Native.release(Engine.context(), volume);
            volume = 0;
        }
    }
}
