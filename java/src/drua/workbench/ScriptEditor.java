// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.EngineException;
import ij.IJ;
import org.scijava.Context;
import org.scijava.ui.swing.script.TextEditor;

/** Opens programs in Fiji's Script Editor, which ImageJ without Fiji lacks. */
final class ScriptEditor {
    private ScriptEditor() {}

    /** The editor's window. This class is loaded only if Fiji's classes exist. */
    private static final class Opened {
        static TextEditor editor;

        private Opened() {}
    }

    /**
     * Opens a program in a new tab.
     *
     * @param file a name whose ending gives the language
     */
    static void open(String file, String program) {
        if (!isInstalled())
            throw new EngineException("this ImageJ has no Script Editor, which is a part of Fiji; use File>Export to "
                + "save the program in a file");
        if (Opened.editor == null || !Opened.editor.isDisplayable())
            Opened.editor = new TextEditor((Context) IJ.runPlugIn("org.scijava.Context", ""));
        Opened.editor.createNewDocument(file, program);
        Opened.editor.setVisible(true);
    }

    private static boolean isInstalled() {
        try {
            Class.forName("org.scijava.ui.swing.script.TextEditor", false, ScriptEditor.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
