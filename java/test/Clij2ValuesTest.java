// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.DruaException;
import ij.ImagePlus;
import ij.measure.ResultsTable;
import ij.process.ByteProcessor;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.function.Consumer;
import net.haesleinhuepf.clij.CLIJ;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLImage;
import net.haesleinhuepf.clij.clearcl.enums.ImageChannelDataType;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.haesleinhuepf.clij2.CLIJ2;
import net.haesleinhuepf.clij2.plugins.StatisticsOfLabelledPixels.STATISTICS_ENTRY;
import net.haesleinhuepf.clijx.CLIJx;
import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

/** A program for CLIJ2's Java API gets the numbers that a person calculates. */
final class Clij2ValuesTest {
    private static int passed, failed;

    private final CLIJ2 clij2 = CLIJ2.getInstance();
    private final ClearCLBuffer source = clij2.pushMat(new float[][] {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}});
    private final ClearCLBuffer other = clij2.pushMat(new float[][] {{2, 2, 2, 2}, {1, 1, 1, 1}, {3, 3, 3, 3}});
    private final ClearCLBuffer labels = clij2.pushMat(new float[][] {{1, 1, 0, 2}, {0, 0, 0, 2}, {3, 0, 0, 0}});

    private Clij2ValuesTest() {}

    public static void main(String[] args) throws Exception {
        Clij2ValuesTest test = new Clij2ValuesTest();
        test.pointwise();
        test.spatial();
        test.labels();
        test.numbers();
        test.tables();
        test.buffers();
        test.transfers();
        test.intervals();
        test.devices();
        refusesSecondClij2();
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    private static void check(String what, Object got, Object expected) {
        boolean right = got.equals(expected);
        passed += right ? 1 : 0;
        failed += right ? 0 : 1;
        if (!right)
            System.out.println("FAIL " + what + ": got " + got + ", expected " + expected);
    }

    /** Compares the pixels that an operation writes into an image of zeros, of the size of the source. */
    private void pixels(String what, Consumer<ClearCLBuffer> operation, double... expected) {
        try (Closing result = new Closing(clij2.create(source))) {
            operation.accept(result.image);
            pixels(what, result.image, expected);
        }
    }

    private void pixels(String what, ClearCLBuffer image, double... expected) {
        float[] numbers = new float[(int) image.getVolume()];
        image.writeTo(FloatBuffer.wrap(numbers), true);
        double[] got = new double[numbers.length];
        for (int i = 0; i < got.length; i++)
            got[i] = Math.rint(numbers[i] * 1e4) / 1e4;
        check(what, Arrays.toString(got), Arrays.toString(expected));
    }

    private static final class Closing implements AutoCloseable {
        final ClearCLBuffer image;

        Closing(ClearCLBuffer image) {
            this.image = image;
        }

        @Override
        public void close() {
            image.close();
        }
    }

    private void pointwise() {
        pixels("addImages", d -> clij2.addImages(source, other, d), 3, 4, 5, 6, 6, 7, 8, 9, 12, 13, 14, 15);
        pixels("addImagesWeighted",
            d -> clij2.addImagesWeighted(source, other, d, 2, -1), 0, 2, 4, 6, 9, 11, 13, 15, 15, 17, 19, 21);
        pixels("subtractImages", d -> clij2.subtractImages(source, other, d), -1, 0, 1, 2, 4, 5, 6, 7, 6, 7, 8, 9);
        pixels("subtract", d -> clij2.subtract(source, other, d), -1, 0, 1, 2, 4, 5, 6, 7, 6, 7, 8, 9);
        pixels("multiplyImages", d -> clij2.multiplyImages(source, other, d), 2, 4, 6, 8, 5, 6, 7, 8, 27, 30, 33, 36);
        pixels("divideImages",
            d -> clij2.divideImages(source, other, d), 0.5, 1, 1.5, 2, 5, 6, 7, 8, 3, 3.3333, 3.6667, 4);
        pixels("maximumImages", d -> clij2.maximumImages(source, other, d), 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        pixels("power", d -> clij2.power(source, d, 2), 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144);
        pixels("invert", d -> clij2.invert(source, d), -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12);
        pixels("threshold", d -> clij2.threshold(source, d, 7), 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1);
        pixels("greater", d -> clij2.greater(source, other, d), 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        pixels("equalConstant", d -> clij2.equalConstant(source, d, 6), 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
        pixels("mask", d -> clij2.mask(source, labels, d), 1, 2, 0, 4, 0, 0, 0, 8, 9, 0, 0, 0);
        pixels("set", d -> clij2.set(d, 5), 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5);
        pixels("setRow", d -> clij2.setRow(d, 1, 5), 0, 0, 0, 0, 5, 5, 5, 5, 0, 0, 0, 0);
        pixels("undefinedToZero", d -> {
            clij2.divideImages(labels, labels, d);
            clij2.undefinedToZero(d, d);
        }, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0);
    }

    private void spatial() {
        pixels("flip", d -> clij2.flip(source, d, true, false), 4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9);
        pixels("paste", d -> clij2.paste(other, d, 2, 2), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2);
        pixels("translate2D", d -> clij2.translate2D(source, d, 1, 0), 2, 3, 4, 0, 6, 7, 8, 0, 10, 11, 12, 0);
        float[] matrix = {1, 0, -1, 0, 1, 0};
        pixels(
            "affineTransform2D", d -> clij2.affineTransform2D(source, d, matrix), 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11);
        pixels("maximumBox", d -> clij2.maximumBox(source, d, 1, 0), 2, 3, 4, 4, 6, 7, 8, 8, 10, 11, 12, 12);
        pixels("minimumBox, kernel", d -> clij2.minimumBox(source, d, null), 1, 1, 2, 3, 1, 1, 2, 3, 5, 5, 6, 7);
        pixels("maximumDiamond", d -> clij2.maximumDiamond(source, d, null), 5, 6, 7, 8, 9, 10, 11, 12, 10, 11, 12, 12);
        pixels("mean2DBox",
            d -> clij2.mean2DBox(source, d, 1, 0), 1.3333, 2, 3, 3.6667, 5.3333, 6, 7, 7.6667, 9.3333, 10, 11, 11.6667);
        pixels("median2DBox", d -> clij2.median2DBox(source, d, 0, 1), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        pixels(
            "gaussianBlur, sigma 0", d -> clij2.gaussianBlur(source, d, 0, 0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        pixels("gradientX", d -> clij2.gradientX(source, d), 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1);
        pixels("drawBox", d -> clij2.drawBox(d, 1, 1, 1, 1), 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0);
        pixels("erodeBox", d -> clij2.erodeBox(other, d), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        ClearCLBuffer part = clij2.create(2, 2);
        clij2.crop(source, part, 2, 1);
        pixels("crop", part, 7, 8, 11, 12);
        ClearCLBuffer turned = clij2.create(3, 4);
        clij2.transposeXY(source, turned);
        pixels("transposeXY", turned, 1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12);
    }

    private void labels() {
        pixels("connectedComponentsLabelingBox",
            d -> clij2.connectedComponentsLabelingBox(labels, d, true), 1, 1, 0, 2, 0, 0, 0, 2, 3, 0, 0, 0);
        pixels("excludeLabelsOutsideSizeRange",
            d -> clij2.excludeLabelsOutsideSizeRange(labels, d, 2, 5), 1, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0);
        pixels("labelToMask", d -> clij2.labelToMask(labels, d, 2), 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0);
        pixels(
            "meanIntensityMap", d -> clij2.meanIntensityMap(source, labels, d), 1.5, 1.5, 0, 6, 0, 0, 0, 6, 9, 0, 0, 0);
        ClearCLBuffer points = clij2.create(3, 2);
        clij2.centroidsOfLabels(labels, points);
        pixels("centroidsOfLabels", points, 0.5, 3, 0, 0, 0.5, 2);
        ClearCLBuffer touching = clij2.create(4, 4);
        clij2.generateTouchMatrix(labels, touching);
        check("touch matrix", clij2.sumOfAllPixels(touching) > 0, true);
        check("pullLabelsToROIList", clij2.pullLabelsToROIList(labels).get(1).toString().contains("x=3, y=0"), true);
        ClearCLBuffer flag = clij2.create(1, 1), spread = clij2.create(source);
        clij2.nonzeroMaximumBox(source, flag, spread);
        pixels("flag of a change", flag, 1);
        ClearCLBuffer none = clij2.create(1, 1), same = clij2.create(source);
        clij2.nonzeroMaximumBox(clij2.create(source), none, same);
        pixels("flag of no change", none, 0);
    }

    private void numbers() {
        check("sumOfAllPixels", clij2.sumOfAllPixels(source), 78.0);
        check("meanOfAllPixels", clij2.meanOfAllPixels(source), 6.5);
        check("getMaximumOfAllPixels", clij2.getMaximumOfAllPixels(source), 12.0);
        check("meanOfMaskedPixels", clij2.meanOfMaskedPixels(source, labels), 4.8);
        check("countNonZeroPixels", clij2.countNonZeroPixels(labels), 5.0);
        check("meanSquaredError", clij2.meanSquaredError(source, source), 0.0);
        check("jaccardIndex", clij2.jaccardIndex(labels, labels), 1.0);
        check("centerOfMass", Arrays.toString(clij2.centerOfMass(other)), "[1.5, " + 7 / 6.0 + "]");
        check("boundingBox", Arrays.toString(clij2.boundingBox(labels)), "[0.0, 0.0, 0.0, 4.0, 3.0, 0.0]");
        check("matrixEqual", clij2.matrixEqual(source, source, 0), true);
        check("matrixEqual of others", clij2.matrixEqual(source, other, 0.1), false);
        /* a value's bin is the whole part of (value - 1) / (12 - 1) * (bins - 1) */
        check("histogram", Arrays.toString(clij2.histogram(source, 1, 12, 2)), "[11.0, 1.0]");
        ClearCLBuffer stack = clij2.pushMat(new float[][][] {{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}});
        check("sumImageSliceBySlice", Arrays.toString(clij2.sumImageSliceBySlice(stack)), "[10.0, 27.0]");
        ClearCLBuffer plane = clij2.create(2, 2), mask = clij2.create(stack);
        clij2.maximumZProjection(stack, plane);
        pixels("maximumZProjection", plane, 5, 6, 7, 9);
        clij2.greaterConstant(stack, mask, 2);
        clij2.medianZProjectionMasked(stack, mask, plane);
        pixels("medianZProjectionMasked", plane, 5, 6, 7, 9);
    }

    private void tables() {
        double[][] rows = clij2.statisticsOfLabelledPixels(source, labels);
        check("rows of statistics", rows.length, 3);
        check("mean of label 2", rows[1][STATISTICS_ENTRY.MEAN_INTENSITY.value], 6.0);
        check("pixels of label 1", rows[0][STATISTICS_ENTRY.PIXEL_COUNT.value], 2.0);
        check("centroid of label 3", rows[2][STATISTICS_ENTRY.CENTROID_Y.value], 2.0);
        check("row of label 3", clij2.statisticsOfLabelledPixels(source, labels, 3)[0], 3.0);
        ResultsTable table = new ResultsTable();
        check("the caller's table", clij2.statisticsOfLabelledPixels(source, labels, table) == table, true);
        check("rows of the table", table.size(), 3);
        for (STATISTICS_ENTRY entry : STATISTICS_ENTRY.values())
            check("column " + entry, table.getColumnHeading(entry.value), entry.name());
        ClearCLBuffer column = clij2.create(new long[] {3, 1, 1});
        clij2.pushResultsTableColumn(column, table, "MEAN_INTENSITY");
        pixels("pushResultsTableColumn", column, 1.5, 6, 9);
        ResultsTable pulled = clij2.pullToResultsTable(other, new ResultsTable());
        check("pullToResultsTable", pulled.getValue("X3", 2), 3.0);
    }

    private void buffers() {
        ClearCLBuffer bytes = clij2.create(new long[] {5, 4, 3}, NativeTypeEnum.UnsignedByte);
        check("dimensions", Arrays.toString(bytes.getDimensions()), "[5, 4, 3]");
        check("width", bytes.getWidth(), 5L);
        check("depth", bytes.getDepth(), 3L);
        check("axes", bytes.getDimension(), 3L);
        check("bytes", bytes.getSizeInBytes(), 60L);
        check("type", clij2.create(bytes).getNativeType(), clij2.UnsignedByte);
        check("float by default", clij2.create(new double[] {3, 2}).getNativeType(), clij2.Float);
        ClearCLImage image = clij2.create(new long[] {4, 3}, ImageChannelDataType.Float);
        clij2.copy(source, image);
        check("a ClearCLImage", clij2.sumOfAllPixels(image), 78.0);
        bytes.setName("bytes");
        check("name", clij2.pull(bytes).getTitle(), "bytes");
        bytes.close();
        bytes.close();
        clij2.release(null);
        expectFailure("set on a closed buffer",
            () -> clij2.set(bytes, 1), "the image is already closed; close it after its last use");
        expectFailure("create with a type that Drua lacks",
            ()
                -> clij2.create(new long[] {2, 2}, NativeTypeEnum.Double),
            "create: Drua has no images of the type Double; use Float");
        ClearCLBuffer written = clij2.create(2, 1);
        written.readFrom(FloatBuffer.wrap(new float[] {3, 4}), true);
        pixels("readFrom", written, 3, 4);
        pixels("transfer", clij2.transfer(written), 3, 4);
    }

    private void transfers() {
        ImagePlus ramp = new ImagePlus("ramp", new ByteProcessor(3, 1, new byte[] {0, 5, (byte) 200}));
        ClearCLBuffer pushed = clij2.push(ramp);
        check("pushed type", pushed.getNativeType(), NativeTypeEnum.UnsignedByte);
        check("pushed again", clij2.push(pushed) == pushed, true);
        check("pulled", clij2.pull(pushed).getProcessor().get(2, 0), 200);
        check("pullBinary", clij2.pullBinary(pushed).getProcessor().get(1, 0), 255);
        ramp.setRoi(1, 0, 2, 1);
        check("pushCurrentSlice", clij2.pushCurrentSlice(ramp).getWidth(), 2L);
        check("convert", clij2.convert(pushed, ImagePlus.class).getWidth(), 3);
        check("pullMat", Arrays.deepToString((Object[]) clij2.pullMat(labels)),
            "[[1.0, 1.0, 0.0, 2.0], [0.0, 0.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0]]");
        check("pullMatXYZ", ((float[][]) clij2.pullMatXYZ(labels))[3][1], 2f);
        check("pushMatXYZ", clij2.pushMatXYZ(new byte[][] {{1, 2, 3}, {4, 5, 6}}).getHeight(), 3L);
        check("pushMat", Arrays.toString(clij2.pushMat(new char[3][2][5]).getDimensions()), "[5, 2, 3]");
        check("pushArray", clij2.sumOfAllPixels(clij2.pushArray(new float[] {1, 2, 3, 4}, 2, 1, 2)), 10.0);
        check("pushString", clij2.pullString(clij2.pushString("1 2\n3 4")).trim(), "1.0 2.0\n3.0 4.0");
        HashMap<String, Object> images = new HashMap<>();
        ClearCLBuffer a = clij2.create(2, 1);
        images.put("a", a);
        clij2.customOperation("WRITE_IMAGE(a, POS_a_INSTANCE(x, y, z, 0), x + 3);", "", images);
        pixels("customOperation", a, 3, 4);
        expectFailure("push with a text",
            ()
                -> clij2.push("text"),
            "push: the image must be an ImagePlus, a ClearCLBuffer or an ImgLib2 image, got String");
    }

    private void intervals() {
        try {
            ArrayImgs.floats(new float[1], 1, 1);
        } catch (UnsupportedOperationException e) { /* a stub */
            System.out.println("SKIP images of ImgLib2, because its jar is missing; ./dev build fetches it");
            return;
        }
        RandomAccessibleInterval<?> given = ArrayImgs.floats(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);
        ClearCLBuffer pushed = clij2.push(given);
        pixels("push of an ImgLib2 image", pushed, 1, 2, 3, 4, 5, 6);
        check("its type", pushed.getNativeType(), NativeTypeEnum.Float);
        check("a stack of bytes", clij2.push(ArrayImgs.unsignedBytes(new byte[6], 1, 2, 3)).toString(), "1x2x3 uint8");
        check("pullRAI", sum(clij2.pullRAI(pushed)), 21.0);
        check("its width", clij2.pullRAI(pushed).dimension(0), 3L);
        check("pullRAI of shorts", sum(clij2.pullRAI(clij2.pushMat(new short[][] {{1, -1}}))), 65536.0);
        check("pullBinaryRAI", sum(clij2.pullBinaryRAI(labels)), 5.0);
        RandomAccessibleInterval<?> target = ArrayImgs.ints(new int[6], 3, 2);
        clij2.pullToRAI(pushed, target);
        check("pullToRAI", sum(target), 21.0);
        expectFailure("pullToRAI to an image of another size",
            ()
                -> clij2.pullToRAI(labels, target),
            "pullToRAI: the ImgLib2 image must have the size of the image on the device, [4, 3], got [3, 2]");
    }

    private static double sum(RandomAccessibleInterval<?> interval) {
        double sum = 0;
        Cursor<?> cursor = Views.flatIterable(interval).cursor();
        while (cursor.hasNext())
            sum += ((RealType<?>) cursor.next()).getRealDouble();
        return sum;
    }

    private void devices() {
        check("one instance", CLIJ2.getInstance() == clij2, true);
        check("the same device", CLIJ2.getInstance(clij2.getGPUName().substring(0, 4)) == clij2, true);
        check("one CLIJ", CLIJ.getInstance() == clij2.getCLIJ(), true);
        check("one CLIJx", CLIJx.getInstance() == CLIJx.getInstance(), true);
        check("a device", CLIJ.getAvailableDeviceNames().contains(clij2.getGPUName()), true);
        check("OpenCL", clij2.getOpenCLVersion() >= 1.2, true);
        check("memory", clij2.getCLIJ().getGPUMemoryInBytes() > 0, true);
        check("clinfo", CLIJ2.clinfo().contains(clij2.getGPUName()), true);
        check("report", clij2.reportMemory().isEmpty(), false);
        CLIJx clijx = CLIJx.getInstance();
        String images = clijx.reportMemory().split("held on")[0];
        expectFailure(
            "readRawImageFromDisc of a missing file", () -> clijx.readRawImageFromDisc("missing.raw", 4, 3, 1, 8), "");
        expectFailure("generateLabelFeatureImage with an unknown feature",
            () -> clijx.generateLabelFeatureImage(source, labels, "colour"), "");
        check("failed calls keep no image", clijx.reportMemory().split("held on")[0], images);
        clij2.setDoTimeTracing(true);
        clij2.set(source, 1);
        clij2.setDoTimeTracing(false);
        check("time traces", clij2.getTimeTraces().matches("> set\n< set [0-9.]+ ms\n"), true);
        clij2.clear();
        expectFailure("set on an image that clear has released", () -> clij2.set(source, 1), "");
        clij2.close();
        check("a new instance after close", CLIJ2.getInstance() != clij2, true);
    }

    private static void expectFailure(String what, Runnable call, String expected) {
        try {
            call.run();
            check(what, "no failure", expected);
        } catch (DruaException e) {
            check(what, expected.isEmpty() ? "" : e.getMessage(), expected);
        }
    }

    /** With another CLIJ2 on the class path, this one says so and does nothing. */
    private static void refusesSecondClij2() throws Exception {
        Path folder = Files.createTempDirectory("other");
        Path twin = folder.resolve("net/haesleinhuepf/clij2/CLIJ2.class");
        Files.createDirectories(twin.getParent());
        Files.write(twin, new byte[] {1});
        String[] paths = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[paths.length + 1];
        for (int i = 0; i < paths.length; i++)
            urls[i] = new File(paths[i]).toURI().toURL();
        urls[paths.length] = folder.toUri().toURL();
        try (URLClassLoader loader = new URLClassLoader(urls, null)) {
            loader.loadClass("net.haesleinhuepf.clij2.CLIJ2").getMethod("getInstance").invoke(null);
            check("two CLIJ2", "no failure", "a failure");
        } catch (java.lang.reflect.InvocationTargetException e) {
            check("two CLIJ2", e.getCause().getMessage().contains("works only without CLIJ2"), true);
        } finally {
            for (Path path = twin; !path.equals(folder.getParent()); path = path.getParent())
                Files.delete(path);
        }
    }
}
