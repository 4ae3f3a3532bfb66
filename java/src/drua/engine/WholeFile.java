// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.io.File;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that appears when it is whole: whoever is killed, or finds the disk full, leaves the old one. */
public final class WholeFile {
    private WholeFile() {}

    /** Writes a file. */
    public interface Writer {
        void write(File part) throws IOException;
    }

    /**
     * Lets the writer write a file of another name in the same folder, with the same ending, and renames it. What is no
     * plain file, such as a pipe, is written as it is.
     */
    public static void write(File file, Writer writer) throws IOException {
        File target = file.getCanonicalFile();      /* of a link, what it points to */
        if (target.exists() && !target.isFile()) {
            writer.write(target);
            return;
        }
        File part = File.createTempFile("drua", "-" + target.getName(), target.getParentFile());
        try {
            writer.write(part);
            replace(part.toPath(), target.toPath());
        } finally {
            Files.deleteIfExists(part.toPath());
        }
    }

    private static void replace(Path part, Path target) throws IOException {
        try {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
