// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.NativeLibrary;
import java.time.LocalDate;

/** The sentences that exported programs contain as comments. */
public final class ExportNotes {
    private ExportNotes() {}

    /** The first line of each exported program: version and date. */
    public static String header() {
        return "Pipeline from the workbench of Drua " + NativeLibrary.version() + ", " + LocalDate.now();
    }

    /** Title and summary of a step's operation. */
    static String of(Step step) {
        String state = step.on ? "" : " (switched off)";
        return ImageJCommand.is(step) ? step.name().replaceAll("\\s+", " ") + state
                                      : step.name() + state + ": " + step.command.operation.summary;
    }
}
