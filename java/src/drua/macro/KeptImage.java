// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import ij.macro.Functions;
import ij.macro.Interpreter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * The image and processor that ImageJ's interpreter caches between functions. The interpreter clears both after run()
 * and selectImage(), but not after Ext functions, so getPixel() after a pull would read the previous current image.
 */
final class KeptImage {
    private static final Field FUNCTIONS;
    private static final Method RESET;

    static {
        Field functions = null;
        Method reset = null;
        try {
            functions = Interpreter.class.getDeclaredField("func");
            functions.setAccessible(true);
            reset = Functions.class.getDeclaredMethod("resetImage");
            reset.setAccessible(true);
        } catch (ReflectiveOperationException | RuntimeException e) {
            reset = null;
        }
        FUNCTIONS = functions;
        RESET = reset;
    }

    private KeptImage() {}

    /** The interpreter's object that runs macro functions. */
    static Object functions(Interpreter interpreter) throws ReflectiveOperationException {
        return FUNCTIONS.get(interpreter);
    }

    /** Makes the next macro function look up the current image. Does nothing if this version of ImageJ lacks RESET. */
    static void forget(Interpreter interpreter) {
        try {
            if (RESET != null)
                RESET.invoke(functions(interpreter));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
