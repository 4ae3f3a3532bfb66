// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.EngineException;
import drua.engine.WholeFile;
import ij.io.SaveDialog;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.BitSet;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;

/** Saves plots and tables of the workbench in files. */
final class PlotFile {
    /** Pixels of a PNG for one pixel of the screen, enough for print. */
    private static final int FINE = 3;

    private PlotFile() {}

    /** Asks the user for a file, and saves a plot as the ending says: .png, .svg, or .csv for its numbers. */
    static void ask(Plot plot, String ending) {
        Path path = path("Save plot", plot.getName(), ending);
        if (path != null)
            save(plot, ending, path);
    }

    /** Asks the user for a file, and saves the rows in their order. */
    static void ask(Measured measured) {
        Path path = path("Save table", "measurements", ".csv");
        if (path != null)
            save(measured, path);
    }

    private static Path path(String title, String name, String ending) {
        SaveDialog dialog = new SaveDialog(title, name, ending);
        return dialog.getFileName() == null ? null : Paths.get(dialog.getDirectory(), dialog.getFileName());
    }

    static void save(Plot plot, String ending, Path path) {
        if (ending.equals(".png"))
            write(path, png(plot));
        else if (ending.equals(".svg"))
            write(path, svg(plot).getBytes(StandardCharsets.UTF_8));
        else
            write(path, plot.measured.csv(plot.columns(), allRows(plot.measured)).getBytes(StandardCharsets.UTF_8));
    }

    static void save(Measured measured, Path path) {
        int[] columns = IntStream.range(0, measured.headings.length).toArray();
        write(path, measured.csv(columns, allRows(measured)).getBytes(StandardCharsets.UTF_8));
    }

    private static BitSet allRows(Measured measured) {
        BitSet rows = new BitSet();
        rows.set(0, measured.rows);
        return rows;
    }

    private static String svg(Plot plot) {
        SvgDrawing drawing = new SvgDrawing(plot.getWidth(), plot.savedHeight());
        plot.drawForFile(drawing);
        return drawing.file();
    }

    private static byte[] png(Plot plot) {
        BufferedImage picture =
            new BufferedImage(FINE * plot.getWidth(), FINE * plot.savedHeight(), BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        graphics.scale(FINE, FINE);
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        plot.drawForFile(new ScreenDrawing(graphics));
        graphics.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(picture, "png", bytes);
        } catch (IOException e) {
            throw new EngineException("the plot cannot be written as PNG: " + e.getMessage());
        }
        return bytes.toByteArray();
    }

    private static void write(Path path, byte[] content) {
        try {
            WholeFile.write(path.toFile(), part -> Files.write(part.toPath(), content));
        } catch (IOException e) {
            throw new EngineException("'" + path + "' cannot be written: " + e.getMessage());
        }
    }
}
