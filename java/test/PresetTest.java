// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.pipeline.Preset;
import drua.pipeline.Result;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.ResultsTable;
import ij.plugin.filter.RankFilters;
import ij.process.AutoThresholder;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;
import ij.process.ImageStatistics;
import ij.process.ShortProcessor;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.File;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;

/**
 * Opens each preset of the workbench on an image whose content is known, and checks its table. With DRUA_PICTURES, it
 * writes the pictures of the presets into that folder. Runs in the project's folder.
 */
final class PresetTest extends Expectations {
    private static final int SIZE = 200, PICTURE = 56, NOISE = 8, DARK = 100;

    private PresetTest() {}

    public static void main(String[] args) throws Exception {
        NativeLibrary.load();
        nucleiOfAPublicImage();
        separatesTouchingNuclei();
        spots();
        cellsByMembrane();
        foci();
        tracks();
        refusals();
        Runtime.getRuntime().halt(sum());
    }

    // ---- presets

    private static Preset preset(String name) {
        return Preset.all().stream().filter(p -> p.name.equals(name)).findFirst().get();
    }

    /** The table that a preset measures in the workbench, which must be that of its macro. */
    private static ResultsTable measured(String name, ImagePlus image) throws Exception {
        Session session = new Session(image, () -> {});
        session.open(preset(name), image);
        LiveRunTest.settle(session);
        List<Result> results =
            session.now().seen().stream().map(s -> session.live().result(s.id)).collect(Collectors.toList());
        expect(name + " has no failure", "",
            session.live().trouble() + results.stream().map(r -> r.failure).collect(Collectors.joining()));
        ResultsTable table = results.get(results.size() - 1).table;
        expect(name + " measures at its end", true, table != null && table.size() > 0);
        picture(name, session, image);
        String macro = session.now().macro();
        LiveRunTest.end(session);
        ResultsTable.getResultsTable().reset();
        LiveRunTest.run(macro, image).forEach(ImagePlus::close);
        expect(name + ": the macro gives the same table", LiveRunTest.rows(table),
            LiveRunTest.rows(ResultsTable.getResultsTable()));
        return table;
    }

    /** Half of a picture is the image, half the last image that the macro shows. */
    private static void picture(String name, Session session, ImagePlus image) throws Exception {
        String folder = System.getenv("DRUA_PICTURES");
        if (folder == null)
            return;
        List<Step> shown = session.now().seen().stream().filter(session.now()::isShown).collect(Collectors.toList());
        ImagePlus result = LiveRunTest.fetch(session, shown.get(0));
        BufferedImage both = new BufferedImage(2 * PICTURE + 4, PICTURE, BufferedImage.TYPE_INT_ARGB);
        ImageProcessor pixels = image.getStack().getProcessor(1);
        pixels.resetMinAndMax();
        draw(both, pixels, 0);
        ImageProcessor labels = result.getStack().getProcessor(1);
        if (name.equals("Spots") || name.equals("Tracking"))
            new RankFilters().rank(labels, 4, RankFilters.MAX); /* single pixels would be too small to see */
        draw(both, labels, PICTURE + 4);
        String file = name.toLowerCase(Locale.ROOT).replaceAll("cells by | in.*", "") + ".png";
        ImageIO.write(both, "png", new File(folder, file));
    }

    private static void draw(BufferedImage on, ImageProcessor pixels, int left) {
        int side = Math.min(Math.min(pixels.getWidth(), pixels.getHeight()), SIZE);
        pixels.setRoi(0, 0, side, side);
        Graphics2D graphics = on.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(pixels.crop().getBufferedImage(), left, 0, PICTURE, PICTURE, null);
        graphics.dispose();
    }

    private static double[] column(ResultsTable table, String name) {
        return table.getColumn(name);
    }

    // ---- images

    private static ShortProcessor dark(Random random) {
        ShortProcessor pixels = new ShortProcessor(SIZE, SIZE);
        for (int i = 0; i < SIZE * SIZE; i++)
            pixels.set(i, DARK + random.nextInt(NOISE));
        return pixels;
    }

    /** Adds a bell of a standard deviation, or a disk of that radius. */
    private static void add(ShortProcessor pixels, double x, double y, double size, int height, boolean isDisk) {
        for (int i = 0; i < SIZE * SIZE; i++) {
            double square = Math.pow(i % SIZE - x, 2) + Math.pow(i / SIZE - y, 2);
            double added = isDisk ? (square <= size * size ? height : 0) : height * Math.exp(-square / 2 / size / size);
            pixels.set(i, pixels.get(i) + (int) Math.round(added));
        }
    }

    // ---- nuclei

    /** Counts bright regions by ImageJ's threshold and a flood fill, without those at the border or below 50 pixels. */
    private static int regions(ImageProcessor pixels) {
        ImageProcessor smooth = pixels.duplicate();
        smooth.blurGaussian(2);
        ImageProcessor bytes = smooth.convertToByte(true);
        int limit = new AutoThresholder().getThreshold(
            AutoThresholder.Method.Otsu, ImageStatistics.getStatistics(bytes).histogram);
        boolean[] seen = new boolean[bytes.getPixelCount()];
        int count = 0;
        for (int i = 0; i < seen.length; i++)
            count += !seen[i] && bytes.get(i) > limit && isRegion(bytes, limit, seen, i) ? 1 : 0;
        return count;
    }

    private static boolean isRegion(ImageProcessor bytes, int limit, boolean[] seen, int first) {
        int width = bytes.getWidth(), height = bytes.getHeight(), size = 0;
        boolean isInside = true;
        Deque<Integer> open = new ArrayDeque<>(Arrays.asList(first));
        while (!open.isEmpty()) {
            int at = open.pop(), x = at % width, y = at / width;
            if (seen[at] || bytes.get(at) <= limit)
                continue;
            seen[at] = true;
            size++;
            isInside &= x > 0 && y > 0 && x < width - 1 && y < height - 1;
            if (x > 0)
                open.push(at - 1);
            if (x < width - 1)
                open.push(at + 1);
            if (y > 0)
                open.push(at - width);
            if (y < height - 1)
                open.push(at + width);
        }
        return isInside && size >= 50;
    }

    private static void nucleiOfAPublicImage() throws Exception {
        ImagePlus image = IJ.openImage("macros/images/BBBC022_nuclei.tif");
        ResultsTable table = measured("Nuclei", image);
        int regions = regions(image.getProcessor());
        expect("about as many nuclei as bright regions: " + table.size() + " and " + regions, true,
            table.size() >= regions && table.size() <= 1.15 * regions);
    }

    private static void separatesTouchingNuclei() throws Exception {
        ShortProcessor pixels = dark(new Random(1));
        int[][] disks = {{40, 40}, {64, 40}, {130, 60}, {70, 140}, {150, 150}};
        for (int[] disk : disks)
            add(pixels, disk[0], disk[1], 13, 900, true);
        add(pixels, 2, 100, 13, 900, true);
        pixels.blurGaussian(1);
        ResultsTable table = measured("Nuclei", new ImagePlus("disks", pixels));
        expect("two of five touch, and one at the border is left out", disks.length, table.size());
        double[] sizes = Arrays.stream(column(table, "PIXEL_COUNT")).sorted().toArray();
        for (double size : sizes)
            expect("near pi 13^2 = 531: " + size, true, size > 480 && size < 580);
    }

    // ---- spots

    private static void spots() throws Exception {
        ShortProcessor pixels = dark(new Random(2));
        add(pixels, 100, 100, 60, 300, false);
        for (int i = 0; i < 12; i++)
            add(pixels, 20 + 30 * (i % 4) + i, 30 + 55 * (i / 4), 1.5, 200, false);
        ResultsTable table = measured("Spots", new ImagePlus("spots", pixels));
        expect("twelve spots on an uneven background", 12, table.size());
        for (int i = 0; i < 12 && table.size() == 12; i++) {
            double x = 20 + 30 * (i % 4) + i, y = 30 + 55 * (i / 4), nearest = SIZE;
            for (int row = 0; row < table.size(); row++)
                nearest = Math.min(
                    nearest, Math.hypot(column(table, "CENTROID_X")[row] - x, column(table, "CENTROID_Y")[row] - y));
            expect("a spot at " + x + ", " + y + ": " + nearest, true, nearest <= 1.5);
        }
    }

    // ---- membranes

    /** A grid of cells of 40 pixels with bright walls: 4 x 4 whole cells within a border of cut ones. */
    private static void cellsByMembrane() throws Exception {
        ShortProcessor pixels = dark(new Random(3));
        for (int i = 0; i < SIZE * SIZE; i++) {
            int x = (i % SIZE + 20) % 40, y = (i / SIZE + 20) % 40;
            if (x == 0 || y == 0)
                pixels.set(i, pixels.get(i) + 400);
        }
        pixels.blurGaussian(1);
        ResultsTable table = measured("Cells by membrane", new ImagePlus("walls", pixels));
        expect("16 whole cells", 16, table.size());
        for (double size : column(table, "PIXEL_COUNT"))
            expect("near 40 x 40: " + size, true, Math.abs(size - 1600) < 80);
    }

    // ---- foci

    private static void foci() throws Exception {
        ShortProcessor nuclei = dark(new Random(4)), foci = dark(new Random(5));
        int[] numbers = {0, 3, 5, 1};
        for (int n = 0; n < numbers.length; n++) {
            int x = 50 + 100 * (n % 2), y = 50 + 100 * (n / 2);
            add(nuclei, x, y, 20, 900, true);
            for (int i = 0; i < numbers[n]; i++)
                add(foci, x + 11 * Math.cos(i * 1.2), y + 11 * Math.sin(i * 1.2), 1.3, 300, false);
        }
        add(foci, 100, 100, 1.3, 300, false);
        nuclei.blurGaussian(1);
        ImageStack stack = new ImageStack(SIZE, SIZE);
        stack.addSlice(nuclei);
        stack.addSlice(foci);
        ImagePlus image = new ImagePlus("channels", stack);
        image.setDimensions(2, 1, 1);
        ResultsTable table = measured("Foci in nuclei", image);
        expect("four nuclei", numbers.length, table.size());
        for (int row = 0; row < table.size(); row++) {
            int n = (column(table, "CENTROID_X")[row] > 100 ? 1 : 0) + (column(table, "CENTROID_Y")[row] > 100 ? 2 : 0);
            expect("foci of nucleus " + n, (double) numbers[n], column(table, "SUM_INTENSITY")[row]);
        }
    }

    // ---- tracks

    private static void tracks() throws Exception {
        ImageStack stack = new ImageStack(SIZE, SIZE);
        for (int frame = 0; frame < 7; frame++) {
            ShortProcessor pixels = dark(new Random(10 + frame));
            for (int cell = 0; cell < 3; cell++)
                add(pixels, 30 + 8 * frame, 40 + 55 * cell + 3 * cell * frame / 2.0, 6, 800, true);
            stack.addSlice(pixels);
        }
        ImagePlus movie = new ImagePlus("movie", stack);
        movie.setDimensions(1, 1, 7);
        ResultsTable table = measured("Tracking", movie);
        expect("three tracks", 3, table.size());
        double[] lengths = column(table, "DISPLACEMENT");
        for (int cell = 0; cell < lengths.length; cell++) {
            double expected = 6 * Math.hypot(8, 1.5 * cell);
            expect("displacement of cell " + cell + ", due " + expected + ": " + lengths[cell], true,
                Math.abs(lengths[cell] - expected) < 1.5 && column(table, "SPOTS")[cell] == 7);
        }
    }

    // ---- images that do not fit

    private static void refusals() throws Exception {
        ImagePlus plane = new ImagePlus("plane", dark(new Random(6)));
        ImagePlus colour = new ImagePlus("colour", new ColorProcessor(20, 20));
        for (Preset preset : Preset.all()) {
            boolean isPlain = !preset.name.equals("Foci in nuclei") && !preset.name.equals("Tracking");
            expect(preset.name + " on a plane: " + preset.refusal(plane), isPlain, preset.refusal(plane).isEmpty());
            expect(preset.name + " on colours", true, preset.refusal(colour).contains("RGB"));
            expect(preset.name + " without an image", "it needs an open image", preset.refusal(null));
            expect(preset.name + " has a sentence", true, preset.sentence.endsWith("."));
            expect(preset.name + " has a picture", true, preset.picture() != null);
        }
        Session session = new Session(plane, () -> {});
        String before = session.now().macro();
        expect("a preset that does not fit the image is refused",
            "Tracking: it needs a movie of one channel with one slice in each frame",
            failure(() -> session.open(preset("Tracking"), plane)));
        expect("a refused preset does not change the pipeline", before, session.now().macro());
        LiveRunTest.end(session);
    }
}
