// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Invocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs single operations and chains of operations of another library. cases.tsv translates them to the C interface. */
final class OperationCases {
    /** Ends a case that the mapping excludes. */
    private static final class Skip extends Exception { private static final long serialVersionUID = 1; }

    /** The result of the previous operation in a line of several operations. */
    private static final String LAST = "@";

    private final Mapping mapping;
    private final Cases cases;
    private final long context = Engine.context();
    private String name;
    private boolean integers, anyNumbering;
    private int answerAxes;

    OperationCases(Mapping mapping, Cases cases) {
        this.mapping = mapping;
        this.cases = cases;
    }

    void run(String file, Object json) {
        Map<?, ?> one = (Map<?, ?>) json;
        name = file;
        anyNumbering = false;
        answerAxes = Pixels.of(one.get("expected"), "").shape.length;
        integers = one.get("expected") != null
            && Arrays.stream(Pixels.of(one.get("expected"), "").data).allMatch(d -> d == Math.rint(d));
        try {
            Object result = one.containsKey("steps") ? chain(one) : runCase(one);
            cases.result(name, check(one, pixels(result)));
        } catch (Skip e) {
            cases.skip();
        } catch (EngineException e) {
            cases.result(name, e.getMessage());
        } catch (RuntimeException e) { /* the case does not follow the format in the README */
            cases.result(name, "the case cannot be read: " + e);
        } finally {
            Native.clear(context);
        }
    }

    private Object runCase(Map<?, ?> one) throws Skip {
        Map<String, Object> arguments = new LinkedHashMap<>();
        List<?> names = (List<?>) one.get("input_names"), inputs = (List<?>) one.get("inputs"),
                info = (List<?>) one.get("input_info");
        for (int i = 0; i < names.size(); i++)
            arguments.put((String) names.get(i), image((Map<?, ?>) info.get(i), inputs.get(i)));
        return apply((String) one.get("op"), arguments, (Map<?, ?>) one.get("params"), one.get("output"));
    }

    private Object chain(Map<?, ?> one) throws Skip {
        Map<Object, Object> results = new LinkedHashMap<>();
        for (Object object : (List<?>) one.get("steps")) {
            Map<?, ?> step = (Map<?, ?>) object;
            Object made;
            if (step.get("push") != null) {
                made = image((Map<?, ?>) step.get("push"), ((Map<?, ?>) step.get("push")).get("data"));
            } else if (step.get("create") != null) {
                made = image((Map<?, ?>) step.get("create"), null);
            } else {
                Map<String, Object> arguments = new LinkedHashMap<>();
                ((Map<?, ?>) step.get("inputs")).forEach((name, id) -> arguments.put((String) name, results.get(id)));
                made = apply((String) step.get("op"), arguments, (Map<?, ?>) step.get("params"), output(step, results));
            }
            results.put(step.get("id"), made);
        }
        return results.get(one.get("result"));
    }

    /** The destination of a step. Its initial content is the result of another step. */
    private static Object output(Map<?, ?> step, Map<Object, Object> results) {
        Map<?, ?> output = (Map<?, ?>) step.get("output");
        return output == null || output.get("prior") == null ? output : results.get(output.get("prior"));
    }

    private Long image(Map<?, ?> info, Object data) {
        String type = (String) info.get("dtype");
        double[] shape = Pixels.of(info.get("shape"), "").data;
        int[] extents = Arrays.stream(shape).mapToInt(d -> (int) d).toArray();
        Pixels zeros = Pixels.zeros(extents, type);
        return (data == null ? zeros : new Pixels(extents, Pixels.of(data, type).data, type)).push(context);
    }

    /**
     * The other library's tests record int32 for destinations with fractional values, so the type is only used if the
     * results are integers.
     */
    private Long destination(Map<?, ?> output) {
        Map<Object, Object> made = new LinkedHashMap<>(output);
        if ("int32".equals(made.get("dtype")) && !integers)
            made.put("dtype", "float32");
        return image(made, output.get("prior"));
    }

    /* ---- one operation */

    /** Runs the first line of the mapping whose arguments match. */
    private Object apply(String operation, Map<String, Object> images, Map<?, ?> parameters, Object output)
        throws Skip {
        Map<String, Object> given = new LinkedHashMap<>(images);
        parameters.forEach((name, value) -> {
            if (value != null)
                given.put((String) name, value);
        });
        Map<String, Object> derived = new LinkedHashMap<>();
        int number = 0;
        for (Map.Entry<String, Object> image : images.entrySet())
            derived.put("#" + ++number, image);
        derived.put("answer", (double) answerAxes);
        if (!images.isEmpty())
            derived.put("dims", (double) Native.info(context, (Long) images.values().iterator().next())[3]);
        if (parameters.get("index") != null && !images.isEmpty())
            derived.putAll(PythonIndex.parts(
                parameters.get("index"), Native.info(context, (Long) images.values().iterator().next())));
        for (Mapping.Line line : lines(operation)) {
            if (line.isSkip() && line.arguments.isEmpty())
                throw new Skip();
            Arguments arguments = new Arguments(line.arguments.split(" *\\| *")[0], given, derived);
            if (!arguments.fit || !usesAll(line.arguments, given.keySet(), arguments))
                continue;
            if (line.isSkip())
                throw new Skip();
            if (!isKnown(line.target)) {
                if (line.mayBeMissing())
                    throw new Skip();
                throw new EngineException(
                    "there is no operation " + line.target + ", which cases.tsv names for " + operation);
            }
            Object[] call = operations(line, arguments, given, derived, output);
            if (call != null)
                return call[0];
        }
        throw new EngineException("cases.tsv has no line for " + operation + given.keySet());
    }

    /**
     * The lines of a name. One of Drua's own operations needs no line, because the project's own cases use its name.
     */
    private List<Mapping.Line> lines(String operation) {
        List<Mapping.Line> lines = mapping.get(mapping.get(name).isEmpty() ? operation : name);
        boolean own = lines.isEmpty() && Registry.get().operations.containsKey(operation);
        return own ? Collections.singletonList(new Mapping.Line(new String[] {operation, operation})) : lines;
    }

    /** True if a line with a list of arguments lists all arguments of the case. */
    private static boolean usesAll(String text, Set<String> given, Arguments arguments) {
        Set<String> used = new HashSet<>(arguments.used);
        for (String word : text.split("[ |]+"))
            used.add(word);
        return used.containsAll(given);
    }

    private static boolean isKnown(String target) {
        for (String name : target.split(" *\\| *"))
            if (!Registry.get().operations.containsKey(name) && !Registry.get().commands.containsKey(name))
                return false;
        return true;
    }

    /** Runs the operations of a line one after the other. Returns {result}, or null if the arguments do not match. */
    private Object[] operations(
        Mapping.Line line, Arguments first, Map<String, Object> given, Map<String, Object> derived, Object output) {
        String[] targets = line.target.split(" *\\| *"), texts = line.arguments.split(" *\\| *");
        Object result = null;
        for (int i = 0; i < targets.length; i++) {
            if (i > 0)
                derived.put(LAST, result);
            Arguments arguments = i == 0 ? first : new Arguments(texts[i], given, derived);
            anyNumbering |= arguments.anyNumbering;
            if (i == 0 && arguments.type != null)
                arguments.values.replaceAll(value
                    -> value instanceof Long ? (Object) Pixels.pull(context, (Long) value)
                                                   .as(arguments.type, dimension((Long) value))
                                                   .push(context)
                                             : value);
            boolean last = i + 1 == targets.length;
            Object destination = arguments.destination;
            if (destination instanceof String)
                destination = createLike((Long) given.values().iterator().next(), (String) destination);
            if (last && output != null && destination == null)
                destination = output instanceof Long ? output : destination((Map<?, ?>) output);
            Registry.Operation operation = Registry.get().operations.get(targets[i]);
            Object[] call = operation != null
                ? invoke(operation, withNames(operation, arguments.values, given), destination)
                : command(Registry.get().commands.get(targets[i]), arguments.values, destination);
            if (call == null)
                return null;
            result = call[0];
        }
        return new Object[] {result};
    }

    /**
     * Returns all images of the case with their names for an operation that takes names and images in turn; otherwise
     * returns the values.
     */
    private static List<Object> withNames(
        Registry.Operation operation, List<Object> values, Map<String, Object> given) {
        if (operation.parameters.stream().noneMatch(p -> p.kind == Registry.Kind.IMAGES))
            return values;
        List<Object> named = new ArrayList<>(), all = new ArrayList<>(values);
        given.forEach((image, handle) -> {
            if (handle instanceof Long)
                named.addAll(Arrays.asList(image, handle));
        });
        all.removeIf(value -> value instanceof Long);
        all.add(named);
        return all;
    }

    private long dimension(long image) {
        return Native.info(context, image)[3];
    }

    private long createLike(long like, String type) {
        long[] info = Native.info(context, like);
        int[] shape = info[3] == 3 ? new int[] {(int) info[2], (int) info[1], (int) info[0]}
                                   : new int[] {(int) info[1], (int) info[0]};
        return Pixels.zeros(shape, type).push(context);
    }

    /** Runs an operation with the values in the order of its non-output parameters; null if the values do not match. */
    private Object[] invoke(Registry.Operation operation, List<Object> values, Object destination) {
        Object[] all = new Object[operation.parameters.size()];
        int used = 0;
        Object changed = null;
        boolean written = false;
        for (int i = 0; i < all.length; i++) {
            Registry.Parameter parameter = operation.parameters.get(i);
            if (parameter.kind == Registry.Kind.IMAGE_OUT && !written) {
                all[i] = destination;
                written = true;
            } else if (!parameter.kind.isOutput() && used < values.size()) {
                all[i] = convertForKind(parameter.kind, values.get(used++));
                if (all[i] == null)
                    return null;
                if (parameter.kind == Registry.Kind.IMAGE_INOUT)
                    changed = all[i];
                else if (parameter.kind == Registry.Kind.IMAGES)
                    changed = ((List<?>) all[i]).get(((List<?>) all[i]).size() - 1);
            } else if (!parameter.kind.isOutput() && parameter.kind.isImage()) {
                return null;
            }
        }
        if (used < values.size())
            return null;
        Object[] outputs = Invocation.run(context, operation, all);
        return new Object[] {changed != null ? changed : outputs.length == 1 ? outputs[0] : outputs};
    }

    private static Object convertForKind(Registry.Kind kind, Object value) {
        if (kind.isImage())
            return value instanceof Long ? value : null;
        if (kind == Registry.Kind.IMAGES)
            return value;
        if (value instanceof Long)
            return null;
        boolean number =
            !(value instanceof String) || ((String) value).matches("nan|-?inf|np\\.finfo\\(np\\.float32\\)\\.max");
        if (kind.isNumber())
            return number ? (Object) Pixels.toNumber(value) : null;
        return value instanceof String ? value : null;
    }

    private Object[] command(Registry.Command command, List<Object> values, Object destination) {
        int count = command.arguments.size(), used = 0;
        String[] texts = new String[count];
        double[] numbers = new double[count];
        List<Integer> outputs = new ArrayList<>();
        Object changed = null;
        for (int i = 0; i < count; i++) {
            Registry.Argument argument = command.arguments.get(i);
            if (argument.kind.isOutput()) {
                if (argument.kind == Registry.Kind.IMAGE_OUT && destination != null && outputs.isEmpty())
                    Native.bind(context, texts[i] = "destination", (Long) destination);
                outputs.add(i);
            } else if (used == values.size()) {
                return null;
            } else {
                Object value = convertForKind(argument.kind, values.get(used++));
                if (value == null)
                    return null;
                if (value instanceof Long)
                    Native.bind(context, texts[i] = "image" + i, (Long) value);
                else if (value instanceof String)
                    texts[i] = (String) value;
                else
                    numbers[i] = (Double) value;
                if (argument.kind == Registry.Kind.IMAGE_INOUT)
                    changed = value;
            }
        }
        if (used < values.size())
            return null;
        Native.command(context, 0, command.name, texts, numbers, new Object[count]);
        Object[] made = new Object[outputs.size()];
        for (int i = 0; i < made.length; i++) {
            int at = outputs.get(i);
            made[i] = command.arguments.get(at).kind == Registry.Kind.IMAGE_OUT
                ? (Object) Native.find(context, texts[at])
                : (Object) numbers[at];
        }
        return new Object[] {changed != null ? changed : made.length == 1 ? made[0] : made};
    }

    /** The arguments of a case after translation by a line of the mapping; see the README of the mappings. */
    private static final class Arguments {
        final List<Object> values = new ArrayList<>();
        final Set<String> used = new HashSet<>();
        Object destination;
        String type;
        boolean fit = true, anyNumbering;

        Arguments(String text, Map<String, Object> given, Map<String, Object> derived) {
            boolean listed = false;
            for (String word : text.trim().isEmpty() ? new String[0] : text.trim().split(" +")) {
                if (word.startsWith("?")) {
                    String name = word.substring(1, word.indexOf('=')), due = word.substring(word.indexOf('=') + 1);
                    Object value = given.containsKey(name) ? given.get(name) : derived.get(name);
                    fit &= value != null
                        && (value instanceof Boolean || value instanceof Number
                                ? Pixels.toNumber(value) == Double.parseDouble(due)
                                : value.toString().equals(due));
                    used.add(name);
                } else if (word.equals("=labels")) {
                    anyNumbering = true;
                } else if (word.startsWith(":")) {
                    type = word.substring(1);
                } else if (word.startsWith("~")) {
                    used.add(word.substring(1));
                } else if (word.startsWith(">")) {
                    String name = word.substring(word.startsWith(">:") ? 2 : 1);
                    destination = given.get(name);
                    used.add(name);
                } else {
                    listed = true;
                    if (word.startsWith("#") && derived.get(word) != null)
                        word = (String) ((Map.Entry<?, ?>) derived.get(word)).getKey();
                    used.add(word);
                    values.add(given.containsKey(word)  ? given.get(word)
                            : derived.containsKey(word) ? derived.get(word)
                                                        : literalValue(word));
                    fit &= values.get(values.size() - 1) != null;
                }
            }
            if (derived.containsKey(LAST) && !values.contains(derived.get(LAST)))
                values.add(0, derived.get(LAST));
            if (!listed && !derived.containsKey(LAST))
                given.forEach((name, value) -> {
                    if (used.add(name))
                        values.add(value);
                });
        }

        private static Object literalValue(String word) {
            if (word.matches("-?[0-9.]+"))
                return Double.valueOf(word);
            return word.startsWith("'") ? word.substring(1, word.length() - 1) : null;
        }
    }

    /* ---- the result */

    private Pixels pixels(Object result) {
        if (result instanceof Long) {
            long[] info = Native.info(context, (Long) result);
            Pixels pixels = Pixels.pull(context, (Long) result);
            return info[3] == 2 ? new Pixels(Arrays.copyOfRange(pixels.shape, 1, 3), pixels.data, pixels.type) : pixels;
        }
        if (result instanceof Object[]) {
            double[] numbers = Arrays.stream((Object[]) result).mapToDouble(Pixels::toNumber).toArray();
            return new Pixels(new int[] {numbers.length}, numbers, "float64");
        }
        return Pixels.number(Pixels.toNumber(result));
    }

    private String check(Map<?, ?> one, Pixels result) {
        for (Object object : (List<?>) one.get("checks")) {
            String wrong = check((Map<?, ?>) object, (List<?>) ((Map<?, ?>) object).get("path"), result);
            if (wrong != null)
                return wrong;
        }
        return null;
    }

    private String check(Map<?, ?> check, List<?> path, Pixels result) {
        Object due = check.get("expected");
        Pixels got = result;
        for (Object step : path) {
            String name = (String) ((List<?>) step).get(0);
            Object argument = ((List<?>) step).get(1);
            if (name.equals("dtype")) /* element types are those of the other library */
                return null;
            if (name.equals("shape") && due instanceof List)
                return null; /* the comparison of values covers the shape, except axes of extent 1 */
            if (name.equals("shape"))
                got = shape(result);
            else
                got = follow(name, argument, got);
        }
        Pixels expected = Pixels.of(due, "");
        String compare = (String) check.get("compare"), where = path.isEmpty() ? "" : path + " ";
        String wrong;
        if (compare.equals("<") || compare.equals(">")) {
            double value = got.data[0];
            boolean right = compare.equals("<") ? value < expected.data[0] : value > expected.data[0];
            wrong = right ? null : "expected " + compare + " " + expected.data[0] + ", got " + value;
        } else {
            double rtol = check.get("rtol") == null ? 0 : (Double) check.get("rtol");
            double atol = check.get("atol") == null ? 0 : (Double) check.get("atol");
            if (compare.equals("allclose") && check.get("rtol") == null)
                rtol = 1e-5;
            if (expected.shape.length == 0 && got.data.length > 1) /* a single number is compared with all pixels */
                expected = new Pixels(got.shape, Arrays.stream(got.data).map(d -> Pixels.toNumber(due)).toArray(), "");
            if (anyNumbering) {
                got = got.renumbered();
                expected = expected.renumbered();
            }
            wrong = got.squeezed().differs(expected.squeezed().rounded(got.type), Pixels.within(rtol, atol));
        }
        return wrong == null ? null : where + wrong;
    }

    /** Removes axes of extent 1 that only this engine keeps. */
    private static Pixels shape(Pixels result) {
        double[] shape =
            Arrays.stream(result.shape.length > 2 ? result.squeezed().shape : result.shape).asDoubleStream().toArray();
        return new Pixels(new int[] {shape.length}, shape, "");
    }

    private static Pixels follow(String name, Object argument, Pixels got) {
        switch (name) {
        case "min":
            return Pixels.number(Arrays.stream(got.data).min().getAsDouble());
        case "max":
            return Pixels.number(Arrays.stream(got.data).max().getAsDouble());
        case "sum":
            return Pixels.number(Arrays.stream(got.data).sum());
        case "mean":
            return Pixels.number(Arrays.stream(got.data).average().getAsDouble());
        case "abs":
            return new Pixels(got.shape, Arrays.stream(got.data).map(Math::abs).toArray(), got.type);
        case "len":
            return Pixels.number(got.shape[0]);
        case "sub":
            Pixels other = Pixels.of(argument, "");
            double[] difference = new double[got.data.length];
            for (int i = 0; i < difference.length; i++)
                difference[i] = got.data[i] - other.data[other.data.length == 1 ? 0 : i];
            return new Pixels(got.shape, difference, got.type);
        case "index":
            return PythonIndex.pick(argument, got);
        default:
            throw new EngineException("the check '" + name + "' is not known");
        }
    }
}
