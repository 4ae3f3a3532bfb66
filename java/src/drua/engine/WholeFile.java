// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.io.File;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

/**
 * A file that is replaced only when the new one is complete. If the process is killed or the disk is full, the old file
 * stays.
 */
public final class WholeFile {
    private WholeFile() {}

    /** Writes a file. */
    public interface Writer {
        void write(File part) throws IOException;
    }

    /**
     * Lets the writer write a temporary file with the same extension in the same folder, and renames it. The owner and
     * the permissions of a replaced file stay the same. A pipe or a device is written directly.
     */
    public static void write(File file, Writer writer) throws IOException {
        File target = file.getCanonicalFile(); /* for a link, its target */
        if (target.exists() && !target.isFile()) {
            writer.write(target);
            return;
        }
        File part = new File(target.getParentFile(), "drua" + System.nanoTime() + "-" + target.getName());
        Files.createFile(part.toPath());
        try {
            writer.write(part);
            if (target.exists())
                copyRights(target.toPath(), part.toPath());
            replace(part.toPath(), target.toPath());
        } finally {
            Files.deleteIfExists(part.toPath());
        }
    }

    private static void copyRights(Path from, Path to) throws IOException {
        try {
            PosixFileAttributes rights = Files.readAttributes(from, PosixFileAttributes.class);
            PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
            if (!rights.owner().equals(view.readAttributes().owner()))
                view.setOwner(rights.owner());
            if (!rights.group().equals(view.readAttributes().group()))
                view.setGroup(rights.group());
            view.setPermissions(rights.permissions());
        } catch (UnsupportedOperationException e) {
            return; // on Windows the folder determines the permissions
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
