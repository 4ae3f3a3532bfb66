// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Native;
import drua.imagej.Images;
import ij.ImagePlus;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;
import java.awt.Color;
import java.util.Arrays;

/** Shows images of the device in windows, which are reused by title; see {@link HostCommands}. */
final class DisplayCommands {
    /** Hue step between consecutive labels, as a fraction of the colour wheel, so that neighbours differ. */
    private static final float GOLDEN = 0.618034f;

    private DisplayCommands() {}

    public static void showGrey(Call call) {
        Windows.show(Images.pull(call.context(), call.image("source"), call.text("title"), !call.compatible()));
    }

    public static void showRgb(Call call) {
        ByteProcessor[] channels = new ByteProcessor[3];
        for (int i = 0; i < 3; i++) {
            String name = Arrays.asList("red", "green", "blue").get(i);
            channels[i] = pullAsBytes(call, name);
            if (channels[i].getWidth() != channels[0].getWidth() || channels[i].getHeight() != channels[0].getHeight())
                throw unequalSizes(call, name, channels[i], "red", channels[0]);
        }
        ColorProcessor rgb = new ColorProcessor(channels[0].getWidth(), channels[0].getHeight());
        for (int i = 0; i < 3; i++)
            rgb.setChannel(i + 1, channels[i]);
        Windows.show(new ImagePlus(call.text("title"), rgb));
    }

    /** Adds the colour of each label to the grey values. */
    public static void showGlasbeyOnGrey(Call call) {
        ByteProcessor grey = pullAsBytes(call, "source");
        long labels = call.plane("labels"), width = Native.info(call.context(), labels)[0];
        float[] numbers = Images.pullNumbers(call.context(), labels)[0];
        if (width != grey.getWidth() || numbers.length != grey.getPixelCount())
            throw unequalSizes(
                call, "labels", new ByteProcessor((int) width, numbers.length / (int) width), "source", grey);
        int[] pixels = new int[numbers.length];
        for (int i = 0; i < pixels.length; i++) {
            Color color = numbers[i] > 0 ? Color.getHSBColor((long) numbers[i] * GOLDEN % 1, 0.8f, 0.7f) : Color.BLACK;
            int value = grey.get(i);
            pixels[i] = Math.min(color.getRed() + value, 255) << 16 | Math.min(color.getGreen() + value, 255) << 8
                | Math.min(color.getBlue() + value, 255);
        }
        Windows.show(new ImagePlus(call.text("title"), new ColorProcessor(grey.getWidth(), grey.getHeight(), pixels)));
    }

    public static void show3dWithTipTilt(Call call) {
        TipTilt.show(
            Images.pull(call.context(), call.image("source"), call.text("title"), false), call.flag("synchronised"));
    }

    /** A plane with the contrast that a pull would give it. */
    private static ByteProcessor pullAsBytes(Call call, String parameter) {
        ImageProcessor ip = Images.pull(call.context(), call.plane(parameter), "", false).getProcessor();
        return ip instanceof ByteProcessor ? (ByteProcessor) ip : ip.convertToByteProcessor(true);
    }

    private static RuntimeException unequalSizes(
        Call call, String parameter, ImageProcessor one, String other, ImageProcessor due) {
        return call.error(parameter,
            "'" + call.text(parameter) + "' is " + one.getWidth() + "x" + one.getHeight() + " pixels, but " + other
                + " is " + due.getWidth() + "x" + due.getHeight() + "; both must have the same size");
    }
}
