// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.WholeFile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A file is either the old one or the new one, whatever happens during writing. */
public final class WholeFileTest {
    private static int passed, failed;

    private WholeFileTest() {}

    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("whole"), file = folder.resolve("a.csv"),
             link = folder.resolve("link.csv");
        WholeFile.write(file.toFile(), part -> writeText(part, "old"));
        check("a new file", text(file).equals("old") && count(folder) == 1);
        WholeFile.write(file.toFile(), part -> {
            check("same ending, same folder",
                part.getName().endsWith(".csv") && part.getParentFile().equals(folder.toFile().getCanonicalFile()));
            writeText(part, "new");
            check("the old one stays meanwhile", text(file).equals("old"));
        });
        check("replaced", text(file).equals("new") && count(folder) == 1);
        String message = null;
        try {
            WholeFile.write(file.toFile(), part -> {
                writeText(part, "half");
                throw new IOException("disk full");
            });
        } catch (IOException e) {
            message = e.getMessage();
        }
        check("a writer that fails", "disk full".equals(message) && text(file).equals("new") && count(folder) == 1);
        Files.createSymbolicLink(link, file);
        WholeFile.write(link.toFile(), part -> writeText(part, "through a link"));
        check("a link stays one", Files.isSymbolicLink(link) && text(file).equals("through a link"));
        for (String rights : new String[] {"r--r-----", "rw-r--r--", "rw-rw----"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
            WholeFile.write(file.toFile(), part -> writeText(part, rights));
            check("rights stay: " + rights,
                text(file).equals(rights)
                    && PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).equals(rights));
        }
        WholeFile.write(new File("/dev/null"), part -> writeText(part, "nothing"));
        check("a device stays one", !Files.isRegularFile(new File("/dev/null").toPath()));
        Files.delete(link);
        Files.delete(file);
        Files.delete(folder);
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(String what, boolean right) {
        passed += right ? 1 : 0;
        failed += right ? 0 : 1;
        if (!right)
            System.out.println("FAIL " + what);
    }

    private static void writeText(File file, String text) throws IOException {
        Files.write(file.toPath(), text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private static int count(Path folder) {
        return folder.toFile().list().length;
    }
}
