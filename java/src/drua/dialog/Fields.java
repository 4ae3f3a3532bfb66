// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.EngineException;
import drua.engine.ParameterWords;
import drua.engine.Registry;
import drua.imagej.LabelImages;
import drua.imagej.PointSpread;
import drua.imagej.Series;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.measure.Calibration;
import java.awt.AWTEvent;
import java.awt.Checkbox;
import java.awt.Choice;
import java.awt.Component;
import java.awt.Container;
import java.awt.Font;
import java.awt.GraphicsEnvironment;
import java.awt.Label;
import java.awt.TextField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import java.util.regex.Matcher;

/**
 * The fields of an operation's parameters in a dialog. They start with the last entries for that operation. Voxel sizes
 * and the last slice start with those of the image. Settings that do not apply to the current entries are grey.
 */
final class Fields {
    /** The last entries, by operation and parameter. */
    private static final Map<String, Map<String, Object>> LAST = new HashMap<>();
    private static final List<String> MICROMETRES = Arrays.asList("pixel_size", "slice_distance");
    private static final List<String> VOXEL = Arrays.asList("voxel_size_x", "voxel_size_y", "voxel_size_z");

    private static final int GROUP_GAP = 6, MAX_DIGITS = 9;

    private final GenericDialog dialog;
    private final Registry.Operation operation;
    private final String[] titles;
    private final Map<String, Object> given;
    private final Map<String, Object> entered = new LinkedHashMap<>();
    private final Map<Registry.Parameter, Component> components = new LinkedHashMap<>();
    private final Map<Registry.Parameter, Label> labels = new HashMap<>();
    private final List<Component> headings = new ArrayList<>();
    private ImagePlus image;
    private String failure = "";
    private boolean serve = true;

    /**
     * Adds the fields to a dialog.
     *
     * @param titles titles of the open images
     * @param image  the image that is offered first; null without open images
     * @param given  initial values by parameter, or null for the last entries
     */
    Fields(GenericDialog dialog, Registry.Operation operation, String[] titles, ImagePlus image,
        Map<String, Object> given) {
        this.dialog = dialog;
        this.operation = operation;
        this.titles = titles;
        this.image = image;
        this.given = given != null ? given : LAST.getOrDefault(operation.name, new HashMap<>());
        String first = image == null ? "" : image.getTitle(), psf = PointSpread.title(titles, first);
        for (int i = 0; i < operation.parameters.size(); i++)
            add(operation.parameters.get(i),
                i == PointSpread.index(operation) ? psf : suggestImage(operation.parameters.get(i), first));
        update(null);
    }

    /** The headings of groups, top to bottom. */
    List<Component> headings() {
        return headings;
    }

    /** The entries at the last {@link #read}, by parameter. */
    Map<String, Object> entered() {
        return entered;
    }

    /**
     * Keeps the entries for the next dialog of this operation, except images, voxel sizes and slices. Call it when the
     * operation has accepted them.
     */
    void remember() {
        Map<String, Object> kept = new HashMap<>(entered);
        for (Registry.Parameter p : allParameters()) {
            if (p.kind.isImage() || ofImage(p) != null)
                kept.remove(p.name);
        }
        LAST.put(operation.name, kept);
    }

    /**
     * The image that is offered for a parameter: the current one. If that is a grey image where labels are needed, or
     * vice versa, an open image of the right kind and the same size is offered instead.
     */
    private String suggestImage(Registry.Parameter p, String current) {
        boolean measures = operation.parameters.stream().anyMatch(ParameterWords::wantsLabels),
                wantsLabels = ParameterWords.wantsLabels(p);
        if (image == null || !measures || p.kind != Registry.Kind.IMAGE_IN
            || LabelImages.isLabelMap(image) == wantsLabels)
            return current;
        for (int i = titles.length - 1; i >= 0; i--) {
            ImagePlus other = WindowManager.getImage(titles[i]);
            if (other != null && other.getWidth() == image.getWidth() && other.getHeight() == image.getHeight()
                && LabelImages.isLabelMap(other) == wantsLabels)
                return titles[i];
        }
        return current;
    }

    /** A warning if an image that was chosen as labels looks like a grey image; else "". */
    static String doubt(Registry.Operation operation, Object[] images) {
        for (int i = 0; i < images.length; i++) {
            if (ParameterWords.wantsLabels(operation.parameters.get(i)) && images[i] instanceof ImagePlus
                && !LabelImages.isLabelMap((ImagePlus) images[i]))
                return "'" + ((ImagePlus) images[i]).getTitle() + "' looks like a grey image, but "
                    + operation.parameters.get(i).name.replace('_', ' ') + " must be a label map, in which each object "
                    + "has one number. Choose another image, or press OK again to use this one";
        }
        return "";
    }

    private List<Registry.Parameter> allParameters() {
        List<Registry.Parameter> all = new ArrayList<>(operation.parameters);
        operation.parameters.forEach(p -> all.addAll(p.settings));
        return all;
    }

    private Object preset(Registry.Parameter p) {
        Object own = ofImage(p);
        return given.containsKey(p.name) ? given.get(p.name) : own != null ? own : p.defaultValue;
    }

    private void add(Registry.Parameter p, String title) {
        Object preset = preset(p);
        if (!p.group.isEmpty()) {
            dialog.setInsets(GROUP_GAP, 20, 0);
            dialog.addMessage(p.group, new Font(Font.DIALOG, Font.BOLD, 12));
            if (!GraphicsEnvironment.isHeadless())
                headings.add(dialog.getMessage());
        }
        switch (p.kind) {
        case IMAGE_IN:
        case IMAGE_INOUT:
            dialog.addChoice(p.name, titles, preset instanceof String ? (String) preset : title);
            keepField(p, dialog.getChoices());
            break;
        case NUMBER:
        case INTEGER:
            addNumber(p, preset);
            break;
        case BOOLEAN:
            dialog.setInsets(0, 20, 0);
            dialog.addCheckbox(p.name,
                preset instanceof Boolean ? (Boolean) preset : preset instanceof Double && (Double) preset != 0);
            keepField(p, dialog.getCheckboxes());
            break;
        case CHOICE:
            addChoice(p, preset);
            break;
        case PATH:
            if (GraphicsEnvironment.isHeadless())
                dialog.addStringField(p.name, ""); /* Fiji's headless dialog has no field for files */
            else
                dialog.addFileField(p.name, preset instanceof String ? (String) preset : "", 40);
            break;
        case OPTIONS:
            if (!p.settings.isEmpty()) {
                for (Registry.Parameter setting : p.settings)
                    add(setting, title);
                break;
            }
            dialog.addStringField(p.name, preset instanceof String ? (String) preset : "", 20);
            break;
        case TEXT:
            if (!ParameterWords.choices(p).isEmpty()) {
                addChoice(p, preset);
                break;
            }
            reduceGap();
            dialog.addStringField(p.name, preset instanceof String ? (String) preset : "", 20);
            keepField(p, dialog.getStringFields());
            break;
        case ARRAY_IN:
            reduceGap();
            dialog.addStringField(p.name, preset instanceof String ? (String) preset : "", 20);
            keepField(p, dialog.getStringFields());
            break;
        default:
        }
    }

    /** Reduces the space above the next field, so that long dialogs fit on a laptop's screen. */
    private void reduceGap() {
        dialog.setInsets(0, 0, 3);
    }

    private void addNumber(Registry.Parameter p, Object preset) {
        double number = preset instanceof Double ? (Double) preset : 0;
        reduceGap();
        dialog.addNumericField(p.name, number, p.kind == Registry.Kind.INTEGER ? 0 : MAX_DIGITS, 8, hint(p));
        keepField(p, dialog.getNumericFields());
        if (!GraphicsEnvironment.isHeadless())
            ((TextField) components.get(p))
                .setText(preset instanceof String ? (String) preset : Registry.number(number));
    }

    private void addChoice(Registry.Parameter p, Object preset) {
        List<String> choices = ParameterWords.choices(p);
        reduceGap();
        dialog.addChoice(
            p.name, choices.toArray(new String[0]), preset instanceof String ? (String) preset : choices.get(0));
        keepField(p, dialog.getChoices());
    }

    /** Unit and range; for pixels, their size in the image. */
    private String hint(Registry.Parameter p) {
        boolean isOfImage = image != null && image.getCalibration().scaled() && p.unit.equals("pixel")
            && operation.parameters.get(0).kind.isImage();
        if (!isOfImage)
            return ParameterWords.hint(p);
        Calibration c = image.getCalibration();
        double size = p.name.endsWith("_z") || p.name.equals("depth") ? c.pixelDepth
            : p.name.endsWith("_y")                                   ? c.pixelHeight
                                                                      : c.pixelWidth;
        return ParameterWords.hint(p).replaceFirst(
            "pixel", Matcher.quoteReplacement("pixel of " + Registry.number(size) + " " + c.getUnit()));
    }

    private void keepField(Registry.Parameter p, Vector<?> fields) {
        if (GraphicsEnvironment.isHeadless())
            return;
        components.put(p, (Component) fields.lastElement());
        if (p.kind != Registry.Kind.BOOLEAN)
            labels.put(p, dialog.getLabel());
    }

    private static boolean isLastSlice(Registry.Parameter p) {
        return p.unit.equals("slice") && p.defaultValue instanceof Double
            && (Double) p.defaultValue == Integer.MAX_VALUE;
    }

    /**
     * The parameter's value from the image: its voxel size if it has a scale, or its last slice; null for other
     * parameters.
     */
    private Object ofImage(Registry.Parameter p) {
        if (image == null)
            return null;
        if (isLastSlice(p))
            return (double) Series.slices(operation, image, 1, 1).length - 1;
        if (!image.getCalibration().scaled())
            return null;
        Calibration c = image.getCalibration();
        double[] sizes = {c.pixelWidth, c.pixelHeight, c.pixelDepth};
        if (MICROMETRES.contains(p.name))
            return Lengths.micrometres(c, p.name.equals("pixel_size") ? c.pixelWidth : c.pixelDepth);
        if (p.unit.equals("voxel"))
            return Registry.number(sizes[0]) + "," + Registry.number(sizes[1]) + "," + Registry.number(sizes[2]);
        return VOXEL.contains(p.name)         ? (Object) sizes[VOXEL.indexOf(p.name)]
            : p.name.equals("new_voxel_size") ? (Object) sizes[0]
                                              : null;
    }

    // ---- while the dialog is open

    /** Enables or greys out all fields. Grey fields are not read. */
    void serve(boolean serve) {
        this.serve = serve;
        update(null);
    }

    /** Greys out settings that do not apply, and takes scale and slices of a newly chosen image. */
    void update(AWTEvent event) {
        for (Map.Entry<Registry.Parameter, Component> field : components.entrySet()) {
            boolean means = serve && ParameterWords.hasMeaning(field.getKey(), this::fieldContent);
            field.getValue().setEnabled(means);
            if (labels.containsKey(field.getKey()))
                labels.get(field.getKey()).setEnabled(means);
        }
        Component first = components.values().stream().findFirst().orElse(null);
        if (event != null && event.getSource() == first && first instanceof Choice && image != null)
            follow(WindowManager.getImage(((Choice) first).getSelectedItem()));
    }

    /** Takes scale and slices of another image where the fields still show those of the previous one. */
    void follow(ImagePlus other) {
        Map<Registry.Parameter, Object> before = new HashMap<>();
        components.keySet().forEach(p -> before.put(p, ofImage(p)));
        image = other;
        components.forEach((p, component) -> {
            Container beside = component instanceof TextField && p.unit.equals("pixel") ? component.getParent() : null;
            if (beside != null && beside.getComponentCount() == 2 && beside.getComponent(1) instanceof Label)
                ((Label) beside.getComponent(1)).setText(" " + hint(p));
            Object own = ofImage(p);
            if (component instanceof TextField && own != null
                && isStill((TextField) component, before.get(p) == null ? p.defaultValue : before.get(p)))
                ((TextField) component).setText(own instanceof Double ? Registry.number((Double) own) : (String) own);
        });
    }

    private static boolean isStill(TextField field, Object value) {
        try {
            return value instanceof Double ? Double.parseDouble(field.getText()) == (Double) value
                                           : field.getText().equals(value);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** The content of the field with that name; null without a field. */
    private Object fieldContent(String name) {
        Component field = components.entrySet()
                              .stream()
                              .filter(e -> e.getKey().name.equals(name))
                              .map(Map.Entry::getValue)
                              .findFirst()
                              .orElse(null);
        if (field instanceof Choice)
            return ((Choice) field).getSelectedItem();
        if (field instanceof Checkbox)
            return (Object) ((Checkbox) field).getState();
        if (field instanceof TextField)
            return (Object) dialog.parseDouble(((TextField) field).getText());
        return null;
    }

    // ---- reading

    /** The values of all parameters: titles for images, null for outputs. {@link #check} reports invalid entries. */
    Object[] read() {
        failure = "";
        return operation.parameters.stream().map(this::read).toArray();
    }

    /** Fails if an entry that was read is not a number. */
    void check() {
        if (!failure.isEmpty())
            throw new EngineException(failure);
    }

    private Object read(Registry.Parameter p) {
        switch (p.kind) {
        case IMAGE_IN:
        case IMAGE_INOUT:
        case CHOICE:
            return noteEntry(p, dialog.getNextChoice());
        case NUMBER:
        case INTEGER:
            return number(p, dialog.getNextNumber());
        case BOOLEAN:
            return noteEntry(p, dialog.getNextBoolean());
        case OPTIONS:
            return p.settings.isEmpty() ? noteEntry(p, dialog.getNextString()) : settings(p);
        case TEXT:
            return noteEntry(p, ParameterWords.choices(p).isEmpty() ? dialog.getNextString() : dialog.getNextChoice());
        case PATH:
            return noteEntry(p, dialog.getNextString());
        case ARRAY_IN:
            return numbers(p, (String) noteEntry(p, dialog.getNextString()));
        default:
            return null;
        }
    }

    private Object number(Registry.Parameter p, Double number) {
        Component field = components.get(p);
        boolean isText = field instanceof TextField && (number.isNaN() || number.isInfinite());
        if (isText) {
            try {
                String text = ((TextField) field).getText();
                noteEntry(p, text);
                number = NumberEntry.read(operation, p, text);
            } catch (EngineException e) {
                failure = failure.isEmpty() ? e.getMessage() : failure;
                return number;
            }
        } else {
            noteEntry(p, number);
        }
        return isLastSlice(p) && number.equals(ofImage(p))
            ? p.defaultValue
            : number; /* the recorded line then also covers longer stacks */
    }

    private void fail(Registry.Parameter p, String due, String text) {
        if (failure.isEmpty())
            failure = operation.camelCase() + ": " + p.name + " must be " + due + ", got '" + text + "'";
    }

    private Object noteEntry(Registry.Parameter p, Object value) {
        entered.put(p.name, value);
        return value;
    }

    /** The settings that apply and differ from their defaults, as an options text. */
    private String settings(Registry.Parameter options) {
        Map<Registry.Parameter, Object> values = new LinkedHashMap<>();
        for (Registry.Parameter p : options.settings)
            values.put(p,
                p.kind == Registry.Kind.ARRAY_IN ? ((String) noteEntry(p, dialog.getNextString())).replaceAll("\\s", "")
                                                 : read(p));
        return ParameterWords.options(values, entered::get);
    }

    private List<Double> numbers(Registry.Parameter p, String text) {
        List<Double> numbers = new ArrayList<>();
        for (String word : text.trim().split("[,;\\s]+")) {
            try {
                numbers.add(Double.valueOf(word));
            } catch (NumberFormatException e) {
                fail(p, "numbers separated by commas", text);
            }
        }
        return numbers;
    }
}
