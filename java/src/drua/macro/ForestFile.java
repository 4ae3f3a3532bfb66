// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.WholeFile;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Reads and writes random forests in the file format of CLIJx and of Fiji's Trainable Weka Segmentation: a serialized
 * FastRandomForest, followed by the numbers of classes and features. Only the fields that define the trees are written.
 * Java gives the other fields default values when those programs read the file.
 */
final class ForestFile {
    private static final String PACKAGE = "hr.irb.fastRandomForest.";
    private static final int STRING = 0x74, MAX_DEPTH = 10000, MAX_BYTES = 1 << 29, MAX_NUMBERS = 1 << 26;

    private ForestFile() {}

    /* ---- reading ---- */

    static RandomForest read(File file) throws IOException {
        ObjectStream stream = new ObjectStream(bytes(file));
        Map<?, ?> forest = object(stream.next(), "FastRandomForest");
        Object[] trees = array(object(forest.get("m_bagger"), "FastRfBagging").get("m_Classifiers"));
        Object classes = stream.next(), features = stream.next();
        RandomForest made =
            new RandomForest(trees.length, number(classes, leafOf(trees[0]).length), number(features, 0));
        for (int i = 0; i < trees.length; i++)
            add(made, i, trees[i], 0);
        return made;
    }

    private static byte[] bytes(File file) throws IOException {
        try (InputStream in = file.getName().endsWith(".gz") ? new GZIPInputStream(new FileInputStream(file))
                                                             : new FileInputStream(file)) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] part = new byte[1 << 16];
            for (int count = in.read(part); count >= 0; count = in.read(part))
                if (all.size() + count <= MAX_BYTES)
                    all.write(part, 0, count);
                else
                    throw new IOException("uncompressed it is larger than " + (MAX_BYTES >> 20) + " MB");
            return all.toByteArray();
        }
    }

    private static Map<?, ?> object(Object object, String name) throws IOException {
        if (!(object instanceof Map) || !String.valueOf(((Map<?, ?>) object).get("class")).endsWith(name))
            throw new IOException("it does not contain a random forest of Weka (" + name + ")");
        return (Map<?, ?>) object;
    }

    private static Object[] array(Object array) throws IOException {
        if (!(array instanceof Object[]) || ((Object[]) array).length == 0)
            throw new IOException("its random forest has no trees, or a node without children");
        return (Object[]) array;
    }

    private static int number(Object object, int otherwise) {
        Object value = object instanceof Map ? ((Map<?, ?>) object).get("value") : null;
        return value instanceof Integer ? (Integer) value : otherwise;
    }

    private static double[] leafOf(Object tree) throws IOException {
        Map<?, ?> node = object(tree, "FastRandomTree");
        for (int depth = 0; number(node) >= 0 && depth < MAX_DEPTH; depth++)
            node = object(array(node.get("m_Successors"))[0], "FastRandomTree");
        return classShares(node);
    }

    private static double[] classShares(Map<?, ?> node) throws IOException {
        if (!(node.get("m_ClassProbs") instanceof double[]))
            throw new IOException("a leaf of its random forest has no classes");
        return (double[]) node.get("m_ClassProbs");
    }

    private static int number(Map<?, ?> node) throws IOException {
        if (!(node.get("m_Attribute") instanceof Integer))
            throw new IOException("a node of its random forest has no feature");
        return (Integer) node.get("m_Attribute");
    }

    private static void add(RandomForest forest, int number, Object tree, int depth) throws IOException {
        Map<?, ?> node = object(tree, "FastRandomTree");
        if (number(node) < 0) {
            if (classShares(node).length < forest.classes)
                throw new IOException("a leaf of its random forest lacks classes");
            forest.nodes.get(number).shares = classShares(node);
            return;
        }
        if ((long) forest.nodes.size() * (forest.classes + 3L)
            > MAX_NUMBERS) // a damaged file may refer to the same objects many times
            throw new IOException("its random forest has too many nodes");
        Object[] children = array(node.get("m_Successors"));
        if (children.length != 2 || !(node.get("m_SplitPoint") instanceof Double) || depth > MAX_DEPTH)
            throw new IOException("a node of its random forest does not have two children, or is too deep");
        int child = forest.split(number, number(node), (Double) node.get("m_SplitPoint"));
        add(forest, child, children[0], depth + 1);
        add(forest, child + 1, children[1], depth + 1);
    }

    /* ---- writing ---- */

    static void write(RandomForest forest, File file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Writer writer = new Writer(new DataOutputStream(bytes));
        writer.out.writeInt(0xACED0005);
        writer.forest(forest);
        writer.integer(forest.classes);
        writer.integer(forest.features);
        WholeFile.write(file, part -> {
            try (OutputStream out = Files.newOutputStream(part.toPath());
                 OutputStream packed = file.getName().endsWith(".gz") ? new GZIPOutputStream(out) : out) {
                bytes.writeTo(packed);
            }
        });
    }

    /**
     * Writes the bytes that Java's serialization would write. Descriptions and type names are written once and then
     * referenced.
     */
    private static final class Writer {
        final DataOutputStream out;
        private final Map<String, Integer> handles = new LinkedHashMap<>();
        private int next = 0x7E0000;

        Writer(DataOutputStream out) {
            this.out = out;
        }

        void forest(RandomForest forest) throws IOException {
            out.writeByte(0x73);
            describe(PACKAGE + "FastRandomForest", 4216839470751428700L,
                "I m_numTrees, L m_bagger L" + PACKAGE + "FastRfBagging;",
                () -> describe("weka.classifiers.AbstractClassifier", 6502780192411755341L, "", null));
            int mother = next++;
            out.writeInt(forest.trees);
            out.writeByte(0x73);
            describe(PACKAGE + "FastRfBagging", -505879962237199702L, "",
                ()
                    -> describe("weka.classifiers.RandomizableIteratedSingleClassifierEnhancer", 5063351391524938557L,
                        "",
                        ()
                            -> describe("weka.classifiers.IteratedSingleClassifierEnhancer", -6217979135443319724L,
                                "I m_NumIterations, [ m_Classifiers [Lweka.classifiers.Classifier;",
                                ()
                                    -> describe("weka.classifiers.SingleClassifierEnhancer", -3665885256363525164L, "",
                                        ()
                                            -> describe("weka.classifiers.AbstractClassifier", 6502780192411755341L, "",
                                                null)))));
            next++;
            out.writeInt(forest.trees);
            out.writeByte(0x75);
            describe("[Lweka.classifiers.Classifier;", 0, "", null);
            next++;
            out.writeInt(forest.trees);
            for (int i = 0; i < forest.trees; i++)
                tree(forest, i, mother);
        }

        private void tree(RandomForest forest, int number, int mother) throws IOException {
            RandomForest.Node node = forest.nodes.get(number);
            out.writeByte(0x73);
            describe(PACKAGE + "FastRandomTree", 8934314652175299375L,
                "D m_SplitPoint, I m_Attribute, [ m_ClassProbs [D, L m_MotherForest L" + PACKAGE
                    + "FastRandomForest;, [ m_Successors [L" + PACKAGE + "FastRandomTree;",
                () -> describe("weka.classifiers.AbstractClassifier", 6502780192411755341L, "", null));
            next++;
            out.writeDouble(node.feature < 0 ? Double.NaN : node.limit);
            out.writeInt(node.feature);
            if (node.feature < 0) {
                out.writeByte(0x75);
                describe("[D", 0, "", null);
                next++;
                out.writeInt(node.shares.length);
                for (double share : node.shares)
                    out.writeDouble(share);
            } else {
                out.writeByte(0x70);
            }
            writeReference(mother);
            if (node.feature < 0) {
                out.writeByte(0x70);
                return;
            }
            out.writeByte(0x75);
            describe("[L" + PACKAGE + "FastRandomTree;", 0, "", null);
            next++;
            out.writeInt(2);
            tree(forest, node.child, mother);
            tree(forest, node.child + 1, mother);
        }

        void integer(int value) throws IOException {
            out.writeByte(0x73);
            describe("java.lang.Integer", 1360826667806852920L, "I value",
                () -> describe("java.lang.Number", -8742448824652078965L, "", null));
            next++;
            out.writeInt(value);
        }

        private interface Parent {
            void describe() throws IOException;
        }

        /** @param fields "CODE NAME TYPE" of each field; fields without a type come first */
        private void describe(String name, long version, String fields, Parent parent) throws IOException {
            Integer known = handles.get("class " + name);
            if (known != null) {
                writeReference(known);
                return;
            }
            String[] each = fields.isEmpty() ? new String[0] : fields.split(", ");
            out.writeByte(0x72);
            out.writeUTF(name);
            out.writeLong(version);
            handles.put("class " + name, next++);
            out.writeByte(2);
            out.writeShort(each.length);
            for (String field : each) {
                String[] words = field.split(" ");
                out.writeByte(words[0].charAt(0));
                out.writeUTF(words[1]);
                if (words.length > 2)
                    writeType(words[2].replace('.', '/'));
            }
            out.writeByte(0x78);
            if (parent == null)
                out.writeByte(0x70);
            else
                parent.describe();
        }

        private void writeType(String type) throws IOException {
            Integer known = handles.get(type);
            if (known != null) {
                writeReference(known);
                return;
            }
            out.writeByte(STRING);
            out.writeUTF(type);
            handles.put(type, next++);
        }

        private void writeReference(int handle) throws IOException {
            out.writeByte(0x71);
            out.writeInt(handle);
        }
    }
}
