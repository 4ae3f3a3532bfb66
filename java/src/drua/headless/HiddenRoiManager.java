// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.WindowManager;
import ij.plugin.frame.RoiManager;
import java.awt.Checkbox;
import java.awt.Frame;
import java.util.ArrayList;
import javax.swing.DefaultListModel;
import javax.swing.JList;

/** ImageJ's ROI Manager without a display: the list of selections and everything that macros do with it. */
final class HiddenRoiManager extends RoiManager {
    static final String TITLE = "ROI Manager";
    private static final long serialVersionUID = 1;

    private HiddenRoiManager() {
        throw new UnsupportedOperationException();
    }

    /** Creates the closed ROI Manager that macros and plugins will find. */
    static HiddenRoiManager install() throws ReflectiveOperationException {
        HiddenRoiManager manager = Unmade.make(HiddenRoiManager.class);
        JList<Object> list = new JList<>();
        DefaultListModel<Object> model = new DefaultListModel<>();
        list.setModel(model);
        list.setFixedCellWidth(1); /* nothing is drawn, so text need not be measured */
        list.setFixedCellHeight(1);
        set(manager, "list", list);
        set(manager, "listModel", model);
        set(manager, "rois", new ArrayList<>());
        set(manager, "showAllCheckbox", Unmade.make(Checkbox.class));
        set(manager, "labelsCheckbox", Unmade.make(Checkbox.class));
        set(manager, "defaultLineWidth", 1);
        set(manager, "firstTime", true);
        set(manager, "recordShowAll", true);
        set(manager, "translateX", 10.0);
        set(manager, "translateY", 10.0);
        set(manager, "multiCropShow", true);
        set(manager, "instance", manager);
        return manager;
    }

    private static void set(RoiManager manager, String field, Object value) throws ReflectiveOperationException {
        Unmade.set(RoiManager.class, manager, field, value);
    }

    /** Makes the ROI Manager appear among the open windows. */
    static void open() {
        RoiManager manager = RoiManager.getRawInstance();
        if (manager instanceof HiddenRoiManager && WindowManager.getWindow(TITLE) == null)
            WindowManager.addWindow((Frame) manager);
    }

    @Override
    public void close() {
        super.close();
        try {
            install();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String getTitle() {
        return TITLE;
    }

    @Override
    public void toFront() {
        WindowManager.setWindow((Frame) this);
    }

    @Override
    public void setState(int state) {}

    @Override
    public int getState() {
        return Frame.NORMAL;
    }

    @Override
    public void setVisible(boolean visible) {}

    @Override
    public void dispose() {}
}
