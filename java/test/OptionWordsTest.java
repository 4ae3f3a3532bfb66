// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.imagej.OptionWords;
import java.util.TreeMap;

/** OptionWords parses options texts by the engine's rules. */
public final class OptionWordsTest {
    private static int passed, failed;

    private OptionWordsTest() {}

    public static void main(String[] args) {
        NativeLibrary.load();
        Registry.Parameter options = Registry.get().operations.get("deconvolve").parameter("options");
        check(options, "", "{}");
        check(options, "iterations=2 background=1e-3", "{background=1e-3, iterations=2}");
        check(options, "iterations=200,keep_partial", "{iterations=200, keep_partial=true}");
        check(
            options, " ,iterations=2,background=100,\tspacing=1,1,3", "{background=100, iterations=2, spacing=1,1,3}");
        check(options, "devices=H200,A100,keep_partial=false", "{devices=H200,A100, keep_partial=false}");
        check(options, "Iterations=2 ITERATIONS=3", "{iterations=3}");
        check("on",
            OptionWords.isOn(options, "stop=0,KEEP_PARTIAL", "keep_partial")
                && OptionWords.isOn(options, "keep_partial=1", "keep_partial"));
        check("off",
            !OptionWords.isOn(options, "keep_partial=0", "keep_partial")
                && !OptionWords.isOn(options, "stop=0", "keep_partial"));
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(Registry.Parameter options, String text, String expected) {
        String got = new TreeMap<>(OptionWords.of(options, text)).toString();
        check(text + ": " + got, got.equals(expected));
    }

    private static void check(String what, boolean right) {
        passed += right ? 1 : 0;
        failed += right ? 0 : 1;
        if (!right)
            System.out.println("FAIL " + what);
    }
}
