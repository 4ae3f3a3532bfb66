// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import ij.macro.Functions;
import ij.macro.Interpreter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * The image and processor that ImageJ's interpreter keeps from one function to the next. The interpreter forgets both
 * after run() and selectImage(), but not after Ext functions: getPixel() after a pull would read the image that was
 * current before.
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

    /** The object that carries out a macro's functions. */
    static Object functions(Interpreter interpreter) throws ReflectiveOperationException {
        return FUNCTIONS.get(interpreter);
    }

    /** Makes the macro's next function look up the current image. An ImageJ without that method stays as it is. */
    static void forget(Interpreter interpreter) {
        try {
            if (RESET != null)
                RESET.invoke(functions(interpreter));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
