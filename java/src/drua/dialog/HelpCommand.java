// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import ij.IJ;
import ij.plugin.PlugIn;
import ij.text.TextWindow;
import java.awt.GraphicsEnvironment;

/** Plugins>Drua>Drua Help: all commands with what they do; in the Log where there is no window. */
public final class HelpCommand implements PlugIn {
    @Override
    public void run(String arg) {
        StringBuilder rows = new StringBuilder();
        try {
            NativeLibrary.load();
            for (Registry.Command command : Registry.get().commands.values())
                rows.append(command.signature()).append('\t').append(command.operation.category).append('\t')
                    .append(command.operation.summary).append('\n');
        } catch (EngineException e) {
            IJ.error("Drua", e.getMessage());
            return;
        }
        if (GraphicsEnvironment.isHeadless())
            IJ.log(rows.toString());
        else
            new TextWindow("Drua Help", "Command\tCategory\tWhat it does", rows.toString(), 900, 600);
    }
}
