// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.Registry;
import drua.imagej.Selections;
import ij.IJ;
import ij.ImagePlus;
import ij.gui.GenericDialog;
import ij.gui.NonBlockingGenericDialog;
import java.awt.BorderLayout;
import java.awt.Button;
import java.awt.Component;
import java.awt.Panel;
import java.awt.Rectangle;
import java.awt.event.ActionEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The dialog of an operation, which opens next to its image. The dialog is not modal, so that the user can scroll
 * slices while it is open. Help opens the operation's page, and fields show tool tips.
 */
final class SideDialog extends NonBlockingGenericDialog {
    private static final long serialVersionUID = 1;

    private final transient List<Registry.Operation> operations;
    private final transient ImagePlus image;
    private final transient Runnable help;
    private final Rectangle place;
    private final StatusLine status = new StatusLine(3);
    private final transient List<Component> headings = new ArrayList<>();
    private transient Component last;
    private boolean isPlaced;

    SideDialog(Registry.Operation operation, ImagePlus image, String failure, Rectangle place, Runnable help) {
        this(operation.title(), Collections.singletonList(operation), image, failure, place, help);
    }

    /**
     * @param operations operations whose parameters have fields
     * @param image   the image next to which the dialog opens, or null
     * @param failure why the previous run failed, or ""; shown in red below the fields
     * @param place   the dialog's previous position and size; null: next to the image
     * @param help    opens the page of an operation
     */
    SideDialog(String title, List<Registry.Operation> operations, ImagePlus image, String failure, Rectangle place,
        Runnable help) {
        super(title);
        this.operations = operations;
        this.image = image;
        this.help = help;
        addHelp(operations.get(0).name);
        if (failure.isEmpty() && image != null && operations.get(0).parameters.get(0).kind.isImage())
            status.say(ofSelection(image));
        else
            status.fail(failure);
        this.place = place;
        if (place != null)
            setLocation(place.getLocation());
    }

    /**
     * A sentence for the lines below the fields: a selection limits the preview, not the result. Without a selection,
     * the sentence is empty.
     */
    static String ofSelection(ImagePlus image) {
        return Selections.bounds(image) == null ? "" : "OK processes the whole image, not only the selection";
    }

    /** The lines below the fields. */
    StatusLine status() {
        return status;
    }

    /** Groups the existing fields under these headings; groups may be placed side by side. */
    void setGroups(List<Component> groups) {
        headings.addAll(groups);
        last = getComponent(getComponentCount() - 1);
    }

    @Override
    public void showDialog() {
        add(this, status);
        super.showDialog();
    }

    /** Adds status lines below the existing fields. */
    static void add(GenericDialog dialog, StatusLine lines) {
        Panel panel = new Panel(new BorderLayout());
        panel.add(lines);
        dialog.addPanel(panel);
    }

    /** Called after the fields are added and before the dialog is visible. */
    @Override
    protected void setup() {
        operations.forEach(operation -> FieldTips.add(this, operation));
        Columns.arrange(this, headings, last);
        pack();
        if (place != null)
            setSize(place.getSize());
        if (isPlaced)
            setLocation(FreePlace.inside(FreePlace.screen(this), getSize(), getLocation()));
        else if (image != null && image.getWindow() != null)
            setLocation(FreePlace.beside(image.getWindow(), getSize(), 0, IJ.getInstance()));
    }

    @Override
    public void setLocation(int x, int y) {
        isPlaced = true;
        super.setLocation(x, y);
    }

    @Override
    public synchronized void actionPerformed(ActionEvent event) {
        Object source = event.getSource();
        if (source instanceof Button && ((Button) source).getLabel().trim().equals("Help"))
            help.run();
        else
            super.actionPerformed(event);
    }
}
