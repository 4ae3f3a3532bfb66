// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.MacroFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Macro files in all common encodings give the same text. */
public final class MacroFileTest {
    private static int passed, failed;

    private MacroFileTest() {}

    public static void main(String[] args) {
        String macro = "print(\"\u00b5m\");\n";
        byte[] utf8 = macro.getBytes(StandardCharsets.UTF_8);
        check("UTF-8", utf8, macro);
        check("UTF-8 with a mark", join(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, utf8), macro);
        check("UTF-16, little end first",
            join(new byte[] {(byte) 0xff, (byte) 0xfe}, macro.getBytes(StandardCharsets.UTF_16LE)), macro);
        check("UTF-16, big end first",
            join(new byte[] {(byte) 0xfe, (byte) 0xff}, macro.getBytes(StandardCharsets.UTF_16BE)), macro);
        check("Latin-1", macro.getBytes(StandardCharsets.ISO_8859_1), macro);
        check("a mark in the middle stays", "a\ufeffb".getBytes(StandardCharsets.UTF_8), "a\ufeffb");
        check("nothing", new byte[0], "");
        check("a mark alone", new byte[] {(byte) 0xff, (byte) 0xfe}, "");
        System.out.println(passed + " passed, " + failed + " failed, 0 skipped");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static byte[] join(byte[] mark, byte[] text) {
        byte[] all = Arrays.copyOf(mark, mark.length + text.length);
        System.arraycopy(text, 0, all, mark.length, text.length);
        return all;
    }

    private static void check(String what, byte[] bytes, String expected) {
        String got = MacroFile.of(bytes).text;
        if (got.equals(expected)) {
            passed++;
        } else {
            failed++;
            System.out.println("FAIL " + what + ": '" + got + "'");
        }
    }
}
