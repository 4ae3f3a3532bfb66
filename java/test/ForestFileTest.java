// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.tools.ToolProvider;

/**
 * Checks that files of random forests are compatible with Java's serialization of classes that have the names, versions
 * and fields of Weka's. The test compiles such classes, first with only these fields and then with more fields than a
 * forest needs. Damaged files must be rejected.
 */
public final class ForestFileTest {
    private static final String FOREST = "hr.irb.fastRandomForest.FastRandomForest",
                                BAGGING = "hr.irb.fastRandomForest.FastRfBagging",
                                TREE = "hr.irb.fastRandomForest.FastRandomTree";
    /** Class, superclass, version, fields. */
    private static final String[][] CLASSES = {
        {"weka.classifiers.AbstractClassifier", "Object implements weka.classifiers.Classifier, java.io.Serializable",
            "6502780192411755341L",
            "protected boolean m_Debug; protected int m_numDecimalPlaces = 2; protected String m_BatchSize = \"100\";"},
        {"weka.classifiers.SingleClassifierEnhancer", "AbstractClassifier", "-3665885256363525164L",
            "public Classifier m_Classifier;"},
        {"weka.classifiers.IteratedSingleClassifierEnhancer", "SingleClassifierEnhancer", "-6217979135443319724L",
            "public Classifier[] m_Classifiers; protected int m_NumIterations = 10;"},
        {"weka.classifiers.RandomizableIteratedSingleClassifierEnhancer", "IteratedSingleClassifierEnhancer",
            "5063351391524938557L", "protected int m_Seed = 1;"},
        {BAGGING, "weka.classifiers.RandomizableIteratedSingleClassifierEnhancer", "-505879962237199702L",
            "private double[] m_FeatureImportances = {1, 2}; protected int m_BagSizePercent = 100; protected double "
                + "m_OutOfBagError = 0.5;"},
        {FOREST, "weka.classifiers.AbstractClassifier", "4216839470751428700L",
            "public int m_numTrees = 100; protected int m_KValue; public FastRfBagging m_bagger; protected Object "
                + "m_Info = things();"
                + "private static Object things() { java.util.Map<Object, Object> map = new java.util.HashMap<>(); "
                + "map.put(\"a\", new java.util.Random(3));"
                + "map.put(Thread.State.NEW, new int[][] {{1, 2}, {}}); map.put(String.class, new "
                + "java.util.ArrayList<>(java.util.Arrays.asList(1.5, \"b\","
                + "new byte[300], new boolean[] {true}, new java.util.Date(5)))); return map; }"},
        {TREE, "weka.classifiers.AbstractClassifier", "8934314652175299375L",
            "public FastRandomTree[] m_Successors; public FastRandomForest m_MotherForest; public int m_Attribute = "
                + "-1; public double m_SplitPoint = Double.NaN;"
                + "protected double[] m_Prop; public double[] m_ClassProbs; protected transient Object data = this;"}};

    private final ClassLoader loader;
    private final File folder;
    private int passed, failed;

    private ForestFileTest(Path folder) throws IOException {
        this.folder = folder.toFile();
        List<String> files = new ArrayList<>(Arrays.asList("-d", folder.toString()));
        files.add(write(folder, "weka.classifiers.Classifier", "interface", "", ""));
        for (String[] c : CLASSES)
            files.add(write(folder, c[0], "class", " extends " + c[1],
                "private static final long serialVersionUID = " + c[2] + "; " + c[3]));
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, files.toArray(new String[0])) != 0)
            throw new IOException("the classes cannot be compiled");
        loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
    }

    private static String write(Path folder, String name, String kind, String extended, String body)
        throws IOException {
        int dot = name.lastIndexOf('.');
        Path file = folder.resolve(name.replace('.', '/') + ".java");
        Files.createDirectories(file.getParent());
        Files.write(file,
            ("package " + name.substring(0, dot) + "; public " + kind + " " + name.substring(dot + 1) + extended + " {"
                + body + "}")
                .getBytes(StandardCharsets.US_ASCII));
        return file.toString();
    }

    public static void main(String[] args) throws Exception {
        ForestFileTest test = new ForestFileTest(Files.createTempDirectory("forest"));
        test.check("what Drua writes, Java reads", test.written());
        test.check("what Java writes, Drua reads", test.read());
        test.check("damaged files", test.readDamagedFiles());
        test.check("small files that ask for much", test.readSharedTree());
        System.out.println(test.passed + " passed, " + test.failed + " failed");
        System.exit(test.failed == 0 ? 0 : 1);
    }

    private void check(String what, String wrong) {
        passed += wrong == null ? 1 : 0;
        failed += wrong == null ? 0 : 1;
        if (wrong != null)
            System.out.println("FAIL " + what + ": " + wrong);
    }

    /* ---- Drua's package-private classes ---- */

    private static Object call(String type, String method, Object... arguments) throws Exception {
        for (Method m : Class.forName("drua.macro." + type).getDeclaredMethods()) {
            if (!m.getName().equals(method) || m.getParameterCount() != arguments.length)
                continue;
            m.setAccessible(true);
            try {
                return m.invoke(null, arguments);
            } catch (InvocationTargetException e) {
                throw(Exception) e.getCause();
            }
        }
        throw new NoSuchMethodException(method);
    }

    private static Object field(Object object, String name) throws Exception {
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                f.setAccessible(true);
                if (f.getName().equals(name))
                    return f.get(object);
            }
        }
        throw new NoSuchFieldException(name);
    }

    private static void set(Object object, String name, Object value) throws Exception {
        object.getClass().getField(name).set(object, value);
    }

    /** The class shares that a tree of Drua's forest gives to a sample. */
    private static double[] classShares(Object forest, int tree, double... sample) throws Exception {
        List<?> nodes = (List<?>) field(forest, "nodes");
        Object node = nodes.get(tree);
        while ((Integer) field(node, "feature") >= 0)
            node = nodes.get((Integer) field(node, "child")
                + (sample[(Integer) field(node, "feature")] < (Double) field(node, "limit") ? 0 : 1));
        return (double[]) field(node, "shares");
    }

    /** Same for a forest that Java has read. */
    private static double[] javaClassShares(Object node, double... sample) throws Exception {
        while ((Integer) field(node, "m_Attribute") >= 0)
            node = Array.get(field(node, "m_Successors"),
                sample[(Integer) field(node, "m_Attribute")] < (Double) field(node, "m_SplitPoint") ? 0 : 1);
        return (double[]) field(node, "m_ClassProbs");
    }

    /* ---- the tests ---- */

    private String written() throws Exception {
        Random random = new Random(7);
        float[][] values = new float[3][400];
        int[] classes = new int[400];
        for (int i = 0; i < classes.length; i++) {
            for (float[] feature : values)
                feature[i] = random.nextFloat() * 10 - 5;
            classes[i] = values[1][i] > 1 ? 2 : values[0][i] < 0 ? 1 : 0;
        }
        Object forest = call("ForestTraining", "train", values, classes, 3, 30, 2, 0);
        int right = 0;
        Path link =
            Files.createSymbolicLink(new File(folder, "link.model").toPath(), new File(folder, "a.model").toPath());
        for (File file : new File[] {new File(folder, "a.model"), link.toFile()})
            call("ForestFile", "write", forest, file);
        if (!Files.isSymbolicLink(link) || !Files.isRegularFile(link))
            return "it writes a link instead of the file that it points to";
        for (String name : new String[] {"a.model", "b.model.gz"}) {
            File file = new File(folder, name);
            call("ForestFile", "write", forest, file);
            try (InputStream in = name.endsWith("gz") ? new java.util.zip.GZIPInputStream(new FileInputStream(file))
                                                      : new FileInputStream(file);
                 ObjectInputStream objects = openObjects(in)) {
                Object read = objects.readObject(), trees = field(field(read, "m_bagger"), "m_Classifiers");
                if (!read.getClass().getName().equals(FOREST) || Array.getLength(trees) != 30
                    || (Integer) field(read, "m_numTrees") != 30)
                    return "a forest of " + Array.getLength(trees) + " trees";
                if (!objects.readObject().equals(3) || !objects.readObject().equals(3))
                    return "the numbers of classes and features are wrong";
                for (int i = 0; i < 400; i++) {
                    double[] sums = new double[3], sample = {values[0][i], values[1][i], values[2][i]};
                    for (int t = 0; t < 30; t++) {
                        double[] shares = classShares(forest, t, sample);
                        if (!Arrays.equals(shares, javaClassShares(Array.get(trees, t), sample)))
                            return "tree " + t + " of " + name + " differs";
                        for (int c = 0; c < 3; c++)
                            sums[c] += shares[c];
                    }
                    right += sums[classes[i]] >= Math.max(sums[0], Math.max(sums[1], sums[2])) ? 1 : 0;
                }
            }
            Object again = call("ForestFile", "read", file);
            if (!Arrays.equals(classShares(again, 5, 1, 2, 3), classShares(forest, 5, 1, 2, 3))
                || !field(again, "features").equals(3))
                return "it reads its own file otherwise";
        }
        return right >= 2 * 398 ? null : "only " + right / 2 + " of 400 samples are classified correctly";
    }

    private ObjectInputStream openObjects(InputStream in) throws IOException {
        return new ObjectInputStream(in) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
                return Class.forName(description.getName(), false, loader);
            }
        };
    }

    private Object construct(String name) throws Exception {
        Constructor<?> constructor = loader.loadClass(name).getConstructor();
        return constructor.newInstance();
    }

    private byte[] ofJava(boolean withNumbers) throws Exception {
        Object forest = construct(FOREST), bagging = construct(BAGGING);
        Object trees = Array.newInstance(loader.loadClass("weka.classifiers.Classifier"), 2);
        for (int t = 0; t < 2; t++) {
            Object root = construct(TREE), children = Array.newInstance(root.getClass(), 2);
            for (int i = 0; i < 2; i++) {
                Object leaf = construct(TREE);
                set(leaf, "m_ClassProbs", new double[] {t / 4.0, 1 - i / 2.0});
                set(leaf, "m_MotherForest", forest);
                Array.set(children, i, leaf);
            }
            set(root, "m_Attribute", t);
            set(root, "m_SplitPoint", 2.5);
            set(root, "m_Successors", children);
            set(root, "m_MotherForest", forest);
            Array.set(trees, t, root);
        }
        set(bagging, "m_Classifiers", trees);
        set(forest, "m_bagger", bagging);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(forest);
            if (withNumbers) {
                out.writeObject(2);
                out.writeObject(7);
            }
        }
        return bytes.toByteArray();
    }

    private Object readBack(byte[] bytes) throws Exception {
        File file = new File(folder, "java.model");
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(bytes);
        }
        return call("ForestFile", "read", file);
    }

    private String read() throws Exception {
        for (boolean numbers : new boolean[] {true, false}) {
            Object forest = readBack(ofJava(numbers));
            if (!field(forest, "trees").equals(2) || !field(forest, "classes").equals(2)
                || !field(forest, "features").equals(numbers ? 7 : 0))
                return field(forest, "trees") + " trees, " + field(forest, "classes") + " classes, "
                    + field(forest, "features") + " features";
            if (!Arrays.equals(classShares(forest, 0, 2.5, 0), new double[] {0, 0.5})
                || !Arrays.equals(classShares(forest, 1, 9, 2.4), new double[] {0.25, 1}))
                return "other shares";
        }
        return null;
    }

    /** A tree in which both children of each node are the same object: 40 levels, 40 objects, but a trillion leaves. */
    private String readSharedTree() throws Exception {
        Object forest = construct(FOREST), bagging = construct(BAGGING), tree = construct(TREE),
               trees = Array.newInstance(loader.loadClass("weka.classifiers.Classifier"), 1);
        set(tree, "m_ClassProbs", new double[] {1, 0});
        for (int level = 0; level < 40; level++) {
            Object parent = construct(TREE), children = Array.newInstance(parent.getClass(), 2);
            Array.set(children, 0, tree);
            Array.set(children, 1, tree);
            set(parent, "m_Attribute", 0);
            set(parent, "m_SplitPoint", 1.0);
            set(parent, "m_Successors", children);
            tree = parent;
        }
        Array.set(trees, 0, tree);
        set(bagging, "m_Classifiers", trees);
        set(forest, "m_bagger", bagging);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(forest);
        }
        try {
            readBack(bytes.toByteArray());
        } catch (IOException e) {
            return e.getMessage().contains("too many nodes") ? null : e.getMessage();
        } catch (Error e) {
            return e.toString();
        }
        return "it is read";
    }

    /**
     * Changes each byte in turn and truncates the file at every position. Each file must be read or rejected with an
     * error message.
     */
    private String readDamagedFiles() throws Exception {
        byte[] bytes = ofJava(true);
        int refused = 0;
        for (int i = 0; i < 2 * bytes.length; i++) {
            byte[] changed = i < bytes.length ? bytes.clone() : Arrays.copyOf(bytes, i - bytes.length);
            if (i < bytes.length)
                changed[i] ^= (byte) (1 << i % 8);
            try {
                readBack(changed);
            } catch (IOException e) {
                refused += e.getMessage() != null && !e.getMessage().isEmpty() ? 1 : 0;
            } catch (Exception | Error e) {
                return "byte " + i + " of " + bytes.length + ": " + e;
            }
        }
        return refused > bytes.length / 2 ? null : "only " + refused + " are refused";
    }
}
