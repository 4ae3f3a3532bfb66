// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.dialog.Completion;
import drua.engine.Registry;
import java.util.HashSet;
import java.util.Set;

/** Fiji's Script Editor completes every command, and the dialog offers every operation that reads images. */
public final class CompletionTest {
    private CompletionTest() {}

    public static void main(String[] args) {
        int completions = new Completion().getCompletions(null).size(), commands = Registry.get().commands.size();
        Set<String> titles = new HashSet<>();
        int failed = completions == commands ? 0 : 1, passed = 1 - failed;
        if (failed > 0)
            System.out.println("FAIL completion: " + completions + " of " + commands + " commands");
        for (Registry.Operation operation : Registry.get().operations.values()) {
            boolean recorded = operation.host || Registry.get().commands.containsKey("Drua_" + operation.camelCase());
            boolean listed = !operation.menu || !operation.host && titles.add(operation.title());
            if (recorded && listed) {
                passed++;
            } else {
                failed++;
                System.out.println(
                    "FAIL " + operation.name + (listed ? ": no command to record" : ": cannot be in a menu"));
            }
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }
}
