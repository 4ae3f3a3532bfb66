// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A macro as a list of steps in the order in which they run, with the text between them. Steps are connected by the
 * variables that name images; each variable is set by one step. Immutable; see {@link Edits} for changes.
 */
public final class Pipeline {
    private final List<Statement> statements;

    private Pipeline(List<Statement> statements) {
        this.statements = Collections.unmodifiableList(statements);
    }

    /**
     * Joins adjacent pieces of text. If an image is used after the call that frees it, moves this call to the place
     * after the last use.
     */
    public static Pipeline of(List<Statement> statements) {
        List<Statement> joined = new ArrayList<>();
        for (Statement statement : freedLast(statements)) {
            int last = joined.size() - 1;
            if (statement instanceof Statement.Text && last >= 0 && joined.get(last) instanceof Statement.Text)
                joined.set(last, new Statement.Text(joined.get(last).source() + statement.source()));
            else
                joined.add(statement);
        }
        return new Pipeline(joined);
    }

    /**
     * A pipeline whose source is the current image when its macro runs. prefix: prefix of its commands, such as
     * "CLIJ2". shown: take only the displayed channel and frame; otherwise, as with push, the channels or frames of an
     * image with one slice become the slices of a volume.
     */
    static Pipeline start(Registry registry, String prefix, boolean shown) {
        Pipeline pipeline = start(registry, prefix);
        return shown ? TakenPlanes.take(Take.SHOWN, registry, pipeline, pipeline.steps(Step.Role.SOURCE).get(0))
                     : pipeline;
    }

    /** A pipeline whose source is the current image, as the command push takes it. prefix: prefix of its commands. */
    public static Pipeline start(Registry registry, String prefix) {
        List<Statement> statements = new ArrayList<>();
        statements.add(
            new Statement.Text("run(\"" + prefix + " Macro Extensions\", \"cl_device=\");\nimage1 = getTitle();\n"));
        statements.add(Step.of(registry.commands.get(prefix + "_push"), Collections.singletonList("image1")));
        statements.add(Step.of(registry.commands.get(prefix + "_clear"), Collections.emptyList()));
        return of(statements);
    }

    // ---- content

    public List<Statement> statements() {
        return statements;
    }

    /** All calls with that role. */
    public List<Step> steps(Step.Role role) {
        return steps().stream().filter(step -> step.role() == role).collect(Collectors.toList());
    }

    private List<Step> steps() {
        return statements.stream().filter(Step.class ::isInstance).map(Step.class ::cast).collect(Collectors.toList());
    }

    /** The steps that users see. */
    public List<Step> seen() {
        return steps().stream().filter(Step::isSeen).collect(Collectors.toList());
    }

    /** The current step with that id; null if it no longer exists. */
    public Step step(int id) {
        return steps().stream().filter(step -> step.id == id).findFirst().orElse(null);
    }

    /** The step that makes an image, or null. */
    public Step maker(String image) {
        return steps().stream().filter(step -> step.isSeen() && step.images().contains(image)).findFirst().orElse(null);
    }

    /** The steps that read an image of a step. */
    public List<Step> users(Step step) {
        return steps()
            .stream()
            .filter(
                other -> other.role() == Step.Role.WORK && other.inputs().stream().anyMatch(step.images()::contains))
            .collect(Collectors.toList());
    }

    /** True if the macro shows the step's images in windows. */
    public boolean isShown(Step step) {
        return steps(Step.Role.SHOW).stream().anyMatch(show -> step.images().contains(show.inputs().get(0)));
    }

    /** The images that earlier steps make, in order; a step may read these. */
    public List<String> imagesBefore(Step step) {
        List<String> images = new ArrayList<>();
        for (Step other : steps()) {
            if (other.id == step.id)
                break;
            images.addAll(other.isSeen() ? other.images() : Collections.emptyList());
        }
        return images;
    }

    /** The prefix of the first step's command; "Drua" without steps. */
    public String prefix() {
        return steps().stream().findFirst().map(Step::prefix).orElse("Drua");
    }

    /**
     * True if the macro contains the start command of CLIJ or CLIJ2. Result windows then get no scale and no colours,
     * as in CLIJ2.
     */
    public boolean isCompatible() {
        return text(statements).matches("(?s).*\\brun\\s*\\(\\s*\"CLIJ2? Macro Extensions\".*");
    }

    /** A new variable: the word with a number. */
    public String freeName(String word) {
        Set<String> words = new LinkedHashSet<>(Arrays.asList(text(statements).split("\\W+")));
        int number = 1;
        while (words.contains(word + number))
            number++;
        return word + number;
    }

    // ---- as a macro

    /** The pipeline as a macro. */
    public String macro() {
        return text(statements);
    }

    /** A copy of this pipeline in which the text of each step is generated again from its values. */
    public Pipeline afresh() {
        return of(
            statements.stream().map(s -> s instanceof Step ? ((Step) s).afresh() : s).collect(Collectors.toList()));
    }

    private static String text(List<Statement> statements) {
        StringBuilder text = new StringBuilder();
        for (Statement statement : statements) {
            String source = statement.source();
            boolean begins = text.length() > 0 && text.charAt(text.length() - 1) != '\n' && statement instanceof Step
                && ((Step) statement).afresh() == statement;
            text.append(begins ? "\n" : "").append(source);
        }
        return text.toString();
    }

    /** A copy with commands of another prefix, "Drua" or "CLIJ2"; fails if a step cannot be written with it. */
    public Pipeline withPrefix(Registry registry, String prefix) {
        List<Statement> others = new ArrayList<>();
        for (Statement statement : statements) {
            others.add(statement instanceof Step
                    ? renamed(registry, (Step) statement, prefix)
                    : new Statement.Text(Pattern.compile("(\\brun\\s*\\(\\s*\")(Drua|CLIJ[2x]?)( Macro Extensions\")")
                                             .matcher(statement.source())
                                             .replaceAll("$1" + prefix + "$3")));
        }
        return of(others);
    }

    private static Step renamed(Registry registry, Step step, String prefix) {
        if (ImageJCommand.is(step))
            return step.prefix().equals(prefix) ? step : step.with(ImageJCommand.of(prefix), step.values);
        String name = prefix + step.command.name.substring(step.command.name.indexOf('_'));
        Registry.Command other = registry.commands.get(name);
        boolean isThere = !prefix.equals("CLIJ2") || !step.isSeen() || step.role() == Step.Role.SOURCE
            || other != null && Catalogue.get().isClij2(other);
        boolean same = isThere && other != null && other.operation == step.command.operation
            && names(other).equals(names(step.command))
            && (!step.prefix().equals("CLIJ") || prefix.equals("CLIJ")
                || step.values.stream().noneMatch(v -> v instanceof String && ((String) v).startsWith("\"")));
        if (!same)
            throw new EngineException("there is no command " + name + " with the arguments of the step "
                + step.command.name + "; keep the macro's present commands");
        return other == step.command ? step : step.with(other, step.values);
    }

    private static List<String> names(Registry.Command command) {
        return command.arguments.stream().map(argument -> argument.name).collect(Collectors.toList());
    }

    /** Moves each call that frees an image before its last use to the place after that use. */
    private static List<Statement> freedLast(List<Statement> statements) {
        List<Statement> settled = new ArrayList<>(statements);
        for (Statement statement : statements) {
            if (!(statement instanceof Step) || ((Step) statement).role() != Step.Role.FREE)
                continue;
            int at = indexOf(settled, (Step) statement), last = lastUse(settled, at, (Step) statement);
            if (last > at) {
                settled.remove(at);
                settled.add(last, ((Step) statement).afresh());
            }
        }
        return settled;
    }

    static int indexOf(List<Statement> statements, Step step) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Step && ((Step) statements.get(i)).id == step.id)
                return i;
        }
        return -1;
    }

    private static int lastUse(List<Statement> statements, int at, Step frees) {
        Set<String> freed = new LinkedHashSet<>(frees.inputs());
        for (int i = 0; i < at && frees.inputs().isEmpty(); i++) {
            if (statements.get(i) instanceof Step)
                freed.addAll(((Step) statements.get(i)).images());
        }
        int last = at;
        for (int i = at + 1; i < statements.size(); i++) {
            Step step = statements.get(i) instanceof Step ? (Step) statements.get(i) : null;
            if (step != null && step.role() != Step.Role.FREE && step.inputs().stream().anyMatch(freed::contains))
                last = i;
        }
        return last;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pipeline && statements.equals(((Pipeline) other).statements);
    }

    @Override
    public int hashCode() {
        return statements.hashCode();
    }
}
