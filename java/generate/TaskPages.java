// SPDX-License-Identifier: BSD-3-Clause
package drua.generate;

import drua.engine.Quote;
import ij.IJ;
import ij.ImagePlus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pages of the tasks. scripts/tasks.sh has run each program of macros/tasks in a folder of its name, which holds
 * the program's images, its table and what it printed.
 */
public final class TaskPages {
    private static final String PROGRAMS = "macros/tasks";
    /** A heading, followed by its tasks in reading order. */
    private static final String[][] SUBJECTS = {
        {"Count and measure", "count_nuclei", "measure_intensity", "measure_shape", "count_spots", "foci_per_nucleus",
            "colocalisation"},
        {"Segment", "compare_thresholds", "separate_cells", "voronoi_otsu"},
        {"Prepare images", "remove_background", "flat_field_of_tiles", "denoise_keep_edges", "deconvolve_with_beads",
            "deskew_light_sheet"},
        {"Movies", "register_movie", "track_nuclei"},
        {"Many and large images", "folder_of_images", "larger_than_memory", "stitch_files", "slurm_cluster"},
        {"From other languages", "use_from_c", "use_from_jython", "use_from_python"}};
    private static final int SIZE = 400, CARD = 200, PRINTED = 12, ROWS = 5;

    private final Path results, folder;
    private final SiteLinks links;
    private final Map<String, Task> tasks = new LinkedHashMap<>();
    private final StringBuilder page = new StringBuilder();

    /**
     * @param results the folder in which the programs ran
     * @param folder  where pages are written
     */
    TaskPages(Path results, Path folder, SiteLinks links) throws IOException {
        this.results = results;
        this.folder = folder;
        this.links = links;
        Map<String, Path> programs = new LinkedHashMap<>();
        try (Stream<Path> files = Files.list(Paths.get(PROGRAMS))) {
            for (Path file : files.sorted().collect(Collectors.toList()))
                programs.put(file.getFileName().toString().replaceFirst("\\..*", ""), file);
        }
        for (String[] subject : SUBJECTS) {
            for (String name : names(subject)) {
                Path program = programs.remove(name);
                if (program == null)
                    throw new IllegalStateException(PROGRAMS + " has no program " + name);
                tasks.put(name, new Task(program));
                links.place(program.toString(), "tasks/" + name + ".md");
            }
        }
        if (!programs.isEmpty())
            throw new IllegalStateException(
                programs.keySet() + " of " + PROGRAMS + " are in no subject; add them to TaskPages.SUBJECTS");
        links.place(PROGRAMS, "tasks/index.md");
        for (String file : new String[] {"batch.ijm", "one_image.ijm"})
            links.place("macros/examples/" + file, "tasks/" + file);
    }

    private static List<String> names(String[] subject) {
        return Arrays.asList(subject).subList(1, subject.length);
    }

    List<Task> all() {
        return new ArrayList<>(tasks.values());
    }

    /** Writes a page for each task, the gallery, and the files that the pages offer. */
    void write() throws IOException {
        Files.createDirectories(folder.resolve("pictures"));
        List<Task> all = all();
        for (int i = 0; i < all.size(); i++)
            task(all.get(i), i + 1 < all.size() ? all.get(i + 1) : null);
        gallery();
        for (String file : new String[] {"batch.ijm", "one_image.ijm"})
            copy(Paths.get("macros/examples", file));
    }

    private void task(Task task, Task next) throws IOException {
        String file = task.program.getFileName().toString();
        line("---");
        line("description: " + Quote.json(task.question()));
        line("search:");
        line("  boost: 5");
        line("---");
        line("# " + task.title);
        line("");
        line(links.moved(task.program.toString(), task.before));
        line("");
        line("```" + task.language());
        page.append(task.code);
        line("```");
        line("");
        line("[Download " + file + "](" + file + "){ .md-button }");
        line("");
        copy(task.program);
        if (Files.exists(results.resolve(task.name)))
            writeOutputs(task);
        line("## Is the result right?");
        line("");
        line(links.moved(task.program.toString(), task.after));
        line("");
        line("## Next");
        line("");
        line((next == null ? "" : "[" + next.title + "](" + next.name + ".md) · ") + "[All tasks](index.md) · "
            + "[Sample images](../samples/index.md)");
        flush(task.name + ".md");
    }

    /** Shows what the program printed, its table and its images. */
    private void writeOutputs(Task task) throws IOException {
        Path outputs = results.resolve(task.name);
        line("It prints:");
        line("");
        line("```text");
        Files.readAllLines(outputs.resolve("printed.txt"), StandardCharsets.UTF_8)
            .stream()
            .limit(PRINTED)
            .forEach(this::line);
        line("```");
        line("");
        if (!task.columns.isEmpty())
            table(task, outputs.resolve("results.csv"));
        line("<div class=\"figures\" markdown>");
        line("");
        List<ImagePlus> images = new ArrayList<>();
        for (int i = 0; i < task.images.size(); i++) {
            Task.Image image = task.images.get(i);
            ImagePlus opened = IJ.openImage(outputs.resolve(image.file).toString());
            if (opened == null)
                throw new IllegalStateException(task.program + " did not write " + image.file);
            images.add(opened);
            String picture = "pictures/" + task.name + "_" + (i + 1) + ".png";
            Picture.write(Collections.singletonList(opened), Collections.singletonList(image.labels), SIZE,
                folder.resolve(picture));
            line("<figure markdown>");
            line("![" + task.title + ": " + image.caption + "](" + picture + "){ loading=lazy }");
            line("<figcaption>" + image.caption + "</figcaption>");
            line("</figure>");
            line("");
        }
        line("</div>");
        line("");
        drawCard(task, images);
    }

    /** Draws the first and the last image side by side for the gallery. */
    private void drawCard(Task task, List<ImagePlus> images) throws IOException {
        int last = images.size() - 1;
        List<ImagePlus> shown = new ArrayList<>(images.subList(last, last + 1));
        List<Boolean> labelled = new ArrayList<>(Collections.singletonList(task.images.get(last).labels));
        if (last > 0) {
            shown.add(0, images.get(0));
            labelled.add(0, task.images.get(0).labels);
        }
        Picture.write(shown, labelled, CARD, folder.resolve("pictures/" + task.name + ".png"));
    }

    private void table(Task task, Path file) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        List<String> headings = Arrays.asList(lines.get(0).split(","));
        line("The first rows of the Results table, and some of its columns:");
        line("");
        line("| " + String.join(" | ", task.columns) + " |");
        line("|" + String.join("", Collections.nCopies(task.columns.size(), "---|")));
        for (String row : lines.subList(1, Math.min(lines.size(), ROWS + 1))) {
            String[] cells = row.split(",");
            line(task.columns.stream()
                     .map(name -> cells[headings.indexOf(name)])
                     .collect(Collectors.joining(" | ", "| ", " |")));
        }
        line("");
    }

    private void gallery() throws IOException {
        line("---");
        line("hide: [toc]");
        line("---");
        line("# Tasks");
        line("");
        line("Each task is a page with one program, its pictures, and how to check the result. Macros run in Fiji with "
            + "Drua. Programs open [sample images](../samples/index.md) by their path in the project's folder; replace "
            + "the path by that of your image.");
        line("");
        for (String[] subject : SUBJECTS) {
            line("## " + subject[0]);
            line("");
            line("<div class=\"grid cards pictures\" markdown>");
            line("");
            for (String name : names(subject)) {
                Task task = tasks.get(name);
                boolean picture = Files.exists(folder.resolve("pictures/" + name + ".png"));
                line("-   " + (picture ? "![" + task.title + "](pictures/" + name + ".png){ loading=lazy }" : ""));
                line("");
                line("    **[" + task.title + "](" + name + ".md)**");
                line("");
                line("    " + task.question());
                line("");
            }
            line("</div>");
            line("");
        }
        flush("index.md");
    }

    /** The lines of the site's list of pages. */
    void navigation(StringBuilder list) {
        list.append("  - Tasks:\n      - tasks/index.md\n");
        for (String[] subject : SUBJECTS) {
            list.append("      - ").append(subject[0]).append(":\n");
            for (String name : names(subject))
                list.append("          - ")
                    .append(Quote.json(tasks.get(name).title))
                    .append(": tasks/")
                    .append(name)
                    .append(".md\n");
        }
    }

    private void copy(Path file) throws IOException {
        Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    private void flush(String name) throws IOException {
        Files.write(folder.resolve(name), page.toString().getBytes(StandardCharsets.UTF_8));
        page.setLength(0);
    }
}
