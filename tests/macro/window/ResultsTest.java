// SPDX-License-Identifier: BSD-3-Clause
import ij.CompositeImage;
import ij.IJ;
import ij.ImagePlus;
import ij.WindowManager;
import ij.gui.GenericDialog;
import ij.measure.ResultsTable;
import ij.text.TextPanel;
import ij.text.TextWindow;

/** Results name their image and replace no earlier result; changes in place can be undone. */
public final class ResultsTest {
    private ResultsTest() {}

    public static void main(String[] args) {
        Person.start(true);
        tablesAreKept();
        tablesSayWhatOf();
        largeTablesAreShown();
        changesAreUndone();
        stacksAreUndone();
        coloursStay();
        methodsAreAList();
        Person.leave();
    }

    private static void macro(String text) {
        IJ.runMacro(text.replace('\'', '"'));
    }

    private static ResultsTable table(String title) {
        TextWindow window = (TextWindow) WindowManager.getWindow(title);
        return window == null ? null : window.getResultsTable();
    }

    private static String cell(ResultsTable table, String column, int row) {
        return table == null ? "no table" : table.getStringValue(column, row);
    }

    private static void measure(String image) {
        Person.select(image);
        GenericDialog dialog = Person.choose(Person.entry("statistics_of_labelled_pixels"));
        Person.enter(dialog, "labels", "labels");
        Person.expect("measured", null, Person.press(dialog));
    }

    /** Two runs give two tables, each with its image's name; the recorded commands make them again. */
    private static void tablesAreKept() {
        macro("newImage('labels', '8-bit black', 20, 20, 1); setColor(1); fillRect(2, 2, 5, 5); setColor(2);"
            + " fillRect(10, 10, 6, 6);");
        macro("newImage('cells', '8-bit black', 20, 20, 1); setColor(90); fillRect(0, 0, 20, 20);");
        macro("newImage('nuclei', '8-bit black', 20, 20, 1); setColor(40); fillRect(0, 0, 20, 20);");
        int from = Person.recorded().length();
        measure("cells");
        measure("nuclei");
        Person.pause(300);
        Person.photograph("ResultsTest");
        expectTwoTables("by dialogs");
        for (String title : new String[] {"statisticsOfLabelledPixels", "statisticsOfLabelledPixels-1"})
            ((TextWindow) WindowManager.getWindow(title)).close(false);
        Person.expect("closed", null, table("statisticsOfLabelledPixels"));
        macro(Person.recorded().substring(from));
        expectTwoTables("recorded");
        macro("close('*');");
    }

    private static void expectTwoTables(String how) {
        ResultsTable first = table("statisticsOfLabelledPixels"), second = table("statisticsOfLabelledPixels-1");
        Person.expect("table of the first image, " + how, "cells 90",
            cell(first, "Image", 1) + " " + Math.round(first == null ? 0 : first.getValue("MEAN_INTENSITY", 0)));
        Person.expect("table of the second image, " + how, "nuclei 40",
            cell(second, "Image", 1) + " " + Math.round(second == null ? 0 : second.getValue("MEAN_INTENSITY", 0)));
        Person.expect(
            "rows, " + how, "2 2", (first == null ? 0 : first.size()) + " " + (second == null ? 0 : second.size()));
        Person.expect("rows of Results, " + how, 0, ResultsTable.getResultsTable().size());
    }

    /** Channels, frames and slice labels are listed beside the image's name. */
    private static void tablesSayWhatOf() {
        macro("newImage('labels', '8-bit black', 20, 20, 1); setColor(1); fillRect(2, 2, 5, 5);");
        macro("newImage('movie', '8-bit black', 20, 20, 2, 1, 2); for (i = 1; i <= 4; i++) { setSlice(i);"
            + " setMetadata('Label', 'plane ' + i);"
            + " setColor(10 * i); fillRect(0, 0, 20, 20); }");
        measure("movie");
        ResultsTable table = table("statisticsOfLabelledPixels-2");
        for (int row = 0; table != null && row < 4; row++) {
            Person.expect("row " + row,
                "movie:plane " + (row + 1) + " channel " + (row % 2 + 1) + " frame " + (row / 2 + 1) + " mean "
                    + 10 * (row + 1),
                cell(table, "Image", row) + " channel " + Math.round(table.getValue("Channel", row)) + " frame "
                    + Math.round(table.getValue("Frame", row)) + " mean "
                    + Math.round(table.getValue("MEAN_INTENSITY", row)));
        }
        Person.expect("four rows", 4, table == null ? 0 : table.size());
        macro("close('*');");
    }

    /** The window shows the same text as ImageJ's own tables, also after rows are added. */
    private static void largeTablesAreShown() {
        String measure = "run('Drua Macro Extensions', 'cl_device='); numbers = newArray(3600); for (i = 0; i < 3600;"
            + " i++) numbers[i] = i + 1;"
            + " Ext.Drua_pushArray(labels, numbers, 60, 60, 1);"
            + " Ext.Drua_multiplyImageAndScalar(labels, image, 1 / 7);"
            + " Ext.Drua_statisticsOfLabelledPixels(image, labels); Ext.Drua_clear();";
        macro("run('Clear Results');");
        for (int rows = 3600; rows <= 7200; rows += 3600) {
            macro(measure);
            TextPanel panel = IJ.getTextPanel();
            String shown = panel.getText();
            Person.expect("lines", rows, panel.getLineCount());
            Person.expect("whose", ResultsTable.getResultsTable(), panel.getResultsTable());
            Person.photograph("ResultsTest-" + rows);
            ResultsTable.getResultsTable().show("Results");
            Person.expect("the table's text equals ImageJ's", true, panel.getText().equals(shown));
        }
        macro("run('Clear Results');");
        ((TextWindow) WindowManager.getWindow("Results")).close(false);
    }

    /** Undoes the change of a slice by a macro, and of a scale. */
    private static void changesAreUndone() {
        macro("newImage('stack', '8-bit black', 20, 20, 3); setSlice(2); setColor(7); fillRect(0, 0, 20, 20);"
            + " run('Drua Macro Extensions', 'cl_device=');"
            + " Ext.Drua_pushCurrentSlice('stack'); image = 'stack'; Ext.Drua_addImageAndScalar(image, more, 5);"
            + " Ext.Drua_pullToCurrentSlice(more, 'stack');");
        ImagePlus stack = WindowManager.getImage("stack");
        Person.expect("written", 12.0, stack.getProcessor().getStats().mean);
        IJ.doCommand("Undo");
        Person.waitFor(() -> stack.getProcessor().getStats().mean == 7);
        Person.expect("undone", 7.0, stack.getProcessor().getStats().mean);
        Person.expect("others", "0.0 0.0",
            stack.getStack().getProcessor(1).getStats().mean + " " + stack.getStack().getProcessor(3).getStats().mean);
        macro("run('Drua Macro Extensions', 'cl_device='); Ext.Drua_clear(); close('*');");
    }

    private static String means(ImagePlus image) {
        StringBuilder means = new StringBuilder();
        for (int i = 1; i <= image.getStackSize(); i++)
            means.append(image.getStack().getProcessor(i).getStats().mean).append(' ');
        return means.toString();
    }

    /**
     * Undoes a filter by tiles of several slices, all tiles of a macro, and a change in a window that shows another
     * image.
     */
    private static void stacksAreUndone() {
        String begin = "run('Drua Macro Extensions', 'cl_device='); Ext.Drua_clear();"
            + " newImage('stack', '8-bit black', 20, 10, 3); tile = 'stack';"
            + " for (i = 1; i < 4; i++) { setSlice(i); setColor(i); fillRect(0, 0, 20, 10); } setSlice(2);"
            + " run('Duplicate...', 'title=ones duplicate'); run('Add...', 'value=1 stack');"
            + " selectImage('stack'); ";
        String tiles =
            "for (z = 0; z < 3; z++) for (x = 0; x < 2; x++) { Ext.Drua_pushTile(tile, x, 0, z, 10, 10, 1, 0, 0, 0);"
            + " Ext.Drua_addImageAndScalar(tile, more, 10);"
            + " Ext.Drua_copy(more, tile); Ext.Drua_pullTile(tile, x, 0, z, 10, 10, 1, 0, 0, 0); } ";
        String[] changes = {tiles,
            "title = tile; tile = 'ones'; " + tiles + "tile = title; " + tiles + "tile = 'ones'; " + tiles
                + "tile = title; " + tiles,
            "Ext.Drua_push(tile); Ext.Drua_addImageAndScalar(tile, more, 10); for (z = 0; z < 3;"
                + " z++) { selectImage(tile); setSlice(z + 1);"
                + " Ext.Drua_copySlice(more, plane, z); Ext.Drua_pullToCurrentSlice(plane, tile);"
                + " Ext.Drua_release(plane); }",
            "Ext.Drua_pushTile(tile, 0, 0, 0, 20, 10, 2, 0, 0, 0); Ext.Drua_addImageAndScalar(tile, more, 10);"
                + " Ext.Drua_copy(more, tile);"
                + " Ext.Drua_pullTile(tile, 0, 0, 0, 20, 10, 2, 0, 0, 0);",
            "Ext.Drua_pushGridTile(tile, 1, 1, 1, 0, 0, 0, 0); Ext.Drua_addImageAndScalar(tile, more, 10);"
                + " Ext.Drua_pullGridTileToImage(more, tile, 1, 1, 1, 0, 0, 0, 0, 0);",
            "Ext.Drua_push(tile); Ext.Drua_addImageAndScalar(tile, more, 10); Ext.Drua_showGrey(more, tile);"};
        String[] expected = {"11.0 12.0 13.0 ", "21.0 22.0 23.0 ", "11.0 12.0 13.0 ", "11.0 12.0 3.0 ",
            "11.0 12.0 13.0 ", "11.0 12.0 13.0 "};
        for (int i = 0; i < changes.length; i++) {
            macro(begin + changes[i]);
            ImagePlus stack = WindowManager.getImage("stack");
            Person.expect("written " + i, expected[i], means(stack));
            IJ.doCommand("Undo");
            Person.waitFor(() -> means(stack).equals("1.0 2.0 3.0 "));
            Person.expect("undone " + i, "1.0 2.0 3.0 ", means(stack));
            Person.expect("bit depth after Undo", 8, stack.getBitDepth());
            macro("run('Drua Macro Extensions', 'cl_device='); Ext.Drua_clear(); close('*');");
        }
    }

    /** A deconvolution of all channels keeps the display settings of its image. */
    private static void coloursStay() {
        macro("newImage('psf', '32-bit black', 5, 5, 1); setPixel(2, 2, 1);");
        macro("newImage('two', '16-bit composite-mode', 32, 24, 2, 1, 2); for (i = 1; i <= 4; i++) { setSlice(i);"
            + " setColor(500 * i); fillRect(8, 6, 9, 9); }");
        Person.select("two");
        GenericDialog dialog = Person.choose(Person.entry("deconvolve"));
        Person.enter(dialog, "iterations", 2);
        Person.press(dialog);
        ImagePlus two = WindowManager.getImage("two"), sharp = WindowManager.getImage("deconvolve");
        Person.expect("composite", two.getDisplayMode(), sharp == null ? null : sharp.getDisplayMode());
        for (int c = 0; sharp instanceof CompositeImage && c < 2; c++) {
            Person.expect(
                "colours of channel " + (c + 1), two.getLuts()[c].getRGB(255), sharp.getLuts()[c].getRGB(255));
            Person.expect("the brightest of channel " + (c + 1), true,
                sharp.getLuts()[c].max >= 450 * (c + 1) && sharp.getLuts()[c].max <= 550 * (c + 1));
        }
        Person.photograph("ResultsTest-colours");
        macro("close('*');");
    }

    /** The method is chosen from a list, not typed. */
    private static void methodsAreAList() {
        macro("newImage('cells', '8-bit ramp', 32, 24, 1);");
        GenericDialog dialog = Person.choose(Person.entry("automatic_threshold"));
        Person.expect("method", true, Person.field(dialog, "method") instanceof java.awt.Choice);
        Person.expect("the default method", "Otsu", Person.entered(dialog, "method"));
        Person.enter(dialog, "method", "Triangle");
        Person.photograph("ResultsTest-methods");
        Person.press(dialog);
        dialog = Person.choose(Person.entry("automatic_threshold"));
        Person.expect("the method that was used last", "Triangle", Person.entered(dialog, "method"));
        Person.cancel(dialog);
    }
}
