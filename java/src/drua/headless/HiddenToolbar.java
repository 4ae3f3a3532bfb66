// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.gui.Toolbar;
import ij.plugin.tool.PlugInTool;

/** ImageJ's toolbar without a display. Macros select a tool and query the current one. */
final class HiddenToolbar extends Toolbar {
    private static final long serialVersionUID = 1;
    private static final int TOOLS = 32; /* more than ImageJ has */

    private HiddenToolbar() {
        throw new UnsupportedOperationException();
    }

    /** Creates the toolbar that macros and commands will find. */
    static void install() throws ReflectiveOperationException {
        HiddenToolbar toolbar = Unmade.make(HiddenToolbar.class);
        Unmade.set(Toolbar.class, toolbar, "names", new String[TOOLS]);
        Unmade.set(Toolbar.class, toolbar, "icons", new String[TOOLS]);
        Unmade.set(Toolbar.class, toolbar, "tools", new PlugInTool[TOOLS]);
        Unmade.set(Toolbar.class, toolbar, "down", new boolean[TOOLS]);
        Unmade.set(Toolbar.class, toolbar, "lineType", Toolbar.LINE);
        Unmade.set(Toolbar.class, null, "instance", toolbar);
    }
}
