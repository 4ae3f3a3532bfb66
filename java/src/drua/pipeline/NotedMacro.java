// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.Registry;
import java.util.ArrayList;
import java.util.List;

/**
 * Exports a pipeline as a macro for readers: a comment for each step, its numbers and texts as named variables above
 * the call, and a last call that frees all images. The workbench reads it back as the same steps.
 */
public final class NotedMacro {
    private final Pipeline pipeline;
    private final StringBuilder macro = new StringBuilder();

    private NotedMacro(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    public static String of(Pipeline pipeline) {
        NotedMacro made = new NotedMacro(pipeline);
        for (Statement statement : pipeline.statements()) {
            if (statement instanceof Step && ((Step) statement).role() == Step.Role.WORK)
                made.add((Step) statement);
            else
                made.addLines(statement.source());
        }
        boolean frees = pipeline.steps(Step.Role.FREE).stream().anyMatch(step -> step.inputs().isEmpty());
        if (!frees)
            made.addLines("Ext." + pipeline.prefix() + "_clear();\n");
        return made.macro.toString();
    }

    private void addLines(String source) {
        if (macro.length() > 0 && macro.charAt(macro.length() - 1) != '\n')
            macro.append('\n');
        macro.append(source);
    }

    private void add(Step step) {
        addLines("\n// " + ExportNotes.of(step) + "\n");
        if (!step.on || ImageJCommand.is(step)) {
            macro.append(step.source());
            return;
        }
        List<String> words = new ArrayList<>();
        for (int i = 0; i < step.values.size(); i++) {
            Registry.Argument argument = step.command.arguments.get(i);
            String word = step.word(i);
            if (!argument.kind.isImage() && !argument.kind.isOutput()) {
                String name = freeName(argument.name);
                macro.append(name).append(" = ").append(word).append(";\n");
                word = name;
            }
            words.add(word);
        }
        macro.append("Ext.").append(step.command.name).append('(').append(String.join(", ", words)).append(");\n");
    }

    /** The word with a number: no variable of the macro so far, and no function of ImageJ. */
    private String freeName(String word) {
        String before = macro.toString() + pipeline.macro();
        int number = 1;
        while (before.matches("(?s).*\\b" + word + number + "\\b.*"))
            number++;
        return word + number;
    }
}
