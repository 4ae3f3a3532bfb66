// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.Quote;
import drua.engine.Registry;
import drua.engine.WholeFile;
import ij.Prefs;
import java.awt.Component;
import java.awt.GridBagConstraints;
import java.awt.GridBagLayout;
import java.awt.Insets;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JFileChooser;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JTextField;

/**
 * The fields of Process a Large Image with their last entries: the pipeline, the files, and under 'more' the settings
 * of the plan.
 */
final class LargeImageFields extends JPanel {
    private static final long serialVersionUID = 1;
    private static final String PREFIX = "drua.large.", MACRO = "macro file", OPERATION = "operation",
                                WORKBENCH = "the workbench's pipeline";
    private static final int COLUMNS = 34;
    /** Name of the setting, label, hint. */
    private static final String[][] SETTINGS = {
        {"memory", "GPU memory", "for example 8GB; if empty, 85 % of each GPU's memory"},
        {"host_memory", "Host memory", "for example 16GB; if empty, a quarter of the computer's memory"},
        {"devices", "Devices", "all, or names separated by commas; if empty, the best device"},
        {"block", "Block x,y,z", "in pixels; if empty, as large as fits"},
        {"chunk", "Chunk x,y,z", "pixels per chunk (one file, unless a shard is set)"},
        {"shard", "Shard x,y,z", "pixels per shard (one file of several chunks)"},
        {"compression", "Compression", "blosc-lz4, zstd or none; for TIFF: lzw or deflate"},
        {"zarr", "OME-Zarr version", "0.4 or 0.5"}};

    private final JComboBox<String> from = new JComboBox<>(new String[] {MACRO, OPERATION});
    private final JTextField macro = field("macro"), input = field("input"), output = field("output");
    private final JComboBox<String> operation = new JComboBox<>(operations());
    private final JButton macroFile = browse("Browse...", macro, false, false),
                          inputFile = browse("Browse...", input, true, false),
                          outputFile = browse("Browse...", output, true, true);
    private final JLabel format = new JLabel(" ");
    private final Map<String, JTextField> settings = new LinkedHashMap<>();
    private final JCheckBox more = new JCheckBox("More"),
                            anew = new JCheckBox("discard finished blocks of an earlier run with other settings"),
                            overwrite = new JCheckBox("replace an existing result");
    private final List<Component> rare = new ArrayList<>();
    private final transient Runnable resized;
    /** The workbench's pipeline as a file for planning, until processing starts; or null. */
    private transient File planned;

    /** @param resized called when the panel changes its size */
    LargeImageFields(Runnable resized) {
        super(new GridBagLayout());
        this.resized = resized;
        from.setName("from");
        operation.setName("operation");
        operation.setEditable(true);
        operation.setPrototypeDisplayValue("gaussian_blur sigma_x=2");
        operation.setSelectedItem(Prefs.get(PREFIX + "operation", "gaussian_blur sigma_x=2 sigma_y=2 sigma_z=2"));
        row("Pipeline", from, null, "Source of the processing steps");
        row("", macro, macroFile, "A macro file with Ext commands, for example saved from the workbench");
        row("", operation, null, "An operation and its settings, written as name=value");
        row("Image", input, inputFile, "OME-Zarr, N5 or TIFF");
        row("Result", output, outputFile, "A name with the extension .zarr or .tif; for several results, a folder");
        row("", format, null, null);
        more.setName("more");
        anew.setName("anew");
        overwrite.setName("overwrite");
        row("", more, null, "Memory, devices and file format of the result");
        for (String[] setting : SETTINGS) {
            JTextField entry = field(setting[0]);
            settings.put(setting[0], entry);
            hide(row(setting[1], entry, new JLabel(setting[2]), setting[2]));
        }
        hide(row("", anew, null, null));
        hide(row("", overwrite, null, null));
        from.addActionListener(event -> show(from.getSelectedItem()));
        more.addActionListener(event -> showMore());
        output.getDocument().addDocumentListener((Typing) this::showFormat);
        more.setSelected(settings.values().stream().anyMatch(entry -> !entry.getText().isEmpty()));
        offer();
        from.setSelectedItem(Prefs.get(PREFIX + "from", MACRO));
        show(from.getSelectedItem());
        showMore();
        showFormat();
    }

    // ---- layout

    private static JTextField field(String name) {
        JTextField field = new JTextField(Prefs.get(PREFIX + name, ""), COLUMNS);
        field.setName(name);
        return field;
    }

    private Component[] row(String label, JComponent control, JComponent button, String tip) {
        GridBagConstraints at = new GridBagConstraints();
        JLabel title = new JLabel(label);
        title.setLabelFor(control);
        control.setToolTipText(tip);
        at.gridy = getComponentCount();
        at.insets = new Insets(2, 4, 2, 4);
        at.anchor = GridBagConstraints.WEST;
        add(title, at);
        at.gridx = 1;
        at.weightx = 1;
        at.fill = control instanceof JCheckBox || control instanceof JLabel ? GridBagConstraints.NONE
                                                                            : GridBagConstraints.HORIZONTAL;
        add(control, at);
        at.gridx = 2;
        at.weightx = 0;
        at.fill = GridBagConstraints.NONE;
        if (button != null)
            add(button, at);
        return button == null ? new Component[] {title, control} : new Component[] {title, control, button};
    }

    private void hide(Component... row) {
        rare.addAll(Arrays.asList(row));
    }

    private void show(Object kind) {
        macro.setVisible(MACRO.equals(kind));
        macroFile.setVisible(MACRO.equals(kind));
        operation.setVisible(OPERATION.equals(kind));
        resized.run();
    }

    private void showMore() {
        rare.forEach(part -> part.setVisible(more.isSelected()));
        resized.run();
    }

    private void showFormat() {
        String name = output.getText().trim().toLowerCase(Locale.ROOT);
        String text = "a folder of OME-Zarr images, for pipelines with several results";
        if (name.isEmpty())
            text = " ";
        else if (name.endsWith(".zarr"))
            text = "an OME-Zarr image";
        else if (name.matches(".*\\.tiff?"))
            text = "a TIFF in ImageJ's format";
        format.setText(text);
    }

    /** Offers the workbench's pipeline while a workbench is open. */
    void offer() {
        boolean isThere = from.getItemCount() > 2, isOffered = LargeImage.offered() != null;
        if (isOffered && !isThere)
            from.addItem(WORKBENCH);
        else if (!isOffered && isThere)
            from.removeItem(WORKBENCH);
    }

    void chooseOffered() {
        offer();
        from.setSelectedItem(WORKBENCH);
    }

    /** All fields, also grey ones. */
    @Override
    public void setEnabled(boolean isEnabled) {
        super.setEnabled(isEnabled);
        for (Component part : getComponents())
            part.setEnabled(isEnabled);
    }

    // ---- choosing

    /** Lists files and folders. A folder that is an image is selected, not entered. */
    private static final class ImageChooser extends JFileChooser {
        private static final long serialVersionUID = 1;

        @Override
        public boolean isTraversable(File file) {
            return super.isTraversable(file) && !file.getName().toLowerCase(Locale.ROOT).matches(".*\\.(zarr|n5)");
        }
    }

    private JButton browse(String label, JTextField field, boolean isImage, boolean isWritten) {
        JButton button = new JButton(label);
        button.setName(field.getName() + " browse");
        button.addActionListener(event -> {
            JFileChooser chooser = isImage ? new ImageChooser() : new JFileChooser();
            chooser.setFileSelectionMode(isImage ? JFileChooser.FILES_AND_DIRECTORIES : JFileChooser.FILES_ONLY);
            File now = new File(field.getText().trim());
            if (!field.getText().trim().isEmpty())
                chooser.setSelectedFile(now.getAbsoluteFile());
            int answer = isWritten ? chooser.showSaveDialog(this) : chooser.showOpenDialog(this);
            if (answer == JFileChooser.APPROVE_OPTION)
                field.setText(chooser.getSelectedFile().getPath());
        });
        return button;
    }

    /** Menu operations that make one image from one or several images, with their settings. */
    private static String[] operations() {
        List<String> calls = new ArrayList<>();
        for (Registry.Operation o : Registry.get().operations.values()) {
            boolean fits = o.menu && !o.host && o.parameters.get(0).kind == Registry.Kind.IMAGE_IN
                && o.parameters.stream().filter(p -> p.kind.isOutput()).allMatch(p -> p.kind == Registry.Kind.IMAGE_OUT)
                && o.parameters.stream().noneMatch(p -> p.kind.isArray() || p.kind == Registry.Kind.IMAGE_INOUT)
                && Registry.get().command(o, "Drua") != null;
            if (fits)
                calls.add(call(o));
        }
        return calls.stream().sorted().toArray(String[] ::new);
    }

    private static String call(Registry.Operation operation) {
        StringBuilder call = new StringBuilder(operation.name);
        for (Registry.Parameter p : operation.parameters.subList(1, operation.parameters.size())) {
            Object value = p.defaultValue != null ? p.defaultValue : p.example;
            if (p.kind == Registry.Kind.IMAGE_IN)
                call.append(' ').append(p.name).append("=FILE");
            else if (p.kind != Registry.Kind.OPTIONS && !p.kind.isOutput() && value != null)
                call.append(' ').append(p.name).append('=').append(
                    value instanceof Double ? Registry.number((Double) value) : value);
        }
        return call.toString();
    }

    // ---- entries

    File input() {
        return enteredFile(input, "Image: choose the file or folder to read");
    }

    File output() {
        return enteredFile(output, "Result: choose a name with the extension .zarr or .tif");
    }

    private static File enteredFile(JTextField field, String sentence) {
        if (field.getText().trim().isEmpty())
            throw new EngineException(sentence);
        return new File(field.getText().trim()).getAbsoluteFile();
    }

    /**
     * A pipeline file, or an operation with its settings. The workbench's pipeline is saved to a file next to the
     * result.
     */
    String pipeline() {
        planned = null;
        if (OPERATION.equals(from.getSelectedItem()))
            return ((JTextField) operation.getEditor().getEditorComponent()).getText().trim();
        if (!WORKBENCH.equals(from.getSelectedItem())) {
            File file = enteredFile(macro, "Pipeline: choose a macro file");
            if (!file.isFile())
                throw new EngineException("Pipeline: there is no file " + file + "; choose a macro file");
            return file.getPath();
        }
        input();
        File file = pipelineFile();
        try {
            Files.createDirectories(file.getParentFile().toPath());
            planned = File.createTempFile("drua", "-" + file.getName(), file.getParentFile());
            Files.write(planned.toPath(), LargeImage.offered().get().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            withdraw();
            throw new EngineException("Result: '" + file.getParent() + "' cannot be written to (" + e.getMessage()
                + "); choose another folder");
        }
        return planned.getPath();
    }

    private File pipelineFile() {
        return new File(output().getPath() + ".pipeline.ijm");
    }

    /** The final name of the pipeline file, after processing has started. */
    String named(String pipeline) {
        return planned == null ? pipeline : pipelineFile().getPath();
    }

    /** Call when processing starts: replaces the pipeline file of an earlier result with the same name. */
    void begin() {
        try {
            if (planned != null)
                WholeFile.write(pipelineFile(),
                    part -> Files.copy(planned.toPath(), part.toPath(), StandardCopyOption.REPLACE_EXISTING));
            withdraw();
        } catch (IOException e) {
            throw new EngineException(
                "Result: '" + pipelineFile() + "' cannot be written (" + e.getMessage() + "); choose another folder");
        }
    }

    /** Call if processing did not start: deletes the file that was written for planning. */
    void withdraw() {
        if (planned != null)
            planned.delete();
        planned = null;
    }

    /** The settings in the format of drua_process_file. */
    String settings() {
        List<String> words = new ArrayList<>();
        settings.forEach((name, entry) -> {
            String value = entry.getText().trim();
            if (!value.isEmpty())
                words.add(name + "=" + Quote.setting(value));
        });
        if (anew.isSelected())
            words.add("anew");
        if (overwrite.isSelected())
            words.add("overwrite");
        return String.join(" ", words);
    }

    /** Keeps the entries for the next time. */
    void remember() {
        for (JTextField field : new JTextField[] {macro, input, output})
            Prefs.set(PREFIX + field.getName(), field.getText().trim());
        settings.forEach((name, entry) -> Prefs.set(PREFIX + name, entry.getText().trim()));
        Prefs.set(PREFIX + "operation", ((JTextField) operation.getEditor().getEditorComponent()).getText().trim());
        if (!WORKBENCH.equals(from.getSelectedItem()))
            Prefs.set(PREFIX + "from", (String) from.getSelectedItem());
        anew.setSelected(false);
        overwrite.setSelected(false);
    }
}
