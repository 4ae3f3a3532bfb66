// SPDX-License-Identifier: BSD-3-Clause
package org.scijava.ui.swing.script;

import javax.swing.JFrame;
import org.scijava.Context;

/** A stub for compilation; Fiji provides the real class. Never packaged. */
public class TextEditor extends JFrame {
    private static final long serialVersionUID = 1;

    public TextEditor(Context context) {}

    public void createNewDocument(String title, String text) {}
}
