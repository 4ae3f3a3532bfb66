// SPDX-License-Identifier: BSD-3-Clause
package drua.imagej;

import ij.ImagePlus;
import ij.measure.Calibration;
import ij.process.ImageProcessor;
import ij.process.LUT;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * ImageJ's metadata of an image as a text of lines key=value, which stays with the image on the device. Results inherit
 * the text of their first source, and the engine keeps the voxel size up to date. Each entry is applied only if it
 * still fits the result.
 */
final class Metadata {
    private final Map<String, String> entries = new LinkedHashMap<>();

    private Metadata() {}

    /** Describes an image that is pushed as the given number of planes. */
    static Metadata of(ImagePlus image, int planes) {
        Metadata m = new Metadata();
        Calibration c = image.getCalibration();
        m.putEntry("width", image.getWidth());
        m.putEntry("height", image.getHeight());
        m.putEntry("depth", planes);
        m.putEntry("bits", image.getBitDepth());
        m.putEntry("pixelWidth", c.pixelWidth);
        m.putEntry("pixelHeight", c.pixelHeight);
        m.putEntry("pixelDepth", c.pixelDepth);
        m.putEntry("unit", c.getUnit());
        m.putEntry("frameInterval", c.frameInterval);
        if (c.calibrated() && c.getCoefficients() != null) {
            m.putEntry("function", c.getFunction());
            m.putEntry("coefficients", Arrays.toString(c.getCoefficients()).replaceAll("[\\[\\] ]", ""));
            m.putEntry("valueUnit", c.getValueUnit());
        }
        if (image.getType() == ImagePlus.COLOR_RGB)
            m.putEntry("rgb", 1);
        else
            m.putLut(DisplayedSlice.of(image));
        return m;
    }

    static Metadata parse(String text) {
        Metadata m = new Metadata();
        for (String line : text.split("\n")) {
            int equals = line.indexOf('=');
            if (equals > 0)
                m.entries.put(line.substring(0, equals), line.substring(equals + 1));
        }
        return m;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, String> entry : entries.entrySet())
            text.append(entry.getKey()).append('=').append(entry.getValue()).append('\n');
        return text.toString();
    }

    /** True if 8-bit planes of that size are the red, green and blue planes of the colour image that was pushed. */
    boolean isRgb(int width, int height, int planes) {
        return number("rgb", 0) == 1 && sameGrid(width, height) && number("depth", 0) == planes;
    }

    /** True if the image has ImageJ's signed 16-bit format, which stores values with 32768 added. */
    boolean isSigned16Bit() {
        return number("bits", 0) == 16 && entries.containsKey("function")
            && number("function", 0) == Calibration.STRAIGHT_LINE
            && Arrays.equals(coefficients(), new double[] {-32768, 1});
    }

    /**
     * Gives an image the scale and frame interval of its source if width and height still fit. The calibration function
     * and the colours also need the same bit depth.
     */
    void applyTo(ImagePlus image) {
        if (!sameGrid(image.getWidth(), image.getHeight()))
            return;
        Calibration c = image.getCalibration();
        c.pixelWidth = number("pixelWidth", 1);
        c.pixelHeight = number("pixelHeight", 1);
        c.pixelDepth = number("pixelDepth", 1);
        c.setUnit(entries.get("unit"));
        c.frameInterval = number("frameInterval", 0);
        if (number("bits", 0) != image.getBitDepth())
            return;
        if (entries.containsKey("function"))
            c.setFunction((int) number("function", 0), coefficients(), entries.get("valueUnit"));
        LUT lut = lut();
        if (lut != null)
            image.setLut(lut);
    }

    private boolean sameGrid(int width, int height) {
        return number("width", 0) == width && number("height", 0) == height;
    }

    private void putEntry(String key, Object value) {
        entries.put(key, String.valueOf(value).replace('\n', ' '));
    }

    private double number(String key, double otherwise) {
        String value = entries.get(key);
        return value == null ? otherwise : Double.parseDouble(value);
    }

    private double[] coefficients() {
        return Arrays.stream(entries.get("coefficients").split(",")).mapToDouble(Double::parseDouble).toArray();
    }

    /**
     * Stores the colours unless they are grey or label colours. Grey is ImageJ's default; inverted grey would invert
     * masks. A result computed from labels is usually not a label map.
     */
    private void putLut(ImageProcessor ip) {
        LUT lut = ip.getLut();
        if (lut == null || !ip.isColorLut() || LabelColors.are(lut))
            return;
        StringBuilder hex = new StringBuilder();
        for (byte b : lut.getBytes())
            hex.append(String.format("%02x", b & 255));
        entries.put("lut", hex.toString());
    }

    private LUT lut() {
        String hex = entries.get("lut");
        if (hex == null || hex.length() < 6 * 256)
            return null;
        byte[][] channels = new byte[3][256];
        for (int i = 0; i < 3 * 256; i++)
            channels[i / 256][i % 256] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        return new LUT(channels[0], channels[1], channels[2]);
    }
}
