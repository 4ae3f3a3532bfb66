// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import ij.ImagePlus;
import ij.gui.Roi;
import ij.gui.ShapeRoi;
import ij.process.ImageProcessor;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * Draws images side by side, each scaled to fit a square, and writes them to a PNG file. For a stack, the middle slice
 * is shown. Label maps get a colour for each label. Areas in an image's overlay are outlined.
 */
final class Picture {
    private static final int SIZE = 256, GAP = 8, MIN_SIDE = 20, MAX_EQUAL_DIFFERENCE = 8;

    private Picture() {}

    /**
     * @param labelled       whether each image is a label map
     * @param sharesContrast whether all images use the contrast of the first one
     */
    static void write(List<ImagePlus> images, List<Boolean> labelled, boolean sharesContrast, Path file)
        throws IOException {
        ImageIO.write(drawSideBySide(images, labelled, sharesContrast, SIZE), "png", new File(file.toString()));
    }

    /**
     * Scales each image to fit a square of `size` pixels, each with its own contrast, and crops the picture to the
     * height of the tallest image.
     */
    static void write(List<ImagePlus> images, List<Boolean> labelled, int size, Path file) throws IOException {
        BufferedImage all = drawSideBySide(images, labelled, false, size);
        int highest = images.stream().mapToInt(image -> shownHeight(image, size)).max().orElse(size);
        ImageIO.write(
            all.getSubimage(0, (size - highest) / 2, all.getWidth(), highest), "png", new File(file.toString()));
    }

    /**
     * Draws the images side by side, each scaled to fit a square of `size` pixels, with white above and below lower
     * images.
     */
    static BufferedImage drawSideBySide(
        List<ImagePlus> images, List<Boolean> labelled, boolean sharesContrast, int size) {
        int width = -GAP;
        for (ImagePlus image : images)
            width += GAP + shownWidth(image, size);
        BufferedImage all = new BufferedImage(width, size, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = all.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, size);
        int x = 0;
        for (int i = 0; i < images.size(); i++) {
            ImagePlus image = images.get(i);
            int w = shownWidth(image, size), h = shownHeight(image, size);
            graphics.drawImage(render(image, labelled.get(i), displayRange(sharesContrast ? images.get(0) : image)), x,
                (size - h) / 2, w, h, null);
            drawOverlay(image, all.createGraphics(), x, (size - h) / 2, scaleToFit(image, size));
            x += w + GAP;
        }
        graphics.dispose();
        return all;
    }

    private static void drawOverlay(ImagePlus image, Graphics2D graphics, int x, int y, double scale) {
        if (image.getOverlay() == null)
            return;
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setColor(Color.YELLOW);
        graphics.translate(x, y);
        graphics.scale(scale, scale);
        graphics.setStroke(new BasicStroke((float) (2 / scale)));
        for (Roi selection : image.getOverlay().toArray()) {
            if (!selection.isArea())
                continue;
            int left = selection.getBounds().x, top = selection.getBounds().y;
            graphics.translate(left, top);
            graphics.draw(new ShapeRoi(selection).getShape());
            graphics.translate(-left, -top);
        }
        graphics.dispose();
    }

    /** True if each result looks like one of the input images: at most one pixel in two thousand has another colour. */
    static boolean allLookLikeInputs(
        List<ImagePlus> images, List<Boolean> labelled, boolean sharesContrast, int inputs) {
        List<BufferedImage> shown = new ArrayList<>();
        for (int i = 0; i < images.size(); i++)
            shown.add(
                render(images.get(i), labelled.get(i), displayRange(sharesContrast ? images.get(0) : images.get(i))));
        List<BufferedImage> before = shown.subList(0, inputs);
        return shown.subList(inputs, shown.size())
            .stream()
            .allMatch(result -> before.stream().anyMatch(image -> lookAlike(image, result)));
    }

    private static boolean lookAlike(BufferedImage a, BufferedImage b) {
        if (a.getWidth() != b.getWidth() || a.getHeight() != b.getHeight())
            return false;
        int differ = 0;
        for (int y = 0; y < a.getHeight(); y++) {
            for (int x = 0; x < a.getWidth(); x++) {
                int p = a.getRGB(x, y), q = b.getRGB(x, y), max = 0;
                for (int shift = 0; shift < 24; shift += 8)
                    max = Math.max(max, Math.abs((p >> shift & 255) - (q >> shift & 255)));
                differ += max > MAX_EQUAL_DIFFERENCE ? 1 : 0;
            }
        }
        return differ <= a.getWidth() * a.getHeight() / 2000;
    }

    private static double scaleToFit(ImagePlus image, int size) {
        return (double) size / Math.max(image.getWidth(), image.getHeight());
    }

    private static int shownWidth(ImagePlus image, int size) {
        return Math.max(MIN_SIDE, (int) Math.round(image.getWidth() * scaleToFit(image, size)));
    }

    private static int shownHeight(ImagePlus image, int size) {
        return Math.max(MIN_SIDE, (int) Math.round(image.getHeight() * scaleToFit(image, size)));
    }

    private static BufferedImage render(ImagePlus image, boolean labels, double[] shown) {
        ImageProcessor ip = middleSlice(image);
        int w = ip.getWidth(), h = ip.getHeight();
        BufferedImage result = new BufferedImage(w, h, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                int rgb;
                if (image.getType() == ImagePlus.COLOR_RGB) {
                    rgb = ip.getPixel(x, y);
                } else if (labels) {
                    rgb = labelColour((int) ip.getf(x, y));
                } else {
                    double value = (ip.getf(x, y) - shown[0]) / Math.max(1e-30, shown[1] - shown[0]);
                    int grey = shown[1] > shown[0] ? (int) Math.round(255 * Math.max(0, Math.min(1, value)))
                        : ip.getf(x, y) != 0       ? 128
                                                   : 0;
                    rgb = grey << 16 | grey << 8 | grey;
                }
                result.setRGB(x, y, rgb);
            }
        }
        return result;
    }

    private static ImageProcessor middleSlice(ImagePlus image) {
        return image.getStack().getProcessor(Math.max(1, image.getStackSize() / 2));
    }

    /**
     * The smallest finite grey value and the 99.7th percentile of the middle slice. If the percentile is not above the
     * median, the largest value replaces it. Without finite values, the range is 0 to 0.
     */
    private static double[] displayRange(ImagePlus image) {
        ImageProcessor ip = middleSlice(image);
        float[] values = new float[ip.getPixelCount()];
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            float value = ip.getf(i);
            if (!Float.isNaN(value) && !Float.isInfinite(value))
                values[count++] = value;
        }
        if (count == 0)
            return new double[] {0, 0};
        values = Arrays.copyOf(values, count);
        Arrays.sort(values);
        double low = values[0], high = values[Math.min(count - 1, (int) (0.997 * count))], median = values[count / 2];
        return new double[] {low, high > median ? high : values[count - 1]};
    }

    /** Distinct colours for consecutive labels; 0 is black. */
    private static int labelColour(int label) {
        return label <= 0
            ? 0
            : Color.HSBtoRGB((float) (label * 0.618034 % 1), label % 3 == 0 ? 0.5f : 0.85f, label % 2 == 0 ? 0.8f : 1);
    }
}
