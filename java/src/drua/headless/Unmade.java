// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Creates ImageJ windows without running their constructors, which Java refuses without a display, although their
 * content needs no display.
 */
final class Unmade {
    private Unmade() {}

    static <T> T make(Class<T> type) throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Method allocate = unsafe.getMethod("allocateInstance", Class.class);
        return type.cast(allocate.invoke(field.get(null), type));
    }

    /** @param object null for a static field */
    static void set(Class<?> declaring, Object object, String field, Object value) throws ReflectiveOperationException {
        accessibleField(declaring, field).set(object, value);
    }

    static Object get(Class<?> declaring, Object object, String field) throws ReflectiveOperationException {
        return accessibleField(declaring, field).get(object);
    }

    private static Field accessibleField(Class<?> declaring, String field) throws ReflectiveOperationException {
        Field found = declaring.getDeclaredField(field);
        found.setAccessible(true);
        return found;
    }
}
