// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The library inside the jar is unpacked to, and loaded from, a folder that only the user can write to. */
public final class PrivateFolderTest {
    private static int passed, failed;

    private PrivateFolderTest() {}

    public static void main(String[] args) throws Exception {
        Path top = Files.createTempDirectory("private"), folder = top.resolve("a/b");
        check("a new folder", refusal(folder) == null && rights(folder).equals("rwx------"));
        for (String open : new String[] {"rwxrwxrwx", "rwxrwx---", "rwx----w-"}) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(open));
            String refusal = refusal(folder);
            check(open, refusal != null && refusal.contains("other users can write to " + folder));
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        check("others can read", refusal(folder) == null);
        Files.delete(folder);
        Files.delete(folder.getParent());
        Files.delete(top);
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(String what, boolean right) {
        passed += right ? 1 : 0;
        failed += right ? 0 : 1;
        if (!right)
            System.out.println("FAIL " + what);
    }

    private static String rights(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
    }

    /** Why the folder is rejected, or null. */
    private static String refusal(Path folder) throws Exception {
        Method method = Class.forName("drua.engine.NativeLibrary").getDeclaredMethod("makePrivate", Path.class);
        method.setAccessible(true);
        try {
            method.invoke(null, folder);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause().getMessage();
        }
    }
}
