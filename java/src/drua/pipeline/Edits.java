// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Quote;
import drua.engine.Registry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Changes of a pipeline. Each method returns a new pipeline, or fails with an error message that gives the reason. */
public final class Edits {
    private Edits() {}

    /**
     * Adds a source for an open image with that title, after the last source. In the returned pipeline the new step is
     * the last source.
     */
    public static Pipeline addSource(Registry registry, Pipeline pipeline, String title) {
        List<Statement> statements = new ArrayList<>(pipeline.statements());
        List<Step> sources = pipeline.steps(Step.Role.SOURCE);
        String name = pipeline.freeName("image");
        int at = sources.isEmpty() ? beforeEnd(statements)
                                   : Pipeline.indexOf(statements, sources.get(sources.size() - 1)) + 1;
        statements.add(at, new Statement.Text(name + " = " + Quote.macro(title) + ";\n"));
        statements.add(at + 1,
            Step.of(registry.commands.get(pipeline.prefix() + "_push"), Collections.singletonList(name)).titled(title));
        return Pipeline.of(statements);
    }

    private static int beforeEnd(List<Statement> statements) {
        int end = statements.size();
        return end > 0 && statements.get(end - 1) instanceof Step
                && ((Step) statements.get(end - 1)).role() == Step.Role.FREE
            ? end - 1
            : end;
    }

    /**
     * Makes a new step that reads the image of step `previous`. Its other input images are the nearest suitable ones of
     * earlier steps.
     */
    public static Step made(Pipeline pipeline, Step previous, Registry.Command command) {
        List<Object> values = new ArrayList<>();
        List<String> before = pipeline.imagesBefore(previous), taken = new ArrayList<>(), read = new ArrayList<>();
        String first = previous.images().isEmpty() ? previous.inputs().isEmpty() ? null : previous.inputs().get(0)
                                                   : previous.images().get(0);
        before.addAll(previous.images());
        for (int i = 0; i < command.arguments.size(); i++) {
            Registry.Argument argument = command.arguments.get(i);
            Registry.Parameter p = command.operation.parameter(argument.name);
            if (argument.kind == Registry.Kind.IMAGE_IN) {
                if (before.isEmpty() || first == null)
                    throw new EngineException(command.name + ": no earlier step makes an image that it can read; add "
                        + "an image or another step first");
                boolean isOther = Kinds.measuresLabels(command.operation) && p != null
                    && Kinds.wanted(p) == Kinds.Kind.GREY && ImageKinds.of(pipeline, first) == Kinds.Kind.LABELS;
                read.add(
                    ImageKinds.source(pipeline, p, first, before, isOther ? Collections.singletonList(first) : read));
                values.add(read.get(read.size() - 1));
            } else if (argument.kind.isOutput()) {
                values.add(freeName(pipeline,
                    argument.kind == Registry.Kind.IMAGE_OUT ? command.operation.camelCase() : argument.name, taken));
            } else {
                values.add(preset(argument, p));
            }
        }
        return Step.of(command, values);
    }

    private static String freeName(Pipeline pipeline, String word, List<String> taken) {
        String name = pipeline.freeName(word);
        for (int n = 2; taken.contains(name); n++)
            name = pipeline.freeName(word + "_" + n + "_");
        taken.add(name);
        return name;
    }

    private static Object preset(Registry.Argument argument, Registry.Parameter p) {
        Object example = p == null        ? null
            : p.example instanceof String ? MacroText.unescaped((String) p.example)
                                          : p.example;
        Object preset = p == null || p.defaultValue == null ? example : p.defaultValue;
        if (argument.kind.isNumber())
            return preset instanceof Double                              ? preset
                : p == null || p.min == null || p.min <= 0 && p.max >= 0 ? 0.0
                                                                         : p.min;
        return preset instanceof String ? preset : p == null || p.choices.isEmpty() ? "" : p.choices.get(0);
    }

    /**
     * Adds a step from {@link #made} after another step. between: later steps that read the image of `previous` read
     * the new step's image instead.
     */
    public static Pipeline add(Pipeline pipeline, Step previous, Step step, boolean between) {
        List<Statement> statements = new ArrayList<>(pipeline.statements());
        if (between && (previous.images().size() != 1 || step.images().size() != 1))
            throw new EngineException(step.command.operation.title()
                + " cannot be inserted, because this step or the selected one does not make exactly one image; "
                + "add it as a branch");
        if (between)
            statements.replaceAll(
                s -> isWorkStep(s) ? ((Step) s).rewired(previous.images().get(0), step.images().get(0)) : s);
        int at = Pipeline.indexOf(statements, previous) + 1;
        while (at < statements.size() && statements.get(at) instanceof Step
            && ((Step) statements.get(at)).role() == Step.Role.SHOW)
            at++;
        statements.add(at, step);
        return Pipeline.of(statements);
    }

    private static boolean isWorkStep(Statement statement) {
        return statement instanceof Step && ((Step) statement).role() == Step.Role.WORK;
    }

    /** Adds a copy of a step after it, with the same images. */
    public static Pipeline duplicate(Pipeline pipeline, Step step) {
        requireWork(step, "duplicated");
        Step copy = Step.of(step.command, step.values);
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < copy.values.size(); i++) {
            if (copy.command.arguments.get(i).kind.isOutput())
                copy = copy.with(i, freeName(pipeline, step.command.operation.camelCase(), taken));
        }
        return add(pipeline, step, copy.switched(step.on), false);
    }

    private static void requireWork(Step step, String what) {
        if (step.role() != Step.Role.WORK)
            throw new EngineException("a source image cannot be " + what + "; select a step that processes it");
    }

    /** Switches a step on or off. A step that is off passes its first image through. */
    public static Pipeline switched(Pipeline pipeline, Step step, boolean on) {
        requireWork(step, "switched off");
        List<Step> users = pipeline.users(step);
        if (!on && step.passed() == null && !users.isEmpty())
            throw new EngineException(step.command.operation.title() + " cannot be switched off: "
                + users.get(0).command.operation.title() + " reads its image, and this step has no input image to "
                + "pass on");
        if (!on && step.passed() == null && pipeline.isShown(step))
            throw new EngineException(step.command.operation.title()
                + " cannot be switched off while the macro shows its image; switch "
                + "Result off first");
        return replaceStep(pipeline, step.switched(on));
    }

    private static Pipeline replaceStep(Pipeline pipeline, Step step) {
        return Pipeline.of(pipeline.statements()
                               .stream()
                               .map(s -> s instanceof Step && ((Step) s).id == step.id ? step : s)
                               .collect(Collectors.toList()));
    }

    /** Sets an argument to a number, a text, or an image that an earlier step makes. */
    public static Pipeline value(Pipeline pipeline, Step step, int argument, Object value) {
        boolean isImage = step.command.arguments.get(argument).kind == Registry.Kind.IMAGE_IN;
        if (isImage && !pipeline.imagesBefore(step).contains(value))
            throw new EngineException(
                step.command.operation.title() + " cannot read " + value + ", because a later step makes it");
        return replaceStep(pipeline, step.with(argument, value instanceof Double ? Step.exact((Double) value) : value));
    }

    /** Sets the number of frames of each step that tracks objects. */
    static Pipeline frames(Pipeline pipeline, int frames) {
        Pipeline changed = pipeline;
        for (Step step : pipeline.steps(Step.Role.WORK)) {
            for (int i = 0; i < step.values.size(); i++) {
                if (step.command.arguments.get(i).name.equals("frames"))
                    changed = replaceStep(changed, step.with(i, (double) frames));
            }
        }
        return changed;
    }

    /** Changes a source to the open image with another title. */
    public static Pipeline title(Pipeline pipeline, Step source, String title) {
        List<Statement> statements = new ArrayList<>(pipeline.statements());
        String name = source.images().get(0), written = title == null ? "getTitle()" : Quote.macro(title);
        for (int i = Pipeline.indexOf(statements, source) - 1; i >= 0; i--) {
            String changed = statements.get(i) instanceof Statement.Text
                ? withTitle(statements.get(i).source(), name, written)
                : null;
            if (changed == null)
                continue;
            statements.set(i, new Statement.Text(changed));
            return replaceStep(Pipeline.of(statements), source.titled(title));
        }
        throw new EngineException(
            "the image's title is not a literal string in the macro, so you cannot change it here; edit the macro");
    }

    /** The code with another title in the last assignment to a variable; null without such an assignment. */
    private static String withTitle(String code, String variable, String title) {
        Pattern naming = Pattern.compile("(?s)(\\s*(?:var\\s+)?" + Pattern.quote(variable) + "\\s*=)(.*?)(\\s*;)");
        String changed = null, before = "";
        for (Statements.Piece piece : Statements.of(code)) {
            Matcher found = naming.matcher(piece.code);
            if (found.matches()
                && (MacroText.read(found.group(2)) != null || found.group(2).matches("\\s*getTitle\\s*\\(\\s*\\)")))
                changed = before + found.group(1) + " " + title + found.group(3) + piece.tail;
            else if (changed != null)
                changed += piece.code + piece.tail;
            before += piece.code + piece.tail;
        }
        return changed;
    }

    /** Sets whether the macro shows the step's images in windows. */
    public static Pipeline shown(Registry registry, Pipeline pipeline, Step step, boolean shown) {
        if (pipeline.isShown(step) == shown)
            return pipeline;
        if (step.images().isEmpty() || !step.on && step.passed() == null)
            throw new EngineException(step.command.operation.title() + " makes no image, so there is nothing to show"
                + "; select a step that makes one");
        List<Statement> statements = new ArrayList<>(pipeline.statements());
        statements.removeIf(s
            -> s instanceof Step && ((Step) s).role() == Step.Role.SHOW
                && step.images().contains(((Step) s).inputs().get(0)));
        int at = Pipeline.indexOf(statements, step) + 1;
        for (int i = 0; shown && i < step.images().size(); i++)
            statements.add(at + i,
                Step.of(
                    registry.commands.get(step.prefix() + "_pull"), Collections.singletonList(step.images().get(i))));
        return Pipeline.of(statements);
    }

    /** Returns the pipeline if it shows an image or measures; else a copy that shows the image of its last step. */
    public static Pipeline withResult(Registry registry, Pipeline pipeline) {
        List<Step> work = pipeline.steps(Step.Role.WORK);
        if (!pipeline.steps(Step.Role.SHOW).isEmpty() || work.stream().anyMatch(Edits::makesTable))
            return pipeline;
        for (int i = work.size() - 1; i >= 0; i--) {
            Step step = work.get(i);
            if (!step.images().isEmpty() && (step.on || step.passed() != null))
                return shown(registry, pipeline, step, true);
        }
        throw new EngineException("the pipeline would save nothing; add a step that makes an image or measures");
    }

    private static boolean makesTable(Step step) {
        return step.command.operation.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.TABLE_OUT);
    }

    /** Deletes a step; steps that read its image read its input image instead. */
    public static Pipeline delete(Pipeline pipeline, Step step) {
        List<Step> users = pipeline.users(step);
        if (!users.isEmpty() && step.passed() == null)
            throw new EngineException((step.role() == Step.Role.SOURCE ? "this image" : step.command.operation.title())
                + " cannot be deleted: " + users.get(0).command.operation.title()
                + " reads its image; delete that step first");
        List<Statement> statements = new ArrayList<>(pipeline.statements());
        statements.removeIf(s
            -> s instanceof Step
                && (((Step) s).id == step.id
                    || !((Step) s).isSeen() && ((Step) s).inputs().stream().anyMatch(step.images()::contains)));
        statements.replaceAll(
            s -> isWorkStep(s) && !users.isEmpty() ? ((Step) s).rewired(step.images().get(0), step.passed()) : s);
        return Pipeline.of(statements);
    }

    /**
     * Replaces the operation of a step. Keeps its images, and the numbers and texts of parameters with the same names.
     */
    public static Pipeline replace(Pipeline pipeline, Step step, Registry.Command command) {
        requireWork(step, "replaced");
        Step previous = step.inputs().isEmpty() ? null : pipeline.maker(step.inputs().get(0));
        if (previous == null)
            throw new EngineException(step.command.operation.title()
                + " reads no image, so it cannot be replaced; delete it and add another step");
        Step made = made(pipeline, previous, command);
        List<String> inputs = new ArrayList<>(step.inputs()), images = new ArrayList<>(step.images());
        for (int i = 0; i < made.values.size(); i++) {
            Registry.Argument argument = command.arguments.get(i);
            int old = argument(step.command, argument);
            if (argument.kind == Registry.Kind.IMAGE_IN && !inputs.isEmpty())
                made = made.with(i, inputs.remove(0));
            else if (argument.kind == Registry.Kind.IMAGE_OUT && !images.isEmpty())
                made = made.with(i, images.remove(0));
            else if (!argument.kind.isImage() && !argument.kind.isOutput() && old >= 0)
                made = made.with(i, step.values.get(old));
        }
        if (!images.isEmpty() && (!pipeline.users(step).isEmpty() || pipeline.isShown(step)))
            throw new EngineException(command.operation.title() + " makes no image, but later steps read the image of "
                + step.command.operation.title() + "; delete those steps first");
        return replaceStep(pipeline, step.with(command, made.values).switched(true));
    }

    private static int argument(Registry.Command command, Registry.Argument like) {
        for (int i = 0; i < command.arguments.size(); i++) {
            if (command.arguments.get(i).name.equals(like.name) && command.arguments.get(i).kind == like.kind)
                return i;
        }
        return -1;
    }

    /** Moves a step one place up or down. Two consecutive steps of a chain also swap their places in the chain. */
    public static Pipeline move(Pipeline pipeline, Step step, boolean up) {
        requireWork(step, "moved");
        List<Step> steps = pipeline.steps(Step.Role.WORK);
        int at = steps.stream().map(s -> s.id).collect(Collectors.toList()).indexOf(step.id),
            with = up ? at - 1 : at + 1;
        if (with < 0 || with >= steps.size())
            throw new EngineException(
                step.command.operation.title() + " is already the " + (up ? "first" : "last") + " step");
        return exchangeSteps(pipeline, steps.get(Math.min(at, with)), steps.get(Math.max(at, with)));
    }

    private static Pipeline exchangeSteps(Pipeline pipeline, Step first, Step second) {
        boolean chained = second.inputs().stream().anyMatch(first.images()::contains);
        boolean isPossible = !chained
            || first.passed() != null && second.passed() != null && second.passed().equals(first.images().get(0))
                && second.inputs().stream().filter(first.images()::contains).count() == 1;
        List<Statement> statements = new ArrayList<>(pipeline.statements());
        Step early = second.afresh(), late = first.afresh();
        if (chained && isPossible) {
            String between = first.images().get(0), end = second.images().get(0);
            early = withFirstImage(second, first.passed());
            late = withFirstImage(first, end);
            statements.replaceAll(s -> isWorkStep(s) ? ((Step) s).rewired(end, between) : s);
        }
        if (!isPossible || !pipeline.imagesBefore(first).containsAll(early.inputs()))
            throw new EngineException(first.command.operation.title() + " and " + second.command.operation.title()
                + " cannot swap places, because the lower step also reads an image that does not exist before the "
                + "upper step");
        statements.remove(Pipeline.indexOf(statements, second));
        int at = Pipeline.indexOf(statements, first);
        statements.set(at, early);
        statements.add(at + 1, late);
        return Pipeline.of(statements);
    }

    private static Step withFirstImage(Step step, String image) {
        for (int i = 0; i < step.values.size(); i++) {
            if (step.command.arguments.get(i).kind == Registry.Kind.IMAGE_IN)
                return step.with(i, image);
        }
        return step;
    }
}
