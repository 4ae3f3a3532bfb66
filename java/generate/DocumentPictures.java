// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.NativeLibrary;
import ij.ImagePlus;
import ij.WindowManager;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/**
 * Makes the pictures of README.md and docs/first_macro.md from the macros in these documents, which open an image of
 * macros/images and end with labels. Only outdated pictures are written.
 */
public final class DocumentPictures {
    private static final Pattern MACRO =
        Pattern.compile("^```(?:ijm)?\n(open\\(\"macros/images(?s:.*?))^```$", Pattern.MULTILINE);
    private static final String[][] PICTURES = {
        {"README.md", "docs/nuclei.png"}, {"docs/first_macro.md", "docs/first_macro.png"}};
    private static final int WIDTH = 420;
    /** Allowed difference in grey levels between devices, and the fraction of pixels that may differ by more. */
    private static final int LEVELS = 8;
    private static final double SHARE = 0.005;

    private DocumentPictures() {}

    public static void main(String[] args) throws IOException {
        NativeLibrary.load();
        for (String[] picture : PICTURES) {
            BufferedImage made = drawPicturesOf(Paths.get(picture[0]));
            if (!alike(made, Paths.get(picture[1])))
                ImageIO.write(made, "png", new File(picture[1]));
        }
    }

    /** Pictures that differ from the output of their macros. */
    public static List<String> stale() throws IOException {
        List<String> names = new ArrayList<>();
        for (String[] picture : PICTURES) {
            if (!alike(drawPicturesOf(Paths.get(picture[0])), Paths.get(picture[1])))
                names.add(picture[1]);
        }
        return names;
    }

    private static BufferedImage drawPicturesOf(Path document) throws IOException {
        Matcher macro = MACRO.matcher(new String(Files.readAllBytes(document), StandardCharsets.UTF_8));
        if (!macro.find())
            throw new IllegalStateException(document + " has no macro that opens an image of macros/images");
        MacroOutput output = MacroOutput.of(macro.group(1), null);
        if (!output.error.isEmpty())
            throw new IllegalStateException("the macro in " + document + ": " + output.error);
        List<ImagePlus> images = new ArrayList<>();
        for (int id : WindowManager.getIDList())
            images.add(WindowManager.getImage(id).duplicate());
        List<Boolean> labelled = new ArrayList<>(Collections.nCopies(images.size(), false));
        labelled.set(images.size() - 1, true);
        MacroOutput.forget();
        BufferedImage all = Picture.drawSideBySide(images, labelled, false, WIDTH);
        int height = WIDTH * images.get(0).getHeight() / images.get(0).getWidth();
        return all.getSubimage(0, (WIDTH - height) / 2, all.getWidth(), height);
    }

    /** True if two pictures differ no more than two devices may. */
    public static boolean alike(Path made, Path existing) throws IOException {
        return alike(ImageIO.read(made.toFile()), existing);
    }

    private static boolean alike(BufferedImage made, Path file) throws IOException {
        BufferedImage existing = Files.exists(file) ? ImageIO.read(file.toFile()) : null;
        if (existing == null || existing.getWidth() != made.getWidth() || existing.getHeight() != made.getHeight())
            return false;
        int different = 0;
        for (int y = 0; y < made.getHeight(); y++) {
            for (int x = 0; x < made.getWidth(); x++)
                different += differs(made.getRGB(x, y), existing.getRGB(x, y)) ? 1 : 0;
        }
        return different <= SHARE * made.getWidth() * made.getHeight();
    }

    private static boolean differs(int a, int b) {
        for (int shift = 0; shift < 24; shift += 8) {
            if (Math.abs((a >> shift & 255) - (b >> shift & 255)) > LEVELS)
                return true;
        }
        return false;
    }
}
