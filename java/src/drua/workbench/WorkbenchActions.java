// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.dialog.Keys;
import drua.dialog.LargeImage;
import drua.engine.EngineException;
import drua.engine.MacroFile;
import drua.engine.Registry;
import drua.engine.WholeFile;
import drua.imagej.StepViews;
import drua.pipeline.Edits;
import drua.pipeline.Export;
import drua.pipeline.FolderRun;
import drua.pipeline.LineEnds;
import drua.pipeline.Pipeline;
import drua.pipeline.Preset;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.IJ;
import ij.ImagePlus;
import ij.Menus;
import ij.WindowManager;
import ij.io.OpenDialog;
import ij.io.SaveDialog;
import java.awt.EventQueue;
import java.awt.event.ActionEvent;
import java.awt.event.WindowEvent;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.swing.AbstractAction;
import javax.swing.Action;
import javax.swing.JCheckBoxMenuItem;
import javax.swing.JComboBox;
import javax.swing.JFrame;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JOptionPane;
import javax.swing.JPopupMenu;
import javax.swing.JTextField;
import javax.swing.JToolBar;
import javax.swing.KeyStroke;

/** The actions of the workbench's menus and buttons. */
final class WorkbenchActions {
    /** An action that is enabled only while it is possible. */
    private final class Entry extends AbstractAction {
        private static final long serialVersionUID = 1;

        private final transient Runnable effect;
        private final transient BooleanSupplier possible;

        Entry(String name, String tip, String key, BooleanSupplier possible, Runnable effect) {
            super(name);
            this.effect = effect;
            this.possible = possible;
            putValue(SHORT_DESCRIPTION, tip);
            if (!key.isEmpty())
                putValue(ACCELERATOR_KEY, KeyStroke.getKeyStroke(key));
            entries.add(this);
        }

        @Override
        public void actionPerformed(ActionEvent event) {
            guard.accept(effect);
        }
    }

    /** The suggested name of macros and exports, without an ending. */
    private static final String WORD = "workbench";

    private final JFrame frame;
    private final Session session;
    private final Consumer<Runnable> guard;
    private final List<Entry> entries = new ArrayList<>();
    private final JCheckBoxMenuItem outlines = new JCheckBoxMenuItem("Outlines on the source image", true);
    private final Action undo, redo, up, down, duplicate, off, delete, shown, window, solid;
    private final CompareMenu compare;
    private Path file;
    /** Charset of the macro file that was opened. */
    private Charset charset = StandardCharsets.UTF_8;
    private LineEnds lineEnds = LineEnds.plain();
    private boolean isRunning;

    WorkbenchActions(JFrame frame, Session session, SolidViews solids, Consumer<Runnable> guard) {
        this.frame = frame;
        this.session = session;
        this.guard = guard;
        BooleanSupplier work = () -> session.viewed() != null && session.viewed().role() == Step.Role.WORK;
        BooleanSupplier image = () -> session.viewed() != null && !session.viewed().images().isEmpty();
        undo = new Entry("Undo", "Undo the last change", "ctrl Z", session::canUndo, session::undo);
        redo = new Entry("Redo", "Redo the change that was undone last", "ctrl Y", session::canRedo, session::redo);
        up = new Entry(
            "Up", "Move the step up by one", "alt UP", work, () -> change(p -> Edits.move(p, session.viewed(), true)));
        down = new Entry("Down", "Move the step down by one", "alt DOWN", work,
            () -> change(p -> Edits.move(p, session.viewed(), false)));
        duplicate = new Entry("Duplicate", "Copy the step as a branch", "ctrl D", work,
            () -> change(p -> Edits.duplicate(p, session.viewed())));
        off = new Entry("On/off", "Switch the step on or off; a step that is off passes its image on unchanged",
            "ctrl E", work, () -> change(p -> Edits.switched(p, session.viewed(), !session.viewed().on)));
        delete = new Entry("Delete", "Delete the step; later steps then read its input image", "ctrl DELETE",
            () -> session.viewed() != null, () -> change(p -> Edits.delete(p, session.viewed())));
        shown = new Entry("Result", "Choose whether the macro shows this image in a window", "ctrl R", image,
            () -> change(p -> Edits.shown(Registry.get(), p, session.viewed(), !p.isShown(session.viewed()))));
        window = new Entry(
            "Window", "Open the current image of this step in an ImageJ window", "ctrl W", image, this::window);
        solid = new Entry("3-D view",
            "Open a view of this step that the mouse rotates; it needs several slices and "
                + "follows changes of the pipeline",
            "ctrl T", () -> solids.isSolid(session.viewed()), () -> solids.open(session.viewed()));
        outlines.addActionListener(event -> guard.accept(() -> {}));
        compare = new CompareMenu(session, guard);
    }

    private interface Edit extends java.util.function.UnaryOperator<Pipeline> {}

    private void change(Edit edit) {
        session.change(edit);
    }

    /** @param places the parts of the window, each with the action that gives it the keyboard */
    JMenuBar menus(Map<String, Runnable> places) {
        JMenuBar bar = new JMenuBar();
        JMenu files = new JMenu("File"), edit = new JMenu("Edit"), show = new JMenu("View"), go = new JMenu("Go");
        BooleanSupplier always = () -> true;
        files.add(new Entry("New", "Start a new pipeline with the current image", "ctrl N", always, this::startNew));
        files.add(new Entry("Start from a preset...", "Start a new pipeline for a common task and adjust its steps",
            "ctrl P", always, this::startFromPreset));
        files.add(new Entry("Open macro...", "Open a macro with Ext commands as steps", "ctrl O", always, this::open));
        files.add(new Entry("Save macro", "Save the macro to its file", "ctrl S", always, () -> save(file)));
        files.add(
            new Entry("Save macro as...", "Save the macro to another file", "ctrl shift S", always, () -> save(null)));
        files.addSeparator();
        files.add(new Entry("CLIJ2 commands", "Write the macro with CLIJ2's commands, so that it also runs in CLIJ2",
            "", always, () -> change(p -> p.withPrefix(Registry.get(), "CLIJ2"))));
        files.add(new Entry("Drua commands", "Write the macro with Drua's commands; results keep scale and colours", "",
            always, () -> change(p -> p.withPrefix(Registry.get(), "Drua"))));
        files.addSeparator();
        files.add(exports());
        files.add(scripts());
        files.addSeparator();
        files.add(new Entry("Run on a folder...",
            "Process all TIFF images of a folder; save the measurements and the images marked Result", "",
            () -> !isRunning, this::runOnFolder));
        files.add(new Entry("Run on a large image...", "Process an image file of any size block by block", "", always,
            LargeImage::openWithOffered));
        for (Action action : new Action[] {undo, redo, up, down, duplicate, off, delete, shown})
            edit.add(action);
        edit.addSeparator();
        edit.add(new Entry("Add image...", "Add another open image as a source", "ctrl I", always, this::addImage));
        edit.add(new Entry("Add ImageJ command...",
            "Add a command of ImageJ or a plugin; the image is pulled before the command and pushed after it", "",
            always, this::addCommand));
        show.add(window);
        show.add(solid);
        show.add(outlines);
        compare.addTo(show);
        files.addSeparator();
        files.add(new Entry("Close workbench", "Close this workbench and its views", "ctrl Q", always, this::close));
        places.forEach((name, place)
                           -> go.add(new Entry(name, "Move the keyboard focus to this part of the workbench",
                               "ctrl " + (go.getItemCount() + 1), always, place)));
        for (JMenu menu : new JMenu[] {files, edit, show, go}) {
            menu.setMnemonic(menu.getText().charAt(0));
            Keys.mnemonics(menu);
            bar.add(menu);
        }
        return bar;
    }

    /** The actions that fit the selected step, for a menu at the mouse. */
    JPopupMenu popup() {
        JPopupMenu popup = new JPopupMenu();
        update();
        for (Action action : new Action[] {duplicate, off, shown, window, solid, up, down, delete}) {
            if (action.isEnabled())
                popup.add(action);
        }
        compare.addTo(popup);
        return popup;
    }

    JToolBar bar() {
        JToolBar bar = new JToolBar();
        bar.setFloatable(false);
        for (Action action : new Action[] {undo, redo, up, down, duplicate, off, delete, shown, window})
            bar.add(action).setFocusable(false); /* else the focus moves on to Delete when a button is disabled */
        return bar;
    }

    void update() {
        entries.forEach(effect -> effect.setEnabled(effect.possible.getAsBoolean()));
    }

    boolean outlines() {
        return outlines.isSelected();
    }

    ViewWindow.Comparison comparison() {
        return compare.comparison();
    }

    /** The macro's file name, or "". */
    String file() {
        return file == null ? "" : file.getFileName().toString();
    }

    /** Asks the user if there are unsaved changes. */
    boolean mayLeave() {
        return session.isSaved()
            || JOptionPane.showConfirmDialog(frame, "The pipeline has unsaved changes. Discard them?", "Drua Workbench",
                   JOptionPane.OK_CANCEL_OPTION)
            == JOptionPane.OK_OPTION;
    }

    private void close() {
        frame.dispatchEvent(new WindowEvent(frame, WindowEvent.WINDOW_CLOSING));
    }

    private static ImagePlus currentImage() {
        ImagePlus current = StepViews.current();
        return current == null || StepViews.is(current) ? null : current;
    }

    private void startNew() {
        if (!mayLeave())
            return;
        forgetFile();
        ImagePlus image = currentImage();
        session.begin(image);
        ColourQuestion.ask(frame, session, image);
    }

    private void forgetFile() {
        file = null;
        charset = StandardCharsets.UTF_8;
        lineEnds = LineEnds.plain();
    }

    private void startFromPreset() {
        ImagePlus image = session.firstImage() == null ? currentImage() : session.firstImage();
        Preset preset = mayLeave() ? PresetDialog.ask(frame, image) : null;
        if (preset == null)
            return;
        session.open(preset, image);
        forgetFile();
    }

    private void open() {
        OpenDialog dialog = mayLeave() ? new OpenDialog("Open macro", null) : null;
        if (dialog == null || dialog.getPath() == null)
            return;
        open(Paths.get(dialog.getPath()));
    }

    private void open(Path path) {
        try {
            MacroFile macro = MacroFile.of(Files.readAllBytes(path));
            LineEnds ends = LineEnds.of(macro.text);
            ImagePlus image = session.firstImage();
            session.open(ends.read(macro.text), image == null ? currentImage() : image);
            file = path;
            charset = macro.charset;
            lineEnds = ends;
        } catch (IOException e) {
            throw new EngineException(
                "'" + path + "' cannot be read (" + e.getMessage() + "); check its path and its permissions");
        }
    }

    /** @param to the file; null asks the user */
    private void save(Path to) {
        SaveDialog dialog = to == null ? new SaveDialog("Save macro", WORD, ".ijm") : null;
        if (dialog != null && dialog.getFileName() == null)
            return;
        Path path = to != null ? to : Paths.get(dialog.getDirectory(), dialog.getFileName());
        write(path, lineEnds.write(session.now().macro()).getBytes(charset));
        file = path;
        session.saved();
    }

    private static void write(Path path, byte[] text) {
        try {
            WholeFile.write(path.toFile(), part -> Files.write(part.toPath(), text));
        } catch (IOException e) {
            throw new EngineException("'" + path + "' cannot be written (" + e.getMessage() + "); choose another file");
        }
    }

    private JMenu exports() {
        JMenu menu = new JMenu("Export");
        for (Export export : Export.values())
            menu.add(new Entry(export.label + "...", "Save " + export.about, "", () -> true, () -> export(export)));
        return menu;
    }

    private JMenu scripts() {
        JMenu menu = new JMenu("Send to Script Editor");
        for (Export export : Export.values()) {
            String name = export.name(WORD);
            if (export.isForEditor)
                menu.add(new Entry(export.label, "Open " + export.about + " in Fiji's Script Editor", "",
                    () -> true, () -> ScriptEditor.open(name + export.ending, export.of(session.now(), name))));
        }
        return menu;
    }

    private void export(Export export) {
        export.of(session.now(), export.name(WORD)); /* a failure is shown before the dialog */
        SaveDialog dialog = new SaveDialog("Export to " + export.label, export.name(WORD), export.ending);
        if (dialog.getFileName() != null)
            export(export, Paths.get(dialog.getDirectory(), dialog.getFileName()));
    }

    private void export(Export export, Path path) {
        String file = path.getFileName().toString(),
               name = file.endsWith(export.ending) ? file.substring(0, file.length() - export.ending.length()) : file;
        write(path, export.of(session.now(), name).getBytes(StandardCharsets.UTF_8));
    }

    private void runOnFolder() {
        String from = IJ.getDirectory("Folder of images"),
               to = from == null ? null : IJ.getDirectory("Folder for results");
        if (to != null)
            runOnFolder(Paths.get(from), Paths.get(to));
    }

    /** Saves the images in the results folder, together with the shell command that does the same. */
    private void runOnFolder(Path folder, Path results) {
        IJ.log("In a shell: " + FolderRun.prepare(session.now(), folder, results));
        isRunning = true;
        FolderRun.run(folder, results, () -> EventQueue.invokeLater(() -> {
            isRunning = false;
            update();
        }));
    }

    private void addImage() {
        List<ImagePlus> images = StepViews.images();
        images.removeIf(
            image -> session.now().steps(Step.Role.SOURCE).stream().anyMatch(source -> session.image(source) == image));
        if (images.isEmpty())
            throw new EngineException("no other image is open; open one first");
        Object title = JOptionPane.showInputDialog(frame, "Source image", "Drua Workbench", JOptionPane.PLAIN_MESSAGE,
            null, images.stream().map(ImagePlus::getTitle).toArray(), images.get(0).getTitle());
        ImagePlus image = title == null ? null : WindowManager.getImage((String) title);
        if (image == null)
            return;
        session.addSource(image);
        ColourQuestion.ask(frame, session, image);
    }

    private void addCommand() {
        Object[] names = Menus.getCommands().keySet().toArray();
        Arrays.sort(names);
        JComboBox<Object> commands = new JComboBox<>(names);
        JTextField options = new JTextField(24);
        options.setName("options");
        commands.setEditable(true);
        commands.setSelectedItem("");
        Object[] parts = {
            "Command, as written in the menus", commands, "Options, as the macro recorder writes them", options};
        boolean isWanted = JOptionPane.showConfirmDialog(frame, parts, "Add ImageJ Command",
                               JOptionPane.OK_CANCEL_OPTION, JOptionPane.PLAIN_MESSAGE)
            == JOptionPane.OK_OPTION;
        String name = String.valueOf(commands.getEditor().getItem()).trim();
        if (isWanted && !name.isEmpty())
            session.addImageJCommand(name, options.getText().trim());
    }

    private void window() {
        Step step = session.viewed();
        String name = step.images().get(0),
               title = WindowManager.getImage(name) == null ? name : WindowManager.getUniqueName(name);
        session.live().fetch(step.id, title, image -> EventQueue.invokeLater(image::show));
    }
}
