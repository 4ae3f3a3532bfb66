// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Converts the reference to the help pages in ImageJ, HTML with small pictures: GeneratePages REFERENCE FOLDER. */
final class GeneratePages {
    private static final int HEIGHT = 128;
    /** A link to a document that the help pages do not include. */
    private static final String ELSEWHERE = "<a href=\"\\.\\./[^\"]*\">(.*?)</a>";

    private GeneratePages() {}

    public static void main(String[] args) throws IOException {
        Path reference = Paths.get(args[0]), folder = Paths.get(args[1]);
        Files.createDirectories(folder.resolve("pictures"));
        List<Extension> tables = Collections.singletonList(TablesExtension.create());
        Parser parser = Parser.builder().extensions(tables).build();
        HtmlRenderer renderer = HtmlRenderer.builder().extensions(tables).build();
        for (Path page : files(reference, ".md")) {
            String name = page.getFileName().toString().replaceFirst("\\.md$", ".html");
            String html = renderer.render(parser.parse(new String(Files.readAllBytes(page), StandardCharsets.UTF_8)))
                              .replaceAll(ELSEWHERE, "$1")
                              .replace(".md\">", ".html\">")
                              .replace(".png\"", ".jpg\"")
                              .replace("<table>", "<table border=\"1\" cellspacing=\"0\">");
            String all = "<html><head><meta charset=\"utf-8\"></head><body>\n" + html + "</body></html>\n";
            checkLinks(reference, name, html);
            Files.write(folder.resolve(name), all.getBytes(StandardCharsets.UTF_8));
        }
        for (Path picture : files(reference.resolve("pictures"), ".png"))
            ImageIO.write(scaleDown(ImageIO.read(picture.toFile())), "jpg",
                new File(folder.toFile(), "pictures/" + picture.getFileName().toString().replaceFirst("png$", "jpg")));
    }

    /** Checks that all linked pages and pictures exist. */
    private static void checkLinks(Path reference, String page, String html) {
        Matcher links = Pattern.compile("(?:href|src)=\"([^\":]*)\"").matcher(html);
        while (links.find()) {
            if (!Files.exists(reference.resolve(links.group(1).replace(".html", ".md").replace(".jpg", ".png"))))
                throw new IllegalStateException(page + " leads to " + links.group(1) + ", which does not exist");
        }
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().collect(Collectors.toList());
        }
    }

    private static BufferedImage scaleDown(BufferedImage picture) {
        int width = Math.max(1, Math.round((float) picture.getWidth() * HEIGHT / picture.getHeight()));
        BufferedImage small = new BufferedImage(width, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = small.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(picture, 0, 0, width, HEIGHT, null);
        graphics.dispose();
        return small;
    }
}
