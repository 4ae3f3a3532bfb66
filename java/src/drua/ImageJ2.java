// SPDX-License-Identifier: BSD-3-Clause
package drua;

import drua.imagej.Images;
import ij.ImagePlus;
import ij.measure.Calibration;
import ij.process.LUT;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.imagej.Dataset;
import net.imagej.DatasetService;
import net.imagej.ImgPlus;
import net.imagej.axis.Axes;
import net.imagej.axis.AxisType;
import net.imagej.axis.CalibratedAxis;
import net.imglib2.display.ColorTable;
import net.imglib2.display.ColorTable8;
import net.imglib2.img.Img;

/** Copies between Datasets of ImageJ2 and a device, with scale, unit and colours. */
final class ImageJ2 {
    private static final int COLORS = 256;

    private ImageJ2() {}

    static boolean isDataset(Object image) {
        return image instanceof Dataset;
    }

    /**
     * @param channel from 1 on, or 0 if the Dataset must have only one
     * @param frame same as channel
     */
    static Image push(Drua drua, Object image, int channel, int frame) {
        Dataset dataset = (Dataset) image;
        long[] from = new long[dataset.numDimensions()];
        choose(dataset, from, Axes.CHANNEL, "channel", channel);
        choose(dataset, from, Axes.TIME, "frame", frame);
        int x = dataset.dimensionIndex(Axes.X), y = dataset.dimensionIndex(Axes.Y), z = dataset.dimensionIndex(Axes.Z);
        if (x < 0 || y < 0)
            throw new DruaException("push: the Dataset '" + dataset.getName() + "' must have the axes X and Y");
        int[] axes = z < 0 || dataset.dimension(z) == 1 ? new int[] {x, y} : new int[] {x, y, z};
        for (int d = 0; d < from.length; d++) {
            if (dataset.dimension(d) > 1 && !isKnown(dataset, d))
                throw new DruaException("push: the Dataset '" + dataset.getName() + "' has " + dataset.dimension(d)
                    + " positions along an axis other than X, Y, Z, channel and time; push a view of one of them");
        }
        Part part = new Part(dataset, from, axes, Arrays.stream(axes).mapToLong(dataset::dimension).toArray());
        String type = part.type();
        ImagePlus like = Images.blank((int) part.size[0], (int) part.size[1], Image.typeNumber(type));
        scale(dataset, like.getCalibration());
        LUT colors = colors(dataset, from);
        if (colors != null)
            like.setLut(colors);
        return drua.pushPlanes(
            type, part.slices(type, DoubleUnaryOperator.identity()), like, dataset.getName(), part.size);
    }

    private static boolean isKnown(Dataset dataset, int dimension) {
        return Stream.of(Axes.X, Axes.Y, Axes.Z, Axes.CHANNEL, Axes.TIME)
            .anyMatch(axis -> dataset.dimensionIndex(axis) == dimension);
    }

    private static void choose(Dataset dataset, long[] from, AxisType axis, String what, int number) {
        int dimension = dataset.dimensionIndex(axis);
        long count = dimension < 0 ? 1 : dataset.dimension(dimension);
        if (number == 0 && count > 1)
            throw new DruaException("push: the Dataset '" + dataset.getName() + "' has " + count + " " + what
                + "s; choose one by push(dataset, channel, frame)");
        if (number > 0)
            Drua.checkPart(what, number, count);
        if (dimension >= 0)
            from[dimension] = Math.max(0, number - 1);
    }

    /** ImageJ has one unit for all axes of space: here the unit of x. */
    private static void scale(Dataset dataset, Calibration scale) {
        scale.pixelWidth = step(dataset, Axes.X);
        scale.pixelHeight = step(dataset, Axes.Y);
        scale.pixelDepth = step(dataset, Axes.Z);
        scale.frameInterval = dataset.dimensionIndex(Axes.TIME) < 0 ? 0 : step(dataset, Axes.TIME);
        dataset.axis(Axes.X).map(CalibratedAxis::unit).ifPresent(scale::setUnit);
    }

    private static double step(Dataset dataset, AxisType axis) {
        return dataset.axis(axis).map(found -> found.averageScale(0, 1)).orElse(1.0);
    }

    /** A Dataset has a table of colours for each channel or for each plane. */
    private static LUT colors(Dataset dataset, long[] from) {
        int dimension = dataset.dimensionIndex(Axes.CHANNEL), plane = 0, step = 1;
        for (int d = 0; d < from.length; d++) {
            if (d != dataset.dimensionIndex(Axes.X) && d != dataset.dimensionIndex(Axes.Y)) {
                plane += from[d] * step;
                step *= dataset.dimension(d);
            }
        }
        long channels = dimension < 0 ? 1 : dataset.dimension(dimension);
        int index = dataset.getColorTableCount() == channels && dimension >= 0 ? (int) from[dimension] : plane;
        ColorTable table = index < dataset.getColorTableCount() ? dataset.getColorTable(index) : null;
        if (table == null || table.getComponentCount() < 3)
            return null;
        byte[][] rgb = new byte[3][COLORS];
        for (int i = 0; i < 3 * COLORS; i++)
            rgb[i / COLORS][i % COLORS] = (byte) table.getResampled(i / COLORS, COLORS, i % COLORS);
        return new LUT(rgb[0], rgb[1], rgb[2]);
    }

    static Dataset pull(Drua drua, Image image, String title, Object service) {
        if (!(service instanceof DatasetService))
            throw new DruaException("pullDataset: service must be ImageJ2's DatasetService, got "
                + (service == null ? "nothing" : service.getClass().getSimpleName()));
        ImagePlus like = drua.described(image);
        Calibration scale = like.getCalibration();
        int dimensions = image.getDimension();
        double[] steps = {scale.pixelWidth, scale.pixelHeight, scale.pixelDepth};
        String[] units = IntStream.range(0, dimensions).mapToObj(d -> scale.getUnit()).toArray(String[] ::new);
        Img<?> pixels = ImgLib2.pull(drua, image);
        ImgPlus<?> result =
            new ImgPlus<>(pixels, title, Arrays.copyOf(new AxisType[] {Axes.X, Axes.Y, Axes.Z}, dimensions),
                Arrays.copyOf(steps, dimensions), units);
        LUT colors = like.getProcessor().isColorLut() ? like.getProcessor().getLut() : null;
        if (colors != null) {
            result.initializeColorTables(1);
            byte[] all = colors.getBytes();
            result.setColorTable(
                new ColorTable8(Arrays.copyOfRange(all, 0, COLORS), Arrays.copyOfRange(all, COLORS, 2 * COLORS),
                    Arrays.copyOfRange(all, 2 * COLORS, 3 * COLORS)),
                0);
        }
        return create((DatasetService) service, result);
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) /* the type of the pixels is not known here */
    private static Dataset create(DatasetService service, ImgPlus<?> image) {
        return service.create((ImgPlus) image);
    }
}
