// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Quote;
import drua.engine.Registry;
import ij.IJ;
import ij.plugin.frame.Editor;
import java.awt.Toolkit;
import java.awt.datatransfer.StringSelection;
import java.util.stream.Collectors;

/** A macro line that calls an operation with its defaults, for the macro that the user is writing. */
final class MacroLine {
    private MacroLine() {}

    /** The call, with image names for images; "" if the operation has no command. */
    static String of(Registry.Operation operation) {
        Registry.Command command = Registry.get().command(operation, "Drua");
        return command == null ? ""
                               : "Ext." + command.name
                + command.arguments.stream()
                      .map(argument -> passedValue(operation, argument))
                      .collect(Collectors.joining(", ", "(", ");"));
    }

    private static String passedValue(Registry.Operation operation, Registry.Argument argument) {
        Registry.Parameter p = operation.parameter(argument.name);
        Object preset = p == null || argument.kind.isImage() || argument.output ? null : p.defaultValue;
        return preset instanceof Double ? Registry.number((Double) preset)
            : preset instanceof String  ? Quote.macro((String) preset)
                                        : argument.name;
    }

    /** Inserts the line at the cursor of ImageJ's editor, or copies it to the clipboard if no editor is open. */
    static void insert(Registry.Operation operation) {
        String line = of(operation) + "\n";
        Editor editor = Editor.getInstance();
        if (editor != null) {
            editor.getTextArea().insert(line, editor.getTextArea().getCaretPosition());
            editor.toFront();
            return;
        }
        Toolkit.getDefaultToolkit().getSystemClipboard().setContents(new StringSelection(line), null);
        IJ.showStatus("copied: " + line.trim());
    }
}
