// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ImageProcessor;
import java.lang.reflect.Field;

/**
 * Reads the displayed slice of an image from any thread and changes nothing. ImagePlus.getProcessor(), in contrast,
 * sets the image's selection in the slice, so a plugin on another thread would process only that selection.
 * getProcessor() also fails if another thread deletes the selection at that moment.
 */
public final class DisplayedSlice {
    private static final Field PROCESSOR = field();

    private DisplayedSlice() {}

    private static Field field() {
        try {
            Field field = ImagePlus.class.getDeclaredField("ip");
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    /** The displayed slice; null for a closed image. Calls getProcessor() if this version of ImageJ lacks the field. */
    public static ImageProcessor of(ImagePlus image) {
        try {
            return PROCESSOR == null ? image.getProcessor() : (ImageProcessor) PROCESSOR.get(image);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The slices of an image. For a single slice, ImagePlus.getStack() would call getProcessor(). */
    public static ImageStack stack(ImagePlus image) {
        ImageProcessor slice = of(image);
        if (image.getStackSize() > 1 || slice == null)
            return image.getStack();
        ImageStack stack = new ImageStack(slice.getWidth(), slice.getHeight());
        stack.addSlice("", slice.getPixels());
        return stack;
    }
}
