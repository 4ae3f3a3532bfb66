// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.function.BiConsumer;

/**
 * A file that ImageJ writes. ImageJ's text writers ignore a full disk, so the first failure is reported to a listener
 * before it is thrown. {@link ImageJChanges} puts this class in the place of FileOutputStream.
 */
public final class WatchedFile extends FileOutputStream {
    private static volatile BiConsumer<String, IOException> listener = (path, failure) -> {};
    private final String path;
    private boolean isReported;

    public WatchedFile(String path) throws FileNotFoundException {
        this(path, false);
    }

    public WatchedFile(String path, boolean append) throws FileNotFoundException {
        super(path, append);
        this.path = path;
    }

    public WatchedFile(File file) throws FileNotFoundException {
        this(file.getPath(), false);
    }

    public WatchedFile(File file, boolean append) throws FileNotFoundException {
        this(file.getPath(), append);
    }

    /** Sets the listener. It receives the path of a file that cannot be written and the exception; it may throw. */
    static void watch(BiConsumer<String, IOException> newListener) {
        listener = newListener;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            super.write(bytes, from, length);
        } catch (IOException e) {
            report(e);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } catch (IOException e) {
            report(e);
            throw e;
        }
    }

    private void report(IOException failure) {
        if (!isReported) {
            isReported = true;
            listener.accept(path, failure);
        }
    }
}
