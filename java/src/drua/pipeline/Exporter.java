// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;

/** Writes the steps of a pipeline, one after the other, in another language. A subclass writes each kind of step. */
abstract class Exporter {
    /** Fails if the macro has parts that are not steps, because they have no meaning in another language. */
    final void addAll(Pipeline pipeline) {
        for (Statement statement : pipeline.statements()) {
            if (statement instanceof Step)
                add((Step) statement);
            else
                Statements.requirePlain(statement.source());
        }
    }

    private void add(Step step) {
        switch (step.role()) {
        case SOURCE:
            addSource(step);
            break;
        case SHOW:
            Statements.requirePull(step);
            addResult(step.inputs().get(0));
            break;
        case FREE:
            break;
        default:
            addWork(step);
        }
    }

    private void addWork(Step step) {
        if (!step.on && step.passed() == null)
            return;
        addNote(ExportNotes.of(step));
        if (step.on) {
            ImageJCommand.refuse(step);
            addCall(step);
        } else {
            addPassed(step.images().get(0), step.passed());
        }
    }

    /** Writes the line that takes an image from ImageJ or from a file. */
    abstract void addSource(Step step);

    /** Writes the line that shows or saves an image. image: its variable in the macro. */
    abstract void addResult(String image);

    /** Writes a comment above a step. */
    abstract void addNote(String note);

    abstract void addCall(Step step);

    /** Writes a step that is off, which passes the image `from` on under the name `image`. */
    abstract void addPassed(String image, String from);

    /** Fails for a source that takes the displayed channel, which a file does not have. program: "a C program". */
    static void refuseShown(Step source, String program) {
        if (source.takesShown())
            throw new EngineException(program + " reads files, in which no channel is displayed; copy one channel "
                + "with Image>Duplicate..., choose the copy as the image, and export again");
    }

    /** A number literal for all languages. A whole number of more than nine digits gets a decimal point. */
    static String number(double value) {
        String number = Step.number(value);
        return number.contains(".") || number.length() < 10 ? number : number + ".0";
    }
}
