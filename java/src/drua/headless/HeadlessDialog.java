// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.IJ;
import ij.ImagePlus;
import ij.Macro;
import ij.WindowManager;
import ij.gui.DialogListener;
import ij.gui.GenericDialog;
import ij.macro.Interpreter;
import ij.plugin.filter.PlugInFilterRunner;
import ij.util.Tools;
import java.awt.Button;
import java.awt.Checkbox;
import java.awt.Choice;
import java.awt.Color;
import java.awt.Component;
import java.awt.Font;
import java.awt.HeadlessException;
import java.awt.Insets;
import java.awt.Panel;
import java.awt.TextArea;
import java.awt.TextField;
import java.awt.event.FocusEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;

/**
 * The values that an ImageJ command reads from its dialog, without a display: the macro's options, or defaults where
 * the macro gives none. {@link HeadlessLoader} uses this class in place of ij1-patcher's HeadlessGenericDialog, which
 * becomes the superclass of ImageJ's GenericDialog. As in ImageJ, an option may name a variable of the macro.
 */
@SuppressWarnings("unused") /* ImageJ's commands call these methods */
public class HeadlessDialog {
    private final String options = DialogAnswers.options();
    private final Vector<TextField> numbers = new Vector<>(), texts = new Vector<>();
    private final Vector<Checkbox> checkboxes = new Vector<>();
    private final Vector<Choice> choices = new Vector<>();
    private final Vector<String> radioButtons = new Vector<>();
    private final List<TextArea> areas = new ArrayList<>();
    private final Map<Object, String> keys = new HashMap<>();
    private final Map<TextField, Double> presets = new HashMap<>();
    private final List<int[]> imageIds = new ArrayList<>();
    private int nextNumber, nextText, nextCheckbox, nextChoice, nextRadioButton, nextArea, nextImage;
    private String error;
    private DialogListener listener;

    /** Fails if neither the macro nor the command line gives options, because ImageJ would wait for the user. */
    public HeadlessDialog() {
        if (options == null)
            throw new HeadlessException();
    }

    /* ---- fields */

    /** ImageJ's key of a field: its first word in lower case, with a number if another field has the same word. */
    private <T> T noteKey(T field, String label) {
        String word = label == null ? "" : Macro.trimKey(label.trim()), key = word;
        Set<String> used = new HashSet<>(keys.values());
        for (int n = 0; !word.isEmpty() && used.contains(key); n++)
            key = word + "_" + n;
        keys.put(field, key);
        DialogAnswers.hasField(key);
        return field;
    }

    private TextField text(Vector<TextField> fields, String label, String preset) {
        TextField field = noteKey(HiddenFields.text(preset), label);
        fields.add(field);
        return field;
    }

    /** The macro's value for a field, or its default. */
    private String value(Object field, String preset) {
        return Macro.getValue(options, keys.get(field), preset);
    }

    public void addNumericField(String label, double preset) {
        addNumericField(label, preset, 9);
    }

    public void addNumericField(String label, double preset, int digits) {
        presets.put(text(numbers, label, Double.isNaN(preset) ? "" : IJ.d2s(preset, digits)), preset);
    }

    public void addNumericField(String label, double preset, int digits, int columns, String units) {
        addNumericField(label, preset, digits);
    }

    public void addSlider(String label, double min, double max, double preset) {
        addNumericField(label, preset);
    }

    public void addSlider(String label, double min, double max, double preset, double step) {
        addNumericField(label, preset);
    }

    public void addStringField(String label, String preset) {
        text(texts, label, preset);
    }

    public void addStringField(String label, String preset, int columns) {
        text(texts, label, preset);
    }

    public void addFileField(String label, String preset) {
        text(texts, label, preset);
    }

    public void addFileField(String label, String preset, int columns) {
        text(texts, label, preset);
    }

    public void addDirectoryField(String label, String preset) {
        text(texts, label, preset);
    }

    public void addDirectoryField(String label, String preset, int columns) {
        text(texts, label, preset);
    }

    public void addTextAreas(String first, String second, int rows, int columns) {
        areas.add(HiddenFields.area(first));
        areas.add(HiddenFields.area(second));
    }

    public void addCheckbox(String label, boolean preset) {
        checkboxes.add(noteKey(HiddenFields.checkbox(preset), label));
    }

    public void addCheckboxGroup(int rows, int columns, String[] labels, boolean[] presets) {
        for (int i = 0; i < labels.length; i++)
            addCheckbox(labels[i], presets[i]);
    }

    public void addCheckboxGroup(int rows, int columns, String[] labels, boolean[] presets, String[] headings) {
        addCheckboxGroup(rows, columns, labels, presets);
    }

    public void addChoice(String label, String[] items, String preset) {
        choices.add(noteKey(HiddenFields.choice(items, preset), label));
    }

    public <E extends Enum<E>> void addEnumChoice(String label, Enum<E> preset) {
        E[] constants = preset.getDeclaringClass().getEnumConstants();
        String[] items = new String[constants.length];
        for (int i = 0; i < items.length; i++)
            items[i] = constants[i].name();
        addChoice(label, items, preset.name());
    }

    public void addImageChoice(String label, String preset) {
        int[] open = WindowManager.getIDList(), ids = open == null ? new int[0] : open;
        String[] titles = new String[ids.length];
        for (int i = 0; i < ids.length; i++)
            titles[i] = WindowManager.getImage(ids[i]).getTitle();
        imageIds.add(ids);
        addChoice(label, titles, preset);
    }

    public void addRadioButtonGroup(String label, String[] items, int rows, int columns, String preset) {
        radioButtons.add(value(noteKey(new Object(), label), preset));
    }

    /* ---- values */

    private static String variable(String name) {
        Interpreter interpreter = Interpreter.getInstance();
        return interpreter == null ? null : interpreter.getVariableAsString(name);
    }

    /**
     * The value of a number field: a number, a hexadecimal number, or a variable that holds a number. Anything else
     * stops the macro.
     */
    public double getNextNumber() {
        if (numbers.isEmpty())
            return -1;
        TextField field = numbers.get(nextNumber++);
        String preset = field.getText(), text = value(field, preset);
        if (text.equals(preset) && text.equals(HiddenFields.first(field)))
            return presets.get(field);
        try {
            return text.startsWith("0x") ? Integer.parseInt(text.substring(2), 16) : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            Interpreter interpreter = Interpreter.getInstance();
            double value = interpreter == null ? Double.NaN : interpreter.getVariable2(text.replaceFirst("^&", ""));
            if (Double.isNaN(value)) {
                error = keys.get(field) + "= in the options of run() must be a number, or a variable that holds one, "
                    + "got '" + text + "'";
                IJ.error("Macro Error", error);
            }
            return value;
        }
    }

    /** As in ImageJ, &amp;NAME is a variable. A plain name is a variable if the default begins with a digit. */
    public String getNextString() {
        if (texts.isEmpty())
            return "";
        TextField field = texts.get(nextText++);
        String preset = field.getText(), text = value(field, preset);
        boolean number = preset != null && preset.matches("(?s)[\\d-].*");
        boolean marked = text != null && text.startsWith("&");
        String found = marked || number ? variable(marked ? text.substring(1) : text) : null;
        return found != null ? found : text;
    }

    public boolean getNextBoolean() {
        if (checkboxes.isEmpty())
            return false;
        String key = keys.get(checkboxes.get(nextCheckbox++));
        String words = options.replaceAll("\\[[^\\]]*\\]", "[]");
        return (" " + words).contains(" " + key + " ");
    }

    public String getNextChoice() {
        if (choices.isEmpty())
            return "";
        Choice choice = choices.get(nextChoice++);
        String item = value(choice, choice.getSelectedItem());
        if (item == null || !item.startsWith("&"))
            return item;
        String found = variable(item.substring(1));
        return found == null ? item.substring(1) : found.replaceFirst("\\.0$", "");
    }

    public int getNextChoiceIndex() {
        if (choices.isEmpty())
            return -1;
        Choice choice = choices.get(nextChoice);
        String item = getNextChoice();
        choice.select(item);
        if (!choice.getSelectedItem().equals(item)) {
            String found = variable(item);
            choice.select(found);
            if (found == null || !choice.getSelectedItem().equals(found))
                IJ.error("Macro Error",
                    keys.get(choice) + "= in the options of run() must be one of the dialog's choices, got '" + item
                        + "'");
        }
        return choice.getSelectedIndex();
    }

    public <E extends Enum<E>> E getNextEnumChoice(Class<E> type) {
        return Enum.valueOf(type, getNextChoice());
    }

    public ImagePlus getNextImage() {
        int index = getNextChoiceIndex();
        return index < 0 ? null : WindowManager.getImage(imageIds.get(nextImage++)[index]);
    }

    public String getNextRadioButton() {
        return nextRadioButton < radioButtons.size() ? radioButtons.get(nextRadioButton++) : null;
    }

    public String getNextText() {
        if (nextArea >= areas.size() || areas.get(nextArea) == null)
            return null;
        String preset = areas.get(nextArea++).getText();
        return Macro.getValue(options, "text" + nextArea, preset);
    }

    public boolean invalidNumber() {
        boolean invalid = error != null;
        error = null;
        return invalid;
    }

    public String getErrorMessage() {
        return error;
    }

    /* ---- the dialog */

    /** Calls the listeners, because some commands read their values only there. */
    public void showDialog() {
        resetCounters();
        if (listener != null)
            listener.dialogItemChanged((GenericDialog) (Object) this, null);
        resetCounters();
    }

    public void resetCounters() {
        nextNumber = nextText = nextCheckbox = nextChoice = nextRadioButton = nextArea = nextImage = 0;
    }

    public void addDialogListener(DialogListener added) {
        listener = listener == null ? added : listener;
    }

    public boolean wasCanceled() {
        return false;
    }

    public boolean wasOKed() {
        return true;
    }

    public boolean isPreviewActive() {
        return false;
    }

    /** Commands test for null to find that there are no fields. */
    private static Vector<?> orNull(Vector<?> fields) {
        return fields.isEmpty() ? null : fields;
    }

    public Vector<?> getNumericFields() {
        return orNull(numbers);
    }

    public Vector<?> getStringFields() {
        return orNull(texts);
    }

    public Vector<?> getCheckboxes() {
        return orNull(checkboxes);
    }

    public Vector<?> getChoices() {
        return orNull(choices);
    }

    public Vector<?> getSliders() {
        return null;
    }

    public Vector<?> getRadioButtonGroups() {
        return orNull(radioButtons);
    }

    public TextArea getTextArea1() {
        return areas.isEmpty() ? null : areas.get(0);
    }

    public TextArea getTextArea2() {
        return areas.isEmpty() ? null : areas.get(1);
    }

    public Button[] getButtons() {
        return null;
    }

    public Component getMessage() {
        return null;
    }

    public Checkbox getPreviewCheckbox() {
        return null;
    }

    public Insets getInsets() {
        return new Insets(0, 0, 0, 0);
    }

    public void setDefaultString(int index, String text) {}
    public void dispose() {}
    public void addHelp(String url) {}
    public void addImage(ImagePlus image) {}
    public void addMessage(String text) {}
    public void addMessage(String text, Font font) {}
    public void addMessage(String text, Font font, Color color) {}
    public void addPanel(Panel panel) {}
    public void addPanel(Panel panel, int constraints, Insets insets) {}
    public void addPreviewCheckbox(PlugInFilterRunner runner) {}
    public void addPreviewCheckbox(PlugInFilterRunner runner, String label) {}
    public void centerDialog(boolean center) {}
    public void setSmartRecording(boolean smart) {}
    public void enableYesNoCancel() {}
    public void enableYesNoCancel(String yes, String no) {}
    public void finalizeRecording() {}
    public void focusGained(FocusEvent e) {}
    public void focusLost(FocusEvent e) {}
    public void hideCancelButton() {}
    public void previewRunning(boolean running) {}
    public void setEchoChar(char echo) {}
    public void setHelpLabel(String label) {}
    public void setInsets(int top, int left, int bottom) {}
    public void setOKLabel(String label) {}
    protected void setup() {}
    public void accessTextFields() {}
    public void show() {}
    public void showHelp() {}
    public void setLocation(int x, int y) {}
}
