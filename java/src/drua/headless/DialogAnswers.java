// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import ij.Macro;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * The values for a macro's own dialogs (Dialog.create), from the option --dialog of the command line. The values
 * have the form of a command's options: key=value, with the first word of a field's label as its key.
 */
public final class DialogAnswers {
    private static String given;
    private static final Set<String> UNREAD = new TreeSet<>();

    private DialogAnswers() {}

    /** @param options the values, or null if dialogs stop the macro */
    static void give(String options) {
        given = options == null ? null : options + " ";
        UNREAD.clear();
        if (options != null)
            for (String word : options.replaceAll("\\[[^\\]]*\\]", "").trim().split("\\s+"))
                UNREAD.add(word.replaceFirst("=.*", ""));
    }

    /** The options of the command that runs, or the answers in a dialog of the macro itself; null without any. */
    public static String options() {
        String ofCommand = Macro.getOptions();
        boolean isCommand = Arrays.stream(Thread.currentThread().getStackTrace())
                                .anyMatch(call -> call.getClassName().equals("ij.Executer"));
        return ofCommand != null || isCommand ? ofCommand : given;
    }

    /** Call for each field of a dialog, with its key. */
    public static void hasField(String key) {
        UNREAD.remove(key);
    }

    /** Prints the keys that no dialog had; returns false if there are some. */
    static boolean allRead() {
        UNREAD.remove("");
        if (!UNREAD.isEmpty())
            System.err.println("--dialog: no dialog of the macro has a field named " + String.join(", ", UNREAD)
                + "; a name is the first word of a label, in lower case");
        return UNREAD.isEmpty();
    }
}
