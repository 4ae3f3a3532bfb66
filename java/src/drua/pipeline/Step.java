// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Quote;
import drua.engine.Registry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * One call of a command. Images are represented by the macro's variables. Immutable; a changed step is a new object
 * with the same id.
 */
public final class Step extends Statement {
    /** The role of a step: a source image, an operation, a window that the macro opens, or freeing an image. */
    public enum Role { SOURCE, WORK, SHOW, FREE }

    private static final AtomicInteger IDS = new AtomicInteger();

    public final int id;
    public final Registry.Command command;
    /** One value for each argument: a variable for images and outputs, a Double for numbers, else a text. */
    public final List<Object> values;
    public final boolean on;
    /** For a source: the window's title, or null for the image that is current when the macro runs. */
    public final String title;
    /** The text after the call. */
    private final String tail;
    /** The original text of an unchanged step that was read from a macro; else null. */
    private final String raw;

    private Step(int id, Registry.Command command, List<?> values, boolean on, String title, String tail, String raw) {
        this.id = id;
        this.command = command;
        this.values = Collections.unmodifiableList(new ArrayList<>(values));
        this.on = on;
        this.title = title;
        this.tail = tail;
        this.raw = raw;
    }

    /** A new step. */
    public static Step of(Registry.Command command, List<?> values) {
        return new Step(IDS.incrementAndGet(), command, values, true, null, "\n", null);
    }

    public Step titled(String newTitle) {
        return new Step(id, command, values, on, newTitle, tail, raw);
    }

    public Step with(int argument, Object value) {
        List<Object> changed = new ArrayList<>(values);
        changed.set(argument, value);
        Step made = new Step(id, command, changed, on, title, tail, null);
        return new Step(id, command, changed, on, title, tail, replaceArgument(argument, made.word(argument)));
    }

    public Step with(Registry.Command newCommand, List<?> newValues) {
        boolean isRenamed = raw != null && isPlain() && newValues.equals(values)
            && newCommand.arguments.size() == command.arguments.size();
        return new Step(id, newCommand, newValues, on, title, tail,
            isRenamed ? raw.replaceFirst("\\b" + command.name + "\\b", newCommand.name) : null);
    }

    /** True if the text of the step is a call alone, without the copy of a step that is off. */
    private boolean isPlain() {
        return on && !ImageJCommand.is(this);
    }

    /** The text of the macro with another argument, so that the other arguments keep their variables; or null. */
    private String replaceArgument(int argument, String word) {
        int open = raw == null || !isPlain() ? -1 : raw.indexOf('(');
        List<int[]> places = open < 0 ? Collections.emptyList() : Statements.places(raw, open + 1);
        if (places.size() != values.size())
            return null;
        int[] place = places.get(argument);
        return raw.substring(0, place[0]) + word + raw.substring(place[1]);
    }

    public Step switched(boolean newOn) {
        return newOn == on ? this : new Step(id, command, values, newOn, title, tail, null);
    }

    /** A copy of this step that keeps the text that it has in the macro. */
    public Step asRead(String source, String tail, boolean isOn) {
        return new Step(id, command, values, isOn, title, tail, source);
    }

    /** A copy whose text is generated again from its values, with numbers in place of the macro's variables. */
    public Step afresh() {
        return raw == null ? this : new Step(id, command, values, on, title, tail, null);
    }

    /** A copy that reads the image `to` instead of `from`. */
    public Step rewired(String from, String to) {
        Step step = this;
        for (int i = 0; i < values.size(); i++) {
            if (kind(i) == Registry.Kind.IMAGE_IN && values.get(i).equals(from)
                || role() != Role.WORK && values.get(i).equals(from))
                step = step.with(i, to);
        }
        return step;
    }

    public Role role() {
        switch (command.operation.name) {
        case "push":
        case "push_current_z_stack":
            return Role.SOURCE;
        case "pull":
        case "pull_binary":
            return Role.SHOW;
        case "release":
        case "clear":
            return Role.FREE;
        default:
            return Role.WORK;
        }
    }

    /** True for a source that takes the slices of the displayed channel and frame. */
    public boolean takesShown() {
        return command.operation.name.equals("push_current_z_stack");
    }

    /** True for sources and operations, which users see as steps. */
    public boolean isSeen() {
        return role() == Role.SOURCE || role() == Role.WORK;
    }

    private Registry.Kind kind(int argument) {
        return command.arguments.get(argument).kind;
    }

    /** The parameter of an argument; null for an argument that is ignored. */
    public Registry.Parameter parameter(int argument) {
        return command.operation.parameter(command.arguments.get(argument).name);
    }

    /** The input images, in the order of the arguments. */
    public List<String> inputs() {
        return role() == Role.WORK  ? variables(kind -> kind == Registry.Kind.IMAGE_IN)
            : role() == Role.SOURCE ? Collections.emptyList()
                                    : variables(kind -> true);
    }

    /** The output images. */
    public List<String> images() {
        return role() == Role.WORK  ? variables(kind -> kind == Registry.Kind.IMAGE_OUT)
            : role() == Role.SOURCE ? variables(kind -> true)
                                    : Collections.emptyList();
    }

    /** The variables that the step sets: images and others. */
    public List<String> outputs() {
        return role() == Role.WORK ? variables(Registry.Kind::isOutput) : images();
    }

    private List<String> variables(Predicate<Registry.Kind> wanted) {
        List<String> variables = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            if (wanted.test(kind(i)))
                variables.add((String) values.get(i));
        }
        return variables;
    }

    /** The image that passes through the step when it is off: its first input. Null if it cannot pass an image. */
    public String passed() {
        return images().size() == 1 && !inputs().isEmpty() ? inputs().get(0) : null;
    }

    public String prefix() {
        return command.name.substring(0, command.name.indexOf('_'));
    }

    @Override
    public String source() {
        if (raw != null)
            return raw;
        String call = call();
        return (on ? call
                       : passed() == null
                       ? "// " + call
                       : "Ext." + prefix() + "_copy(" + passed() + ", " + images().get(0) + "); // " + call)
            + tail;
    }

    private String call() {
        if (ImageJCommand.is(this))
            return ImageJCommand.call(prefix(), values, on ? "\n" : " ");
        List<String> words = new ArrayList<>();
        for (int i = 0; i < values.size(); i++)
            words.add(word(i));
        return "Ext." + command.name + "(" + String.join(", ", words) + ");";
    }

    /** An argument as the macro writes it. */
    String word(int argument) {
        Object value = values.get(argument);
        if (value instanceof Double)
            return kind(argument) == Registry.Kind.BOOLEAN && ((Double) value == 0 || (Double) value == 1)
                ? String.valueOf((Double) value == 1)
                : number((Double) value);
        return kind(argument).isImage() || kind(argument).isOutput() || role() != Role.WORK
            ? (String) value
            : Quote.macro((String) value);
    }

    /** Formats a number without an exponent, with the digits that a macro reads exactly; see {@link #exact}. */
    public static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
            ? String.valueOf((long) value)
            : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** The nearest number with 12 digits, which macros read without an error. */
    public static double exact(double value) {
        return value == 0 || Double.isNaN(value) || Double.isInfinite(value)
            ? 0
            : new BigDecimal(value)
                  .round(new java.math.MathContext(12))
                  .setScale(Math.min(20, Math.max(0, 12 - (int) Math.floor(Math.log10(Math.abs(value))))),
                      java.math.RoundingMode.HALF_EVEN)
                  .doubleValue();
    }

    /** The name of a step that is not a source. */
    public String name() {
        return ImageJCommand.is(this) ? "ImageJ: " + values.get(ImageJCommand.NAME) : command.operation.title();
    }

    /** True if two steps look the same in the macro; ids may differ. */
    @Override
    public boolean equals(Object object) {
        if (!(object instanceof Step))
            return false;
        Step other = (Step) object;
        return command == other.command && values.equals(other.values) && on == other.on
            && Objects.equals(title, other.title);
    }

    @Override
    public int hashCode() {
        return Objects.hash(command.name, values, on, title);
    }
}
