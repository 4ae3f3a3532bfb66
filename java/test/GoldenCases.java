// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import ij.Menus;
import ij.macro.Interpreter;
import ij.measure.ResultsTable;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs macro commands with recorded results of CLIJ2. ImageJ's interpreter runs each call as a macro, so the test also
 * covers names, shapes and types of undefined destinations, number outputs and the Results table.
 */
final class GoldenCases {
    private static final Pattern CALL = Pattern.compile("Ext\\.(\\w+)\\((.*)\\);"),
                                 WORD = Pattern.compile("[A-Za-z_]\\w*");
    private static final String START = "run(\"CLIJ2 Macro Extensions\", \"cl_device=\");\n";
    private static final double FLOAT = 1e-5;

    private final Map<?, ?> inputs;
    private final Mapping mapping;
    private final Cases cases;
    private final long context = Engine.context();

    GoldenCases(Object inputs, Mapping mapping, Cases cases) {
        this.inputs = (Map<?, ?>) inputs;
        this.mapping = mapping;
        this.cases = cases;
        addStartCommand();
    }

    void run(Object file) {
        String command = (String) ((Map<?, ?>) file).get("command");
        int number = 0;
        for (Object object : (List<?>) ((Map<?, ?>) file).get("cases")) {
            Map<?, ?> one = (Map<?, ?>) object;
            String name = command + " " + ++number + " " + one.get("call");
            Mapping.Line line = line(command, one);
            if (line == null)
                cases.result(name, "golden.tsv has no line for " + command);
            else if (line.isSkip() || line.mayBeMissing() && !Registry.get().commands.containsKey(command))
                cases.skip();
            else
                cases.result(name, check(command, one, line.target.equals("one-off")));
        }
    }

    /** The most specific line: command:dimension:type, then command:dimension, then command. */
    private Mapping.Line line(String command, Map<?, ?> one) {
        String dimension = command + ":" + ((Double) one.get("dim")).intValue();
        for (String key : Arrays.asList(dimension + ":" + one.get("type"), dimension, command))
            if (!mapping.get(key).isEmpty())
                return mapping.get(key).get(0);
        return null;
    }

    private String check(String command, Map<?, ?> one, boolean oneOff) {
        Matcher call = CALL.matcher((String) one.get("call"));
        if (!call.matches())
            return "the call is not understood";
        Native.clear(context);
        ResultsTable.getResultsTable().reset();
        List<String> values = new ArrayList<>();
        try {
            StringBuilder macro = new StringBuilder();
            for (String word : words(call.group(2))) {
                if (word.matches("v\\d"))
                    values.add(word);
                else if (!word.equals("dst"))
                    macro.append(word).append(" = \"").append(bind(word, one)).append("\";\n");
            }
            macro.append(one.get("call")).append('\n');
            macro.append(returnStatement(values, call.group(2)));
            String answer = interpret(macro.toString());
            if (one.get("columns") != null)
                return table((List<?>) one.get("columns"), (List<?>) one.get("rows"));
            if (!values.isEmpty())
                return values((List<?>) one.get("values"), answer.split("\n"));
            return one.get("result") == null ? null : image(command, (Map<?, ?>) one.get("result"), answer, oneOff);
        } catch (EngineException e) {
            return e.getMessage();
        }
    }

    private static Set<String> words(String arguments) {
        Set<String> words = new LinkedHashSet<>();
        Matcher matcher = WORD.matcher(arguments.replaceAll("\"[^\"]*\"", ""));
        while (matcher.find())
            if (!matcher.group().equals("true") && !matcher.group().equals("false"))
                words.add(matcher.group());
        return words;
    }

    private static String returnStatement(List<String> values, String arguments) {
        if (values.isEmpty())
            return arguments.matches(".*\\bdst\\b.*")   ? "return dst;"
                : arguments.matches(".*\\btarget\\b.*") ? "return target;"
                                                        : "return \"\";";
        StringBuilder text = new StringBuilder("return \"\"");
        for (String value : values)
            text.append(" + d2s(").append(value).append(", 9) + \"\\n\"");
        return text.append(';').toString();
    }

    /** Makes the image for a variable of the call; returns its name. */
    private String bind(String word, Map<?, ?> one) {
        String name =
            word.equals("target") ? "A_" + one.get("type") + "_" + ((Double) one.get("dim")).intValue() : word;
        Pixels pixels =
            inputs.containsKey(name) ? input(name) : derivedInput(name, ((Double) one.get("dim")).intValue());
        Native.bind(context, word, pixels.push(context));
        return word;
    }

    private Pixels input(String name) {
        Map<?, ?> image = (Map<?, ?>) inputs.get(name);
        Pixels flat = Pixels.of(image.get("data"), (String) image.get("dtype"));
        int[] shape = Pixels.of(image.get("shape"), "").data.length == 3
            ? Arrays.stream(Pixels.of(image.get("shape"), "").data).mapToInt(d -> (int) d).toArray()
            : flat.shape;
        return new Pixels(shape[0] == 1 ? new int[] {shape[1], shape[2]} : shape, flat.data, flat.type);
    }

    /** Point lists and matrices of the label maps, which the test computes without the engine. */
    private Pixels derivedInput(String name, int dimension) {
        Pixels labels = inputs.containsKey("L_" + dimension) ? input("L_" + dimension) : null;
        if (labels != null && name.startsWith("TM_"))
            return LabelGeometry.touchMatrix(labels);
        if (labels != null && name.startsWith("P1_"))
            return LabelGeometry.centroids(labels, dimension);
        if (name.startsWith("P2_"))
            return LabelGeometry.centroids(input("Q_" + dimension), dimension);
        if (labels != null && name.equals("D"))
            return LabelGeometry.distances(LabelGeometry.centroids(labels, dimension));
        throw new EngineException("inputs.json has no image " + name);
    }

    private String interpret(String macro) {
        String[] answer = new String[1];
        ByteArrayOutputStream error = new ByteArrayOutputStream();
        PrintStream console = System.err;
        Thread thread = new Thread(() -> {
            Interpreter interpreter = new Interpreter();
            try {
                answer[0] = interpreter.run(START + macro, "");
                if (interpreter.wasError())
                    answer[0] = null;
            } catch (RuntimeException e) {
                System.err.println(e.getMessage());
            }
        }, "Cases_Macro$");
        System.setErr(new PrintStream(error, true));
        try {
            thread.start();
            thread.join();
        } catch (InterruptedException e) {
            throw new EngineException("interrupted");
        } finally {
            System.setErr(console);
        }
        if (answer[0] == null || answer[0].equals("[aborted]"))
            throw new EngineException("the macro ended with: " + error.toString().trim().replace('\n', ' '));
        return answer[0];
    }

    /** Registers the start command in the place where ImageJ would store it if it had menus. */
    private static void addStartCommand() {
        Hashtable<String, String> table = new Hashtable<>();
        table.put("CLIJ2 Macro Extensions", "drua.StartMacroExtensions(\"compatible\")");
        try {
            Field field = Menus.class.getDeclaredField("pluginsTable");
            field.setAccessible(true);
            field.set(null, table);
        } catch (ReflectiveOperationException e) {
            throw new EngineException("this ImageJ keeps its commands elsewhere: " + e);
        }
    }

    private String image(String command, Map<?, ?> result, String name, boolean oneOff) {
        boolean target = name.equals("target");
        if (!target && !name.matches(Pattern.quote(command) + "_result\\d+"))
            return "name of the result: expected " + command + "_resultN, got " + name;
        Pixels got = Pixels.pull(context, Native.find(context, name));
        String type = (String) result.get("dtype");
        if (!got.type.equals(type))
            return "type: expected " + type + ", got " + got.type;
        int[] shape = Arrays.stream(Pixels.of(result.get("shape"), "").data).mapToInt(d -> (int) d).toArray();
        Pixels expected = new Pixels(shape, Pixels.of(result.get("data"), type).data, type);
        double tolerance = type.equals("float32") ? FLOAT * largest(expected.data) : oneOff ? 1 : 0;
        return got.differs(expected, Pixels.within(0, tolerance));
    }

    private static double largest(double[] data) {
        return Arrays.stream(data)
            .map(Math::abs)
            .filter(d -> !Double.isNaN(d) && !Double.isInfinite(d))
            .max()
            .orElse(0);
    }

    private static String values(List<?> expected, String[] got) {
        if (expected.size() != got.length)
            return "expected " + expected.size() + " numbers, got " + got.length;
        Pixels due = Pixels.of(expected, "");
        double[] data = Arrays.stream(got).mapToDouble(Double::parseDouble).toArray();
        return new Pixels(due.shape, data, "").differs(due, Pixels.within(FLOAT, 1e-9));
    }

    private static String table(List<?> columns, List<?> rows) {
        ResultsTable table = ResultsTable.getResultsTable();
        if (table.size() != rows.size())
            return "rows of the Results table: expected " + rows.size() + ", got " + table.size();
        List<String> headings = Arrays.asList(table.getHeadings());
        if (!headings.equals(columns))
            return "columns of the Results table: expected " + columns + ", got " + headings;
        for (int x = 0; x < columns.size(); x++) {
            double[] due = new double[rows.size()], got = new double[rows.size()];
            for (int y = 0; y < due.length; y++) {
                due[y] = Pixels.toNumber(((List<?>) rows.get(y)).get(x));
                got[y] = table.getValue((String) columns.get(x), y);
            }
            int[] shape = {due.length};
            String wrong = new Pixels(shape, got, "")
                               .differs(new Pixels(shape, due, ""), Pixels.within(0, FLOAT * largest(due) + 1e-9));
            if (wrong != null)
                return "column " + columns.get(x) + " " + wrong;
        }
        return null;
    }
}
