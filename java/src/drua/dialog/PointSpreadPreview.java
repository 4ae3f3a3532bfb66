// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.imagej.Images;
import drua.imagej.Invocation;
import drua.imagej.Series;
import drua.imagej.Watch;
import ij.ImagePlus;
import ij.measure.Calibration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Computes the picture of a point spread function while its dialog is open. A new request stops an older one. */
final class PointSpreadPreview extends LatestRequest {
    private final PointSpreadPicture picture;
    private final StatusLine status;
    private PointSpreadRequest request;

    PointSpreadPreview(PointSpreadPicture picture, StatusLine status) {
        super("Drua point spread function");
        this.picture = picture;
        this.status = status;
        start();
    }

    synchronized void show(PointSpreadRequest next) {
        if (next.isSameAs(request))
            return;
        request = next;
        change();
    }

    private synchronized PointSpreadRequest awaitRequest() throws InterruptedException {
        while (!changed && !closed)
            wait();
        changed = false;
        return closed ? null : request;
    }

    @Override
    void work() {
        try {
            for (PointSpreadRequest next = awaitRequest(); next != null; next = awaitRequest())
                show(next, next.images());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show(PointSpreadRequest next, Object[] images) {
        try {
            status.say("computing ...");
            StringBuilder notes = new StringBuilder();
            float[][] planes;
            int width;
            Calibration scale = next.scale(images);
            synchronized (Engine.class) {
                List<Long> mine = new ArrayList<>();
                long context = Engine.context();
                try {
                    long made = make(context, next, images, mine, notes);
                    planes = Images.pullNumbers(context, made);
                    width = (int) Native.info(context, made)[0];
                } finally {
                    mine.forEach(image -> Native.release(context, image));
                }
            }
            PointSpreadSlices slices = new PointSpreadSlices(planes, width, scale);
            picture.show(slices);
            status.say(slices.widths() + notes);
        } catch (RuntimeException e) {
            if (isStale())
                return; /* stopped by a newer request */
            picture.show(null);
            status.fail(EngineException.sentence(e));
        } catch (OutOfMemoryError e) {
            picture.show(null);
            status.fail(
                "ImageJ has too little memory for this size; raise the limit with Edit>Options>Memory & Threads");
        }
    }

    @SuppressWarnings("try") /* the watch is used by opening and closing it */
    private long make(long context, PointSpreadRequest next, Object[] images, List<Long> mine, StringBuilder notes) {
        Object[] arguments = images.clone();
        try (Watch watch = Watch.begin(context, next.operation.title(), this::isStale)) {
            for (int i = 0; i < images.length; i++) {
                if (!(images[i] instanceof ImagePlus))
                    continue;
                ImagePlus image = (ImagePlus) images[i];
                mine.add(Images.push(context, image,
                    Series.slices(next.operation, image, image.getChannel(), image.getFrame()), null, 0));
                arguments[i] = mine.get(mine.size() - 1);
            }
            Object[] outputs = Invocation.run(context, next.operation, arguments);
            mine.add((Long) outputs[0]);
            if (next.operation.name.equals("measure_psf"))
                notes.append(String.format(Locale.ROOT, ". Beads: %.0f", outputs[1]));
            else if (outputs.length > 1 && outputs[1] instanceof String && !((String) outputs[1]).isEmpty())
                notes.append(". ").append(((String) outputs[1]).trim().replace('\n', ' '));
            return (Long) outputs[0];
        }
    }
}
