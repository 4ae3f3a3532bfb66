// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.plugin.frame.RoiManager;
import java.awt.Checkbox;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import javax.swing.DefaultListModel;
import javax.swing.JList;

/**
 * ImageJ's ROI Manager without a display. Its constructor makes a window, which Java refuses there, although the list of
 * selections and all that macros do with it need none: so it is made without the constructor.
 */
final class HiddenRoiManager {
    private HiddenRoiManager() {}

    /** Makes the ROI Manager that macros and plugins will find. Where Java or ImageJ differ from what is known, there is none as before. */
    static void install() {
        try {
            RoiManager manager = make(RoiManager.class);
            JList<Object> list = new JList<>();
            DefaultListModel<Object> model = new DefaultListModel<>();
            list.setModel(model);
            list.setFixedCellWidth(1);  /* nothing is drawn, so no letters need be measured */
            list.setFixedCellHeight(1);
            set(manager, "list", list);
            set(manager, "listModel", model);
            set(manager, "rois", new ArrayList<>());
            set(manager, "showAllCheckbox", make(Checkbox.class));
            set(manager, "labelsCheckbox", make(Checkbox.class));
            set(manager, "defaultLineWidth", 1);
            set(manager, "firstTime", true);
            set(manager, "recordShowAll", true);
            set(manager, "translateX", 10.0);
            set(manager, "translateY", 10.0);
            set(manager, "multiCropShow", true);
            set(manager, "instance", manager);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return; /* macros that want one are told that there is no display */
        }
    }

    private static void set(RoiManager manager, String field, Object value) throws ReflectiveOperationException {
        Field found = RoiManager.class.getDeclaredField(field);
        found.setAccessible(true);
        found.set(manager, value);
    }

    /** An object whose constructor did not run. */
    private static <T> T make(Class<T> type) throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Method allocate = unsafe.getMethod("allocateInstance", Class.class);
        return type.cast(allocate.invoke(field.get(null), type));
    }
}
