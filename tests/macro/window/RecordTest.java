// SPDX-License-Identifier: BSD-3-Clause
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import ij.IJ;
import ij.WindowManager;
import ij.gui.GenericDialog;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Checks that commands recorded from dialogs give the same windows in a freshly started ImageJ. */
public final class RecordTest {
    /** Images to open first, with the macro code that makes each. */
    private static final Map<String, String> IMAGES = new LinkedHashMap<>();
    static {
        IMAGES.put("labels",
            "newImage('labels', '32-bit black', 32, 24, 3); for (z = 1; z <= 3; z++) { setSlice(z);"
                + " for (i = 0; i < 5; i++) { setColor(i + 1); fillOval(1 + 6 * i, 2 + 3 * i, 6, 7); } }");
        IMAGES.put("mask",
            "newImage('mask', '8-bit black', 32, 24, 3); for (z = 1; z <= 3; z++) { setSlice(z);"
                + " for (i = 0; i < 3; i++) { setColor(255); fillOval(2 + 8 * i, 3 + 4 * i, 9, 10); } setColor(0);"
                + " fillRect(6, 7, 2, 2); }");
        IMAGES.put("psf",
            "newImage('psf', '32-bit black', 9, 9, 3); for (z = 1; z <= 3; z++) { setSlice(z);"
                + " for (i = 0; i < 81; i++) setPixel(i % 9, floor(i / 9),"
                + " 1000 * exp(-(pow(i % 9 - 4, 2) + pow(floor(i / 9) - 4, 2)) / 3 - pow(z - 2, 2))); }");
        IMAGES.put("beads",
            "newImage('beads', '32-bit black', 40, 40, 9); for (z = 1; z <= 9; z++) { setSlice(z);"
                + " for (i = 0; i < 1600; i++) { x = i % 40; y = floor(i / 40);"
                + " setPixel(x, y, 10 + 900 * exp(-(pow(x - 20, 2) + pow(y - 20, 2)) / 4 - pow(z - 5, 2) / 3)); } }");
        IMAGES.put("drift", "newImage('drift', '32-bit black', 3, 2, 1); setPixel(1, 0, 2); setPixel(2, 1, -1);");
        IMAGES.put("stains",
            "newImage('stains', '32-bit black', 3, 3, 1); for (i = 0; i < 9; i++) setPixel(i % 3, floor(i / 3),"
                + " 0.1 + (i % 4 == 0));");
        IMAGES.put("long", "newImage('long', '8-bit ramp', 16, 12, 12);");
        IMAGES.put("my cells [1].tif",
            "newImage('my cells [1].tif', '8-bit black', 32, 24, 3); for (z = 1; z <= 3; z++) { setSlice(z);"
                + " for (i = 0; i < 768; i++) setPixel(i % 32, floor(i / 32),"
                + " 20 + 200 * exp(-(pow(i % 32 - 12, 2) + pow(i / 32 - 9 - z, 2)) / 25) + (i * 7919 * z) % 17); }"
                + " setVoxelSize(0.25, 0.25, 0.5, 'micron');");
    }
    private static final String CELLS = "my cells [1].tif";
    private static final String[] BETWEEN = {"Invert|stack", "Duplicate...|title=copy duplicate",
        "Flip Horizontally|stack", "Gaussian Blur...|sigma=1 stack", "Add...|value=3 stack"};

    /** Values to enter for an operation whose defaults would change nothing or do not suit these images. */
    private static final Map<String, String> ENTRIES = new LinkedHashMap<>();
    static {
        ENTRIES.put("threshold", "threshold=100");
        ENTRIES.put("translate", "translate_x=3 translate_y=-2.5");
        ENTRIES.put("rotate", "angle_z=30");
        ENTRIES.put("scale_evenly", "factor=1.3");
        ENTRIES.put("measure_psf", "width=9 height=9 depth=5");
        ENTRIES.put("macro_pixel_correction", "magnification=2");
        ENTRIES.put("multiply_slices_with_scalars", "scalars=1,2,0.5");
        ENTRIES.put("correct_drift", "drift=drift");
        ENTRIES.put("stitch_positions", "positions=drift");
        ENTRIES.put("color_deconvolution", "color_vectors=stains");
        ENTRIES.put("deconvolve_masked", "mask=mask");
        ENTRIES.put("multiply_matrix", "matrix1=drift matrix2=stains");
        ENTRIES.put("solve_linear_system", "matrix=stains right_side=stains");
        for (String name : new String[] {"write", "write_compressed", "write_zarr"})
            ENTRIES.put(name,
                "path=" + System.getProperty("java.io.tmpdir") + "/" + name
                    + (name.endsWith("zarr") ? ".zarr" : ".tif"));
        for (int i = 4; i <= 12; i++)
            ENTRIES.put("split_stack_into_" + i, "source=long");
        ENTRIES.put("deconvolve", "iterations=3 accelerate=heavy_ball tv=0.002");
    }

    private static final int LOT = 40;
    private static final StringBuilder FIXTURE = new StringBuilder();

    private RecordTest() {}

    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(System.getenv().getOrDefault("DRUA_SEED", "1"));
        Person.start(true);
        NativeLibrary.load();
        File folder = new File(System.getProperty("java.io.tmpdir"), "recorded");
        folder.mkdirs();
        IMAGES.forEach((title, lines) -> {
            IJ.runMacro(lines.replace('\'', '"'));
            String path = new File(folder, title.replaceAll("\\.tif$", "") + ".tif").getPath();
            IJ.saveAsTiff(WindowManager.getImage(title), path);
            WindowManager.getImage(new File(path).getName()).setTitle(title);
            FIXTURE.append("open(\"").append(path).append("\"); rename(\"").append(title).append("\");\n");
        });
        if (args.length > 0) {
            one(args[0]);
        } else {
            int sample = Integer.parseInt(System.getenv().getOrDefault("DRUA_SAMPLE", "13"));
            menuEntries(seed, sample);
            others(seed, sample == 1 ? 1 : 9 * sample);
            for (int i = 0; i < (sample == 1 ? 8 : 1); i++)
                chain(new Random(seed + i), "chain " + i + " of DRUA_SEED=" + seed);
        }
        Person.leave();
    }

    private static void one(String operation) {
        run(operation, CELLS);
        Person.expectReplay(operation, Person.images(), FIXTURE + text(0), true);
    }

    /** Records every n-th operation of the menus. */
    private static void menuEntries(long seed, int every) {
        long at = seed;
        for (Registry.Operation operation : Registry.get().operations.values()) {
            if (operation.menu && operation.parameters.stream().noneMatch(p -> p.kind == Registry.Kind.PATH)
                && at++ % every == 0)
                run(operation.name, CELLS);
        }
        Person.expectReplay("menu entries of DRUA_SEED=" + seed, Person.images(), FIXTURE + text(0), true);
    }

    /** Records operations that are in no menu and replays them in groups. */
    private static void others(long seed, int every) {
        long at = seed;
        List<String> lot = new ArrayList<>();
        for (Registry.Operation operation : Registry.get().operations.values()) {
            boolean reads =
                !operation.host && operation.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.IMAGE_IN);
            if (!reads || operation.menu || at++ % every != 0)
                continue;
            lot.add(operation.name);
            if (lot.size() == LOT) {
                replayed(lot);
                lot.clear();
            }
        }
        replayed(lot);
    }

    private static void replayed(List<String> lot) {
        closeResults();
        int from = Person.recorded().length();
        for (String name : lot) {
            Person.select(CELLS);
            fill(Person.open(name), Registry.get().operations.get(name), CELLS);
        }
        Person.expectReplay(String.join(", ", lot), Person.images(), FIXTURE + text(from), true);
    }

    /** Five steps, each on the result of the previous one, with ImageJ commands in between. */
    private static void chain(Random random, String name) {
        closeResults();
        List<String> possible = new ArrayList<>();
        for (Registry.Operation o : Registry.get().operations.values()) {
            if (o.menu && o.parameters.stream().filter(p -> p.kind == Registry.Kind.IMAGE_IN).count() == 1
                && o.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.IMAGE_OUT)
                && o.category.matches("filter|binary|labels|threshold|geometry"))
                possible.add(o.name);
        }
        int from = Person.recorded().length();
        Person.select(CELLS);
        StringBuilder steps = new StringBuilder(name);
        for (int i = 0; i < 5; i++) {
            String operation = possible.get(random.nextInt(possible.size()));
            steps.append(", ").append(operation);
            run(operation, WindowManager.getCurrentImage().getTitle());
            String[] command = BETWEEN[random.nextInt(BETWEEN.length)].split("\\|");
            steps.append(", ").append(command[0]);
            byHand(command[0],
                command[1].replace("copy", WindowManager.getUniqueName("copy"))); /* a title must name one image */
        }
        Person.expectReplay(steps.toString(), Person.images(), FIXTURE + text(from), true);
    }

    /** Runs an ImageJ command on the current image, recorded as if it were chosen from the menus. */
    private static void byHand(String command, String options) {
        IJ.run(command, options);
        ij.plugin.frame.Recorder.recordString("run(\"" + command + "\", \"" + options + "\");\n");
    }

    private static String text(int from) {
        return Person.recorded().substring(from);
    }

    private static void closeResults() {
        for (int id : WindowManager.getIDList()) {
            if (!IMAGES.containsKey(WindowManager.getImage(id).getTitle())) {
                WindowManager.getImage(id).changes = false;
                WindowManager.getImage(id).close();
            }
        }
    }

    /** Runs an operation with its dialog's defaults on suitable images. */
    private static void run(String name, String image) {
        Registry.Operation operation = Registry.get().operations.get(name);
        Person.select(image);
        fill(Person.choose(Person.entry(name)), operation, image);
    }

    /** Enters values that suit the operation, and presses OK. */
    private static void fill(GenericDialog dialog, Registry.Operation operation, String image) {
        enterImages(dialog, operation, image);
        for (String entry : ENTRIES.getOrDefault(operation.name, "").split(" ")) {
            if (!entry.isEmpty())
                Person.enter(dialog, entry.replaceFirst("=.*", ""), entry.replaceFirst("[^=]*=", ""));
        }
        GenericDialog again = Person.press(dialog);
        Person.expect(operation.name + " asks again", null, again == null ? null : Window.said(again));
        if (again != null)
            Person.cancel(again);
    }

    /** The title of the image for a parameter, or null for the current image. */
    private static String suitableImage(Registry.Parameter p, String image) {
        if (p.name.equals("psf") || p.name.equals("convolution_kernel") || p.name.equals("template"))
            return "psf";
        if (!image.equals(CELLS))
            return null;
        if (p.doc.contains("label map"))
            return "labels";
        if (p.doc.contains("binary"))
            return "mask";
        return p.doc.contains("beads") ? "beads" : null;
    }

    private static void enterImages(GenericDialog dialog, Registry.Operation operation, String image) {
        for (Registry.Parameter p : operation.parameters) {
            if (p.kind != Registry.Kind.IMAGE_IN)
                continue;
            String wanted = suitableImage(p, image);
            if (wanted != null)
                Person.enter(dialog, p.name, wanted);
        }
    }
}
