// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import ij.IJ;
import ij.ImagePlus;
import ij.macro.Interpreter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;

/** A stack is released when no window shows its rotated view. */
public final class TipTiltTest {
    private TipTiltTest() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        Class<?> viewer = Class.forName("drua.macro.TipTilt");
        Method show = viewer.getDeclaredMethod("show", ImagePlus.class, boolean.class);
        Field viewers = viewer.getDeclaredField("VIEWERS");
        show.setAccessible(true);
        viewers.setAccessible(true);
        Interpreter.batchMode = true;
        for (String title : new String[] {"first", "second"})
            show.invoke(null, IJ.createImage(title, "8-bit ramp", 16, 16, 4), false);
        int kept = ((Map<?, ?>) viewers.get(null)).size();
        System.out.println(
            kept == 0 ? "1 passed, 0 failed" : "FAIL stacks that are kept: " + kept + "\n0 passed, 1 failed");
        System.exit(kept == 0 ? 0 : 1);
    }
}
