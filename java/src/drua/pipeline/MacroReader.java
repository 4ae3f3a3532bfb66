// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Registry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parses a macro into steps. A call becomes a step under three conditions: it is a statement on its own; its input
 * images come from earlier steps and its outputs go to variables that hold no image yet; and its numbers and texts are
 * literals or variables with known values. Everything else stays as text. Later steps cannot use variables that such
 * text changes.
 */
public final class MacroReader {
    private static final Pattern CALL = Pattern.compile("(?s)Ext\\s*\\.\\s*(\\w+)\\s*(?:\\((.*)\\))?\\s*;");
    private static final Pattern COMMENTED = Pattern.compile("\\s*// (Ext\\.\\w+\\(.*\\);)( *(?://[^\n]*)?\r?\n?)");
    private static final Pattern ASSIGNMENT = Pattern.compile("(?s)(?:var\\s+)?([A-Za-z_]\\w*)\\s*=\\s*(.*?)\\s*;");
    private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
    private static final Pattern CHANGED = Pattern.compile("([A-Za-z_]\\w*)\\s*(?:=(?!=)|[-+*/]=|\\+\\+|--)");
    /** ImageJ functions that set the variables passed to them. */
    private static final Pattern SETTER = Pattern.compile("\\b(?:get\\w*|to(?:Uns|S)caled)\\s*\\("),
                                 FUNCTION = Pattern.compile("(?s)function\\b.*"),
                                 GLOBAL = Pattern.compile("\\bvar\\s+([A-Za-z_]\\w*)");
    /** Code that opens a file and may read its title. Macros of CLIJ2's Assistant begin like this. */
    private static final Pattern OPENED =
        Pattern.compile("\\bopen\\s*\\([^;]*\\)\\s*;\\s*(?:\\w+\\s*=\\s*getTitle\\s*\\(\\s*\\)\\s*;\\s*)?\\z");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
    private static final Pattern ANY_CALL = Pattern.compile("Ext\\s*\\.\\s*(\\w+)\\s*\\(");
    /** The result of getTitle(): a title that is known only when the macro runs. */
    private static final Object CURRENT = new Object();

    private final Registry registry;
    private final List<Statement> statements = new ArrayList<>();
    /** Known values of variables: a Double, a String or CURRENT. */
    private final Map<String, Object> known = new HashMap<>();
    /** images: variables that name images of steps. taken: variables that name images of unknown content. */
    private final Set<String> images = new HashSet<>(), taken = new HashSet<>();
    /**
     * All variables that a step has set, even if they no longer hold its image. Steps are connected by these variables,
     * so no other step may set them.
     */
    private final Set<String> assigned = new HashSet<>();
    /** Variables that a function may change at any call. */
    private final Set<String> shared = new HashSet<>();

    private MacroReader(Registry registry, List<Statements.Piece> pieces) {
        this.registry = registry;
        Set<String> globals = new HashSet<>();
        for (Statements.Piece piece : pieces) {
            String bare = Statements.bare(piece.code, true);
            for (Matcher global = GLOBAL.matcher(bare); global.find();)
                globals.add(global.group(1));
            if (FUNCTION.matcher(bare.trim()).matches()) {
                shared.addAll(assignedVariables(piece.code));
                shared.addAll(arguments(ANY_CALL, bare));
            }
        }
        shared.retainAll(globals);
    }

    public static Pipeline read(Registry registry, String macro) {
        List<Statements.Piece> pieces = Statements.of(macro);
        MacroReader reader = new MacroReader(registry, pieces);
        for (int i = 0, length; i < pieces.size(); i += length) {
            Step step = reader.imageJCommand(pieces.subList(i, pieces.size()));
            length = step == null ? 1 : ImageJCommand.LENGTH;
            if (step == null)
                reader.add(pieces.get(i));
            else
                reader.add(step);
        }
        return Pipeline.of(reader.statements);
    }

    private void add(Statements.Piece piece) {
        String raw = piece.code + piece.tail;
        Step step = piece.code.isEmpty() ? parseStepThatIsOff(piece.tail, raw) : call(piece.code, piece.tail, raw);
        if (step == null) {
            noteAssignments(piece.code);
            statements.add(new Statement.Text(raw));
            return;
        }
        add(step);
    }

    private void add(Step step) {
        if (step.role() == Step.Role.FREE) {
            images.removeAll(step.inputs().isEmpty() ? new ArrayList<>(images) : step.inputs());
            if (step.inputs().isEmpty())
                taken.clear();
        }
        images.addAll(step.images());
        assigned.addAll(step.images());
        step.outputs().forEach(known.keySet()::remove);
        statements.add(step);
    }

    /**
     * Parses a pull, an ImageJ command and a push at the beginning of these pieces; null if the pieces are something
     * else.
     */
    private Step imageJCommand(List<Statements.Piece> pieces) {
        if (pieces.size() < ImageJCommand.LENGTH)
            return null;
        List<Statements.Piece> its = pieces.subList(0, ImageJCommand.LENGTH);
        List<Object> values =
            ImageJCommand.values(its.stream().map(piece -> piece.code.trim()).collect(Collectors.toList()));
        boolean isStep = values != null && images.contains(values.get(ImageJCommand.SOURCE))
            && isFree((String) values.get(ImageJCommand.DESTINATION), Registry.Kind.IMAGE_OUT)
            && its.subList(0, its.size() - 1).stream().allMatch(piece -> piece.tail.trim().isEmpty());
        if (!isStep)
            return null;
        String tail = its.get(its.size() - 1).tail;
        return Step.of(ImageJCommand.of(ImageJCommand.prefix(its.get(0).code.trim())), values)
            .asRead(its.stream().map(piece -> piece.code + piece.tail).collect(Collectors.joining()),
                tail.isEmpty() ? "\n" : tail, true);
    }

    /** Parses a step that is off and passes no image through. */
    private Step parseStepThatIsOff(String line, String raw) {
        Matcher found = COMMENTED.matcher(line);
        Step step = found.matches() ? call(found.group(1), found.group(2), raw) : null;
        return step == null || step.role() != Step.Role.WORK || step.passed() != null
            ? null
            : step.asRead(raw, found.group(2), false);
    }

    private Step call(String code, String tail, String raw) {
        Matcher found = CALL.matcher(code.trim());
        if (!found.matches())
            return null;
        Step step = step(found);
        if (step == null)
            return null;
        Step off = step.command.operation.name.equals("copy") ? switchedOff(step, tail, raw) : null;
        return off != null ? off : step.asRead(raw, tail.isEmpty() ? "\n" : tail, true);
    }

    /** Parses a switched-off step: a comment after the copy that passes the image through it. */
    private Step switchedOff(Step copy, String tail, String raw) {
        Matcher found = COMMENTED.matcher(tail);
        Matcher call = found.matches() ? CALL.matcher(found.group(1)) : null;
        Step ofImageJ = found.matches() ? imageJCommand(Statements.of(found.group(1))) : null;
        Step step = ofImageJ != null || call == null || !call.matches() ? ofImageJ : step(call);
        boolean passes = step != null && step.role() == Step.Role.WORK && step.passed() != null
            && step.passed().equals(copy.passed()) && step.images().equals(copy.images());
        return passes ? step.asRead(raw, found.group(2), false) : null;
    }

    /** The call that the pattern CALL found, with the values of its arguments; null if it cannot be a step. */
    private Step step(Matcher call) {
        List<String> words = Statements.arguments(call.group(2) == null ? "" : call.group(2));
        Registry.Command command = registry.command(call.group(1), words.size());
        if (command == null)
            return null;
        Step shape = Step.of(command, new ArrayList<>(words));
        if (command.operation.host)
            return hostStep(shape, words);
        List<Object> values = new ArrayList<>();
        Set<String> made = new HashSet<>();
        for (int i = 0; i < words.size(); i++) {
            Registry.Argument argument = command.arguments.get(i);
            String word = words.get(i);
            Object value;
            if (argument.kind == Registry.Kind.IMAGE_IN)
                value = images.contains(word) ? word : null;
            else if (argument.kind.isOutput())
                value = isFree(word, argument.kind) && made.add(word) ? word : null;
            else
                value = literalValue(argument, word);
            if (value == null)
                return null;
            values.add(value);
        }
        return Catalogue.canBeStep(command) ? Step.of(command, values) : null;
    }

    /** Handles sources, windows and calls that free images. Other commands that need ImageJ cannot be steps. */
    private Step hostStep(Step step, List<String> words) {
        if (step.role() == Step.Role.WORK)
            return null;
        if (step.role() != Step.Role.SOURCE)
            return images.containsAll(words) ? step : null;
        if (step.takesShown() && !isDeselected())
            return null;
        Object title = value(words.get(0));
        return title == null || title instanceof Double || !isFree(words.get(0), Registry.Kind.IMAGE_OUT)
            ? null
            : step.titled(title == CURRENT ? null : (String) title);
    }

    /**
     * True if the preceding text removes the selection or opens the file. Otherwise, the macro may process only a
     * selection, but the workbench would show the whole image.
     */
    private boolean isDeselected() {
        StringBuilder before = new StringBuilder();
        for (int i = statements.size() - 1; i >= 0 && statements.get(i) instanceof Statement.Text; i--)
            before.insert(0, statements.get(i).source());
        return Take.deselects(before.toString()) || OPENED.matcher(before).find();
    }

    /** True if a word can name a new image: a variable, or a name in quotation marks, that has not named one before. */
    private boolean isFree(String word, Registry.Kind kind) {
        boolean isName =
            WORD.matcher(word).matches() || kind == Registry.Kind.IMAGE_OUT && MacroText.read(word) != null;
        Object name = value(word);
        return isName && !assigned.contains(word) && !shared.contains(word) && !taken.contains(word)
            && (name == null || name == CURRENT || images.stream().noneMatch(image -> name.equals(value(image))));
    }

    private Object literalValue(Registry.Argument argument, String word) {
        Object value = value(word);
        if (argument.kind.isArray())
            return null;
        Class<?> type = argument.kind.isNumber() ? Double.class : String.class;
        return type.isInstance(value) ? value : null;
    }

    /** The known value of an expression; null if unknown. */
    private Object value(String word) {
        if (NUMBER.matcher(word).matches())
            return Double.valueOf(word);
        if (word.equals("true") || word.equals("false"))
            return word.equals("true") ? 1.0 : 0.0;
        if (word.matches("getTitle\\s*\\(\\s*\\)"))
            return CURRENT;
        String text = MacroText.read(word);
        return text != null ? text : known.get(word);
    }

    // ---- text that runs between steps

    private void noteAssignments(String code) {
        Matcher assignment = ASSIGNMENT.matcher(code.trim());
        boolean plain = assignment.matches() && value(assignment.group(2)) != null;
        String bare = Statements.bare(code, true);
        Matcher calls = ANY_CALL.matcher(bare);
        while (calls.find())
            noteCall(calls.group(1), arguments(bare.substring(calls.end())));
        assignedVariables(code).forEach(word -> forgetVariable(word, false));
        if (plain && !shared.contains(assignment.group(1)))
            known.put(assignment.group(1), value(assignment.group(2)));
    }

    /** A call inside text makes the values of its outputs unknown. An unknown call may change all its arguments. */
    private void noteCall(String name, List<String> words) {
        Registry.Command command = registry.command(name, words.size());
        if (command != null && command.operation.name.equals("clear"))
            new ArrayList<>(images).forEach(image -> forgetVariable(image, false));
        boolean frees =
            command != null && (command.operation.name.equals("release") || command.operation.name.equals("push"));
        for (int i = 0; i < words.size(); i++) {
            Registry.Argument argument = command == null ? null : command.arguments.get(i);
            if (argument == null || argument.kind == Registry.Kind.IMAGE_INOUT || argument.kind.isOutput()
                || argument.kind == Registry.Kind.IMAGES || frees)
                forgetVariable(words.get(i), true);
        }
    }

    /** The variables that a text visibly assigns, except through Ext calls. */
    private static Set<String> assignedVariables(String code) {
        String silent = Statements.bare(code, false);
        Set<String> words = arguments(SETTER, silent);
        for (Matcher changed = CHANGED.matcher(silent); changed.find();)
            words.add(changed.group(1));
        return words;
    }

    private static Set<String> arguments(Pattern call, String bare) {
        Set<String> words = new HashSet<>();
        for (Matcher calls = call.matcher(bare); calls.find();)
            words.addAll(arguments(bare.substring(calls.end())));
        return words;
    }

    /** The arguments of a call, from the text after its opening parenthesis. */
    private static List<String> arguments(String rest) {
        int depth = 1, end = 0;
        for (; end < rest.length() && depth > 0; end++)
            depth += rest.charAt(end) == '(' ? 1 : rest.charAt(end) == ')' ? -1 : 0;
        return Statements.arguments(rest.substring(0, Math.max(0, end - 1)));
    }

    private void forgetVariable(String word, boolean written) {
        images.remove(word);
        known.remove(word);
        if (written)
            taken.add(word);
    }
}
