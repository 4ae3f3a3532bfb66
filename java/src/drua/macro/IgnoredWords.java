// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Registry;
import ij.IJ;
import ij.process.AutoThresholder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Tells in the Log, once a macro, of a word or number that a command does not know and for which it takes another. */
final class IgnoredWords {
    private final Set<String> told = new HashSet<>();

    void check(Registry.Command command, String[] texts, double[] numbers) {
        for (int i = 0; i < texts.length; i++) {
            String name = command.arguments.get(i).name;
            if (name.equals("method") && command.operation.name.contains("automatic_threshold"))
                checkMethod(command, texts[i]);
            else if (name.equals("bit_depth"))
                checkDepth(command, numbers[i]);
        }
    }

    private void checkMethod(Registry.Command command, String word) {
        String[] known = AutoThresholder.getMethods();
        if (Arrays.stream(known).noneMatch(method -> method.equalsIgnoreCase(word)))
            tell(
                command, "there is no method '" + word + "', Default was taken; known are " + String.join(", ", known));
    }

    /** Other depths mean 32 bits, as in CLIJ2. */
    private void checkDepth(Registry.Command command, double bits) {
        long whole = (long) bits;
        if (whole != 8 && whole != 16 && whole != 32)
            tell(command, "there is no bit depth of " + whole + ", 32 was taken; known are 8, 16 and 32");
    }

    private void tell(Registry.Command command, String sentence) {
        if (told.add(sentence))
            IJ.log(command.name + ": " + sentence);
    }
}
