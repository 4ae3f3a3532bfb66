// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.imagej.DisplayedSlice;
import drua.imagej.Images;
import drua.imagej.Selections;
import ij.ImageListener;
import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ImageProcessor;
import java.awt.Rectangle;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open source images of a pipeline: their displayed slices, and whether their pixels change. Safe for any thread.
 */
final class Sources implements ImageListener {
    /** The last observed state of an image. */
    private static final class Seen {
        private String place = "";
        private int version;
        /** Checksums of the slices that were sent or displayed, by stack index. */
        private final Map<Integer, Integer> sums = new ConcurrentHashMap<>();
    }

    private final Map<Integer, Seen> seen = new HashMap<>();
    private final Set<Integer> updated = new HashSet<>(), gone = new HashSet<>(), recorded = new HashSet<>();

    @Override
    public void imageOpened(ImagePlus image) {
        imageUpdated(image);
    }

    @Override
    public synchronized void imageClosed(ImagePlus image) {
        gone.add(image.getID());
    }

    @Override
    public synchronized void imageUpdated(ImagePlus image) {
        if (seen.containsKey(image.getID()))
            updated.add(image.getID());
    }

    /** True for a closed image, even before ImageJ reports it; such an image has no pixels. */
    synchronized boolean closed(ImagePlus image) {
        return gone.contains(image.getID()) || DisplayedSlice.of(image) == null;
    }

    /** True if another slice was displayed, pixels may have changed or an image was closed since {@link #record}. */
    synchronized boolean moved(Collection<ImagePlus> images) {
        for (ImagePlus image : images) {
            Seen last = seen.get(image.getID());
            boolean isGone = closed(image);
            if (last == null || isGone != !recorded.contains(image.getID())
                || !isGone && (updated.contains(image.getID()) || !last.place.equals(place(image))))
                return true;
        }
        return false;
    }

    /** Records the current state of the images. */
    synchronized void record(Collection<ImagePlus> images) {
        recorded.clear();
        Map<Integer, Seen> now = new HashMap<>();
        for (ImagePlus image : images) {
            Seen last = seen.getOrDefault(image.getID(), new Seen());
            now.put(image.getID(), last);
            ImageProcessor pixels = DisplayedSlice.of(image);
            if (pixels == null || closed(image))
                continue;
            recorded.add(image.getID());
            String place = place(image);
            boolean isUpdated = updated.remove(image.getID());
            if (isUpdated || !last.place.equals(place)) {
                int sum = sum(pixels.getPixels());
                Integer before = last.sums.put(image.getCurrentSlice(), sum);
                last.version += before != null && before != sum ? 1 : 0;
                last.place = place;
            }
        }
        seen.clear();
        seen.putAll(now);
        updated.retainAll(now.keySet());
    }

    private static String place(ImagePlus image) {
        return image.getChannel() + " " + image.getSlice() + " " + image.getFrame() + " " + image.getStackSize();
    }

    private static int sum(Object pixels) {
        if (pixels instanceof byte[])
            return Arrays.hashCode((byte[]) pixels);
        if (pixels instanceof short[])
            return Arrays.hashCode((short[]) pixels);
        if (pixels instanceof float[])
            return Arrays.hashCode((float[]) pixels);
        return Arrays.hashCode((int[]) pixels);
    }

    /** The stack indices that a source takes. */
    private static int[] slices(Step source, ImagePlus image) {
        return source.takesShown() ? Images.currentSlices(image) : Images.all(image);
    }

    /** A key that changes whenever the part of the image that is sent to the device changes. */
    synchronized String seen(Step source, ImagePlus image) {
        if (image == null || closed(image))
            return "none";
        Seen last = seen.get(image.getID());
        return image.getID() + Arrays.toString(slices(source, image)) + " " + (last == null ? 0 : last.version);
    }

    /** Sends a source image and records checksums of its slices. A changed slice is noticed when it is displayed. */
    long send(long context, Step source, ImagePlus image, Rectangle part) {
        ImageStack stack = DisplayedSlice.stack(image);
        Seen last;
        synchronized (this) {
            last = seen.get(image.getID());
        }
        if (last != null && !stack.isVirtual())
            Arrays.stream(slices(source, image))
                .parallel()
                .forEach(slice -> last.sums.computeIfAbsent(slice, index -> sum(stack.getPixels(index))));
        return push(context, image, slices(source, image), part);
    }

    /** Sends slices of an image. part: the part to send; null for the whole planes. */
    private static long push(long context, ImagePlus image, int[] slices, Rectangle part) {
        Rectangle inside = part == null ? null : part.intersection(new Rectangle(image.getWidth(), image.getHeight()));
        return Images.push(context, image, slices, inside == null || inside.isEmpty() ? null : inside, 0);
    }

    static Rectangle selection(ImagePlus image) {
        return Selections.bounds(image);
    }

    /**
     * The slice, from 0, that corresponds to the displayed slice in a result of this depth; the middle slice if no
     * slice corresponds.
     */
    synchronized int slice(Pipeline pipeline, Map<Integer, ImagePlus> images, int depth) {
        for (Step source : pipeline.steps(Step.Role.SOURCE)) {
            ImagePlus image = images.get(source.id);
            int[] all = image == null || closed(image) ? new int[0] : slices(source, image);
            for (int i = 0; i < all.length && all.length == depth; i++) {
                if (all[i] == image.getCurrentSlice())
                    return i;
            }
        }
        return depth / 2;
    }
}
