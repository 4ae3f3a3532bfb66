// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.DruaException;
import drua.engine.Registry;
import ij.ImagePlus;
import ij.gui.Roi;
import ij.measure.ResultsTable;
import ij.plugin.frame.RoiManager;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.haesleinhuepf.clij.CLIJ;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.ClearCLImage;
import net.haesleinhuepf.clij.clearcl.ClearCLKernel;
import net.haesleinhuepf.clij.clearcl.enums.ImageChannelDataType;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.haesleinhuepf.clij.utilities.CLIJOps;
import net.haesleinhuepf.clij2.CLIJ2;
import net.haesleinhuepf.clijx.CLIJx;
import net.haesleinhuepf.clijx.weka.CLIJxWeka2;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.realtransform.AffineTransform2D;
import net.imglib2.realtransform.AffineTransform3D;

/**
 * Calls every operation of java/clij2/signatures.tsv on small images. Each method must exist. It must change its
 * destination, return something, or throw an exception with the expected message. The static methods of
 * java/clij2/classes.tsv must exist. Runs in the project's folder. If an argument names a method, only this method is
 * tested.
 */
final class Clij2MethodsTest {
    private static final float UNTOUCHED = -77;
    private static final Class<?>[] TYPES = {boolean.class, int.class, long.class, float.class, double.class,
        void.class, Object.class, String.class, Class.class, List.class, ArrayList.class, Map.class, HashMap.class,
        ImagePlus.class, Roi.class, RoiManager.class, ResultsTable.class, ClearCLBuffer.class, ClearCLImage.class,
        ClearCLImageInterface.class, ClearCLKernel.class, NativeTypeEnum.class, ImageChannelDataType.class, CLIJ.class,
        CLIJ2.class, CLIJx.class, CLIJxWeka2.class, Float.class, Integer.class, Boolean.class,
        RandomAccessibleInterval.class, AffineTransform2D.class, AffineTransform3D.class};
    private static final Pattern CALL = Pattern.compile("(\\w+)\\(.*\\)");
    /* operations whose texts the registry has no example for */
    private static final Map<String, String> TEXTS = new HashMap<>();
    private static final int INPUTS = 10;
    /* methods that need files or a display; tests/macro/clij2_files.py calls them */
    private static final List<String> OF_FILES =
        Arrays.asList("pullLabelsToROIManager", "applyAutoContextWekaModelWithOptions", "applyWekaModel",
            "applyWekaToTable", "binaryWekaPixelClassifier", "generateLabelFeatureImage", "kMeansLabelClusterer",
            "preloadFromDisc", "readImageFromDisc", "readRawImageFromDisc", "showGlasbeyOnGrey", "showGrey", "showRGB",
            "trainAutoContextWekaModelWithOptions", "trainWekaFromTable", "trainWekaModel", "trainWekaModelWithOptions",
            "wekaLabelClassifier", "wekaRegionalLabelClassifier", "writeVTKLineListToDisc", "writeXYZPointListToDisc");

    /* methods whose numbers and images belong together; tests/macro/clij2_tiles.py calls them */
    private static final List<String> OF_TILES = Arrays.asList("pullTile", "pushTile", "tenengradFusion");

    static {
        TEXTS.put("automaticThreshold", "Otsu");
        TEXTS.put("automaticThresholdInplace", "Otsu");
        TEXTS.put("getAutomaticThreshold", "Otsu");
        TEXTS.put("generateFeatureStack", "original");
        TEXTS.put("pushString", "1 2\n3 4");
    }

    private static final AffineTransform2D TWO_D = new AffineTransform2D() {
        @Override
        public double[] getRowPackedCopy() {
            return new double[] {1, 0, 1, 0, 1, 0};
        }
    };
    private static final AffineTransform3D THREE_D = new AffineTransform3D() {
        @Override
        public double[] getRowPackedCopy() {
            return new double[] {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0};
        }
    };

    private final CLIJx clijx = CLIJx.getInstance();
    private final Path folder;

    private Clij2MethodsTest(Path folder) {
        this.folder = folder;
        folder.toFile().deleteOnExit();
        folder.resolve("saved.tif").toFile().deleteOnExit();
    }

    public static void main(String[] args) throws IOException {
        Clij2MethodsTest test = new Clij2MethodsTest(Files.createTempDirectory("clij2"));
        int passed = 0, failed = 0;
        List<String> rows = new ArrayList<>();
        for (String file : Arrays.asList("signatures.tsv", "classes.tsv"))
            rows.addAll(Files.readAllLines(Paths.get("java/clij2", file), StandardCharsets.UTF_8));
        for (String row : rows) {
            if (row.startsWith("#") || args.length > 0 && !row.split("\t")[1].equals(args[0]))
                continue;
            String[] cells = row.split("\t", -1);
            String wrong = cells[0].contains(".") ? wrongStatic(cells) : test.findFault(cells);
            passed += wrong == null ? 1 : 0;
            failed += wrong == null ? 0 : 1;
            if (wrong != null)
                System.out.println("FAIL " + row.replace('\t', ' ') + ": " + wrong);
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    private static String wrongStatic(String[] row) {
        try {
            Method method = Class.forName("net.haesleinhuepf." + row[0]).getMethod(row[1], types(row[3]));
            if (!Modifier.isStatic(method.getModifiers()))
                return "it is not static";
            return method.getReturnType().getSimpleName().equals(row[2]) ? null
                                                                         : "it returns " + method.getReturnType();
        } catch (ReflectiveOperationException e) {
            return e.toString();
        }
    }

    private String findFault(String[] row) {
        Method method;
        try {
            Class<?> owner = row[0].equals("CLIJOps") ? CLIJOps.class
                : row[0].equals("CLIJxOps")           ? CLIJx.class
                                                      : CLIJ2.class;
            method = owner.getMethod(row[1], types(row[3]));
        } catch (NoSuchMethodException e) {
            return "there is no such method";
        }
        if (!method.getReturnType().getSimpleName().equals(row[2]) && !row[2].equals("T"))
            return "it returns " + method.getReturnType();
        if (row[4].startsWith("no: ")) {
            String said = messageOf(method, emptyArguments(method));
            String due = row[1] + ": " + row[4].substring("no: ".length());
            return due.equals(said) ? null : "it says '" + said + "'";
        }
        return row[4].equals("class") || OF_FILES.contains(row[1]) || OF_TILES.contains(row[1])
            ? null
            : findFault(method, row[4]);
    }

    private static Class<?>[] types(String names) {
        return Arrays.stream(names.isEmpty() ? new String[0] : names.split(", "))
            .map(Clij2MethodsTest::type)
            .toArray(Class<?>[] ::new);
    }

    private static Class<?> type(String name) {
        if (name.endsWith("[]"))
            return Array.newInstance(type(name.substring(0, name.length() - 2)), 0).getClass();
        return Arrays.stream(TYPES)
            .filter(type -> type.getSimpleName().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("a signature has the type " + name));
    }

    /** Null for an object, and zero for a number. */
    private static Object[] emptyArguments(Method method) {
        return Arrays.stream(method.getParameterTypes())
            .map(type -> type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null)
            .toArray();
    }

    private String messageOf(Method method, Object[] arguments) {
        try {
            method.invoke(clijx, arguments);
            return "";
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof DruaException ? e.getCause().getMessage() : e.getCause().toString();
        } catch (IllegalAccessException e) {
            return e.toString();
        }
    }

    /** Tries several kinds of images. One must run; that call must have an effect. */
    private String findFault(Method method, String how) {
        String last = "nothing ran";
        for (int kind = 0; kind < INPUTS; kind++) {
            List<ClearCLImageInterface> images = new ArrayList<>();
            try {
                Object[] arguments = arguments(method, how, kind, images);
                ByteArrayOutputStream printed = new ByteArrayOutputStream();
                Object returned = printing(printed, method, arguments);
                if (hasEffect(returned, images) || Arrays.stream(arguments).anyMatch(this::isFilled)
                    || printed.size() > 0)
                    return null;
                last = "it did nothing";
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof DruaException))
                    return "it throws " + e.getCause();
                last = e.getCause().getMessage();
            } catch (IllegalAccessException e) {
                return e.toString();
            } finally {
                clijx.clear();
            }
        }
        return last;
    }

    private Object printing(ByteArrayOutputStream printed, Method method, Object[] arguments)
        throws InvocationTargetException, IllegalAccessException {
        PrintStream out = System.out;
        System.setOut(new PrintStream(printed, true));
        try {
            boolean isOfOps = method.getDeclaringClass() == CLIJOps.class;
            return method.invoke(isOfOps ? clijx.op() : clijx, arguments);
        } finally {
            System.setOut(out);
        }
    }

    private static boolean hasEffect(Object returned, List<ClearCLImageInterface> images) {
        for (ClearCLImageInterface image : images) {
            float[] before = image.getName().isEmpty() ? null : pixelsOf(image.getName());
            if (before != null && !Arrays.equals(before, pixels(image)))
                return true;
        }
        return returned != null && !Boolean.TRUE.equals(returned);
    }

    private boolean isFilled(Object argument) {
        if (argument instanceof ResultsTable)
            return !((ResultsTable) argument).getColumnHeadings().equals(table().getColumnHeadings());
        return argument instanceof List ? !((List<?>) argument).isEmpty()
                                        : argument instanceof String && Files.exists(folder.resolve((String) argument))
                && ((String) argument).endsWith(".tif");
    }

    private static float[] pixelsOf(String name) {
        String[] words = name.split(" ");
        float[] numbers = new float[words.length];
        for (int i = 0; i < numbers.length; i++)
            numbers[i] = Float.parseFloat(words[i]);
        return numbers;
    }

    private static float[] pixels(ClearCLImageInterface image) {
        float[] all = new float[(int) image.getVolume()];
        java.nio.FloatBuffer buffer = java.nio.FloatBuffer.wrap(all);
        image.writeTo(buffer, true);
        return all;
    }

    private Object[] arguments(Method method, String how, int kind, List<ClearCLImageInterface> images) {
        Class<?>[] types = method.getParameterTypes();
        Matcher call = CALL.matcher(how);
        String prefix = method.getDeclaringClass() == CLIJOps.class ? "CLIJ_" : "CLIJ2_";
        String name = how.isEmpty() ? prefix + method.getName() : call.matches() ? call.group(1) : "";
        Registry.Command command = Registry.get().commands.get(name);
        long count = Arrays.stream(types).filter(ClearCLImageInterface.class ::isAssignableFrom).count();
        boolean writes = method.getReturnType() == boolean.class && !method.getName().matches("(pull|save|print).*");
        Object[] arguments = new Object[types.length];
        for (int i = 0, image = 0; i < types.length; i++) {
            Registry.Argument argument =
                how.isEmpty() && command != null && i < command.arguments.size() ? command.arguments.get(i) : null;
            Registry.Parameter parameter = argument == null ? null : command.operation.parameter(argument.name);
            if (ClearCLImageInterface.class.isAssignableFrom(types[i])) {
                boolean written =
                    argument != null ? argument.kind != Registry.Kind.IMAGE_IN : ++image == count && writes;
                boolean isColours = parameter != null && parameter.name.equals("color_vectors");
                ClearCLBuffer buffer = isColours ? clijx.pushArray(new float[] {1, 2, 3, 4, 5, 7, 7, 8, 0}, 3, 3, 1)
                                                 : image(kind, written);
                ClearCLImageInterface made = types[i] == ClearCLImage.class ? asImage(buffer) : buffer;
                images.add(made);
                arguments[i] = made;
            } else {
                arguments[i] = otherArgument(method, types[i], parameter, i);
            }
        }
        for (Object argument : arguments)
            if (argument instanceof HashMap)
                images.add((ClearCLImageInterface) ((HashMap<?, ?>) argument).get("a"));
        for (ClearCLImageInterface image : images)
            image.setName(Arrays.toString(pixels(image)).replaceAll("[\\[\\],]", ""));
        return arguments;
    }

    /** Numbers from 0 to 3 in blocks, which serve as grey values, labels, matrices and lists of points. */
    private ClearCLBuffer image(int kind, boolean written) {
        boolean flat = kind % 2 == 1;
        int[] depths = {4, 8, 4, 4, 3};
        int width = kind / 2 == 3 ? 4 : 8, height = kind / 2 == 2 ? 3 : width, depth = flat ? 1 : depths[kind / 2];
        int[] at = {0};
        float[] numbers = new float[width * height * depth];
        for (int z = 0; z < depth; z++)
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++)
                    numbers[at[0]++] = written ? UNTOUCHED : value(kind / 2, x, y, z);
        ClearCLBuffer stack = clijx.pushArray(numbers, width, height, depth);
        if (!flat)
            return stack;
        ClearCLBuffer plane = clijx.create(width, height);
        clijx.copySlice(stack, plane, 0);
        return plane;
    }

    private static int value(int shape, int x, int y, int z) {
        if (shape == 1)
            return (x * 7 + y * 3 + z * 5) % 11;
        boolean gap = x % 4 == 3 || y % 4 == 3;
        return gap ? 0 : 1 + x / 4 + (shape != 3 ? 2 * (y / 4) : 0);
    }

    private ClearCLImage asImage(ClearCLBuffer buffer) {
        ClearCLImage image = clijx.create(buffer.getDimensions(), ImageChannelDataType.Float);
        buffer.copyTo(image, true);
        return image;
    }

    private Object otherArgument(Method method, Class<?> type, Registry.Parameter parameter, int position) {
        Object value = parameter == null ? null
            : parameter.example != null  ? parameter.example
                                         : parameter.defaultValue;
        if (method.getName().equals("customOperation") && type == String.class)
            return position == 0 ? "WRITE_IMAGE(a, POS_a_INSTANCE(x, y, z, 0), 5);" : "";
        if (method.getName().equals("drawLine"))
            return (double) position;
        if (method.getName().matches("equalizeMeanIntensitiesOfSlices|driftCorrectionByCentroidFixation"))
            return 0.0;
        if (type.isPrimitive() && type != boolean.class || type == Float.class || type == Integer.class) {
            double number = value instanceof Double          ? (Double) value
                : parameter != null && parameter.min != null ? Math.max(1, parameter.min)
                                                             : 1;
            if (type == double.class)
                return number;
            return type == float.class || type == Float.class ? (Object) (float) number : (int) number;
        }
        if (type == boolean.class || type == Boolean.class)
            return false;
        if (type == String.class)
            return text(method, parameter, value);
        if (type == ResultsTable.class)
            return table();
        if (type == float[].class)
            return numbers(method);
        if (type == double[].class)
            return new double[] {1, 2, 3};
        if (type == Object.class)
            return new float[method.getName().equals("pushArray") ? 8 * 8 * 4 : 1];
        if (type == RoiManager.class)
            return new RoiManager(false);
        if (type == List.class)
            return new ArrayList<>();
        if (type == HashMap.class)
            return new HashMap<>(Collections.singletonMap("a", image(0, true)));
        return type == AffineTransform2D.class ? TWO_D : type == AffineTransform3D.class ? THREE_D : null;
    }

    private String text(Method method, Registry.Parameter parameter, Object value) {
        if (TEXTS.containsKey(method.getName()))
            return TEXTS.get(method.getName());
        if (method.getName().startsWith("affineTransform"))
            return "translateX=1";
        if (value instanceof String)
            return (String) value;
        if (parameter != null && !parameter.choices.isEmpty())
            return parameter.choices.get(0);
        if (method.getName().startsWith("saveAs"))
            return folder.resolve("saved.tif").toString();
        return method.getName().startsWith("pull") ? "B" : "A";
    }

    private static float[] numbers(Method method) {
        if (method.getName().startsWith("affineTransform2D"))
            return new float[] {1, 0, 1, 0, 1, 0};
        if (method.getName().startsWith("affineTransform"))
            return new float[] {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0};
        return method.getName().equals("pushArray") ? new float[] {5} : new float[] {1, 2, 3, 4};
    }

    private static ResultsTable table() {
        ResultsTable table = new ResultsTable();
        for (int i = 0; i < 8; i++) {
            table.incrementCounter();
            table.addValue("A", i * i);
        }
        return table;
    }
}
