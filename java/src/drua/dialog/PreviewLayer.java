// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.imagej.LabelColors;
import ij.ImagePlus;
import ij.gui.ImageRoi;
import ij.gui.Overlay;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;
import ij.process.ImageStatistics;
import ij.process.LUT;
import java.awt.Color;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;

/**
 * Displays a preview. A result as large as the part of the slice that it was computed from is drawn over that part; any
 * other result gets a separate window. Labels and masks are transparent with outlines. Results in grey values use the
 * image's contrast; results in other units keep the contrast of their first preview.
 */
public final class PreviewLayer {
    /** How to display a result. */
    public enum Look { LABELS, MASK, AS_IMAGE, OTHER }

    private static final int INSIDE = 0x60, OUTLINE = 0xff;
    private static final double SATURATED = 0.0035;

    private final Look look;
    private ImagePlus image, window;
    private ImageRoi shown;
    private double[] range;

    public PreviewLayer(Look look) {
        this.look = look;
    }

    /** Replaces the previous result. */
    public void show(Place place, ImageProcessor result) {
        Rectangle bounds = place.bounds();
        if (result.getWidth() == bounds.width && result.getHeight() == bounds.height)
            showPicture(place, picture(place.image, result));
        else
            show(place.image.getTitle(), new ColorProcessor(picture(place.image, result)));
    }

    /** Removes the overlay and closes the preview's window. */
    public void clear() {
        if (shown != null) {
            Overlay overlay = image.getOverlay();
            if (overlay != null) {
                overlay.remove(shown);
                image.setOverlay(overlay.size() == 0 ? null : overlay);
            }
            shown = null;
        }
        if (window != null) {
            window.changes = false;
            window.close();
            window = null;
        }
    }

    private void showPicture(Place place, BufferedImage picture) {
        clear();
        image = place.image;
        Rectangle bounds = place.bounds();
        shown = new ImageRoi(bounds.x, bounds.y, picture);
        if (image.isHyperStack())
            shown.setPosition(place.channel, place.slice, place.frame);
        else if (image.getStackSize() > 1)
            shown.setPosition(image.getStackIndex(place.channel, place.slice, place.frame));
        Overlay overlay = image.getOverlay() == null ? new Overlay() : image.getOverlay();
        overlay.add(shown);
        image.setOverlay(overlay);
    }

    private void show(String title, ImageProcessor result) {
        if (window == null || !window.isVisible()) {
            clear();
            window = new ImagePlus("preview of " + title, result);
            window.show();
        } else {
            window.setProcessor(result);
            window.updateAndDraw();
        }
    }

    private BufferedImage picture(ImagePlus source, ImageProcessor result) {
        if (result instanceof ColorProcessor)
            return result.getBufferedImage();
        if (look == Look.LABELS || look == Look.MASK)
            return drawLabels(result);
        ImageProcessor on = source.getProcessor();
        boolean isLikeImage = look == Look.AS_IMAGE && !(on instanceof ColorProcessor);
        if (!isLikeImage && range == null)
            range = displayRange(result);
        double low = isLikeImage ? on.getMin() : range[0], high = isLikeImage ? on.getMax() : range[1];
        LUT colours = on instanceof ColorProcessor ? LUT.createLutFromColor(Color.WHITE) : on.getLut();
        BufferedImage picture = new BufferedImage(result.getWidth(), result.getHeight(), BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < result.getPixelCount(); i++) {
            double part = (result.getf(i) - low) / Math.max(1e-30, high - low);
            int grey = (int) Math.round(255 * Math.max(0, Math.min(1, part)));
            picture.setRGB(i % result.getWidth(), i / result.getWidth(), colours.getRGB(grey));
        }
        return picture;
    }

    /**
     * The range without the brightest and darkest pixels. If the other pixels are all equal, the whole range and zero.
     */
    private static double[] displayRange(ImageProcessor result) {
        float[] values = (float[]) result.convertToFloatProcessor().getPixelsCopy();
        java.util.Arrays.sort(values);
        double low = values[(int) (SATURATED * values.length)],
               high = values[(int) ((1 - SATURATED) * (values.length - 1))];
        ImageStatistics all = result.getStats();
        return high > low ? new double[] {low, high} : new double[] {Math.min(0, all.min), all.max > 0 ? all.max : 1};
    }

    /** Draws each label in a transparent colour with an opaque outline. */
    private BufferedImage drawLabels(ImageProcessor labels) {
        int width = labels.getWidth(), height = labels.getHeight();
        LUT colours = LabelColors.lut();
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                float label = labels.getf(x, y);
                if (!(label > 0))
                    continue;
                boolean edge = x == 0 || y == 0 || x == width - 1 || y == height - 1 || labels.getf(x - 1, y) != label
                    || labels.getf(x + 1, y) != label || labels.getf(x, y - 1) != label
                    || labels.getf(x, y + 1) != label;
                int colour = look == Look.MASK ? Color.RED.getRGB() : colours.getRGB(1 + ((int) label - 1) % 255);
                picture.setRGB(x, y, (edge ? OUTLINE : INSIDE) << 24 | colour & 0xffffff);
            }
        }
        return picture;
    }
}
