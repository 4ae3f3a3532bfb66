// SPDX-License-Identifier: BSD-3-Clause
package drua.pipeline;

import drua.engine.EngineException;
import drua.engine.Quote;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Exports a pipeline as a script for a POSIX shell, which runs the macro without a display on image files. The results
 * get the names that {@link FolderRun} gives them.
 */
public final class ShellScript {
    private static final String PATHS = "paths=\nfor path; do\n    case $path in /*) ;; *) path=$PWD/$path ;; esac\n"
        + "    paths=\"$paths$path\n\"\ndone\n";

    private ShellScript() {}

    /** Fails if the pipeline has no source image. */
    public static String of(Pipeline pipeline) {
        List<String> titles =
            pipeline.steps(Step.Role.SOURCE).stream().map(step -> step.title).distinct().collect(Collectors.toList());
        if (titles.isEmpty())
            throw new EngineException("the pipeline has no source image; add one with Edit>Add image...");
        List<String> files = new ArrayList<>();
        for (int i = 1; i <= titles.size(); i++)
            files.add("IMAGE" + (titles.size() == 1 ? "" : i));
        return "set -eu\nif [ $# -ne " + (titles.size() + 1) + " ]; then\n    echo \"usage: sh $0 "
            + String.join(" ", files) + " FOLDER_OF_RESULTS\" >&2\n    exit 2\nfi\n" + PATHS
            + "macro=$(mktemp)\ntrap 'rm -f \"$macro\"' EXIT\nprintf '%s' "
            + Quote.shell(beginning(titles) + FolderRun.savingMacro(pipeline)) + " >\"$macro\"\n"
            + FolderRun.javaCommand() + " drua.MacroMain \"$macro\" \"$paths\"\n";
    }

    /** Opens the images. The image without a title is opened last, because the pipeline takes the current image. */
    private static String beginning(List<String> titles) {
        StringBuilder macro = new StringBuilder("given = split(getArgument(), \"\\n\");\n"
            + "saved_as = given[given.length - 1] + File.separator + File.getNameWithoutExtension(given[0]);\n");
        for (int i = 0; i < titles.size(); i++) {
            if (titles.get(i) != null)
                macro.append(openingLines(i)).append("rename(").append(Quote.macro(titles.get(i))).append(");\n");
        }
        int current = titles.indexOf(null);
        return macro.append(current < 0 ? "" : openingLines(current)).toString();
    }

    private static String openingLines(int file) {
        return "wrong = call(\"drua.imagej.QuietMacro.open\", given[" + file + "]);\nif (wrong != \"\") exit(wrong);\n";
    }
}
