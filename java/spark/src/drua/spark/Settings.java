/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

/** The command line of {@link RunBlocks}. */
final class Settings {
    static final String USAGE =
        "usage: spark-submit --class drua.spark.RunBlocks drua-spark.jar PLAN.json [--drua PROGRAM] [--folder FOLDER]"
        + " [--blocks-per-task N] [--tries N] [--no-finish]";

    String plan;
    String program = "drua";
    String folder = System.getProperty("user.dir");
    long blocksPerTask; // 0: enough to keep all executors busy
    int tries = 4;
    boolean finishes = true;

    static Settings parse(String[] words) {
        Settings settings = new Settings();
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "--no-finish" -> settings.finishes = false;
                case "--drua" -> settings.program = value(words, ++i);
                case "--folder" -> settings.folder = value(words, ++i);
                case "--blocks-per-task" -> settings.blocksPerTask = number(words, ++i, 1_000_000);
                case "--tries" -> settings.tries = (int) number(words, ++i, 100);
                default -> {
                    if (words[i].startsWith("-") || settings.plan != null) {
                        throw new IllegalArgumentException("'" + words[i]
                            + "' is not an option, or there is one argument too many");
                    }
                    settings.plan = words[i];
                }
            }
        }
        if (settings.plan == null) {
            throw new IllegalArgumentException("the plan file is missing");
        }
        return settings;
    }

    private static String value(String[] words, int i) {
        if (i == words.length) {
            throw new IllegalArgumentException("the value of " + words[i - 1] + " is missing");
        }
        return words[i];
    }

    private static long number(String[] words, int i, long max) {
        String text = value(words, i);
        if (!text.matches("[0-9]{1,9}") || Long.parseLong(text) < 1 || Long.parseLong(text) > max) {
            throw new IllegalArgumentException(words[i - 1] + " '" + text + "' is not a number from 1 to " + max);
        }
        return Long.parseLong(text);
    }
}
