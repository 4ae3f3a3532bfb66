// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds and loads the engine's library. It searches these places in order: the file named by -Ddrua.library;
 * lib/PLATFORM next to ImageJ, its plugins folder or this jar; Java's library path; the copy inside the jar.
 */
public final class NativeLibrary {
    private static final String FILE = System.mapLibraryName("drua");

    /** Java properties that name a folder which may contain lib/. */
    private static final List<String> ROOTS =
        Collections.unmodifiableList(Arrays.asList("imagej.dir", "ij.dir", "plugins.dir"));

    private static boolean loaded;

    private NativeLibrary() {}

    /**
     * Loads the library once. If no library loads, throws an EngineException that lists every place that was searched.
     * Also throws one if the library's version differs from this jar's.
     */
    public static synchronized void load() {
        if (loaded)
            return;
        StringBuilder tried = new StringBuilder();
        String from = loadFirst(tried);
        if (from == null)
            throw new EngineException("Drua's native library " + FILE + " could not be loaded; " + advice(tried)
                + ", or name the file with -Ddrua.library=PATH. Tried:" + tried);
        String version = version();
        if (!Native.version().equals(version))
            throw new EngineException("Drua's jar is version " + version + " but its library " + from + " is version "
                + Native.version() + "; update both with Help>Update and restart ImageJ");
        Runtime.getRuntime().addShutdownHook(new Thread(Native::prepareExit, "Drua prepares exit"));
        loaded = true;
    }

    /** Java options for a child process that must find the same library. */
    static List<String> options() {
        List<String> options = new ArrayList<>(ROOTS);
        options.addAll(Arrays.asList("drua.library", "java.library.path"));
        options.removeIf(property -> System.getProperty(property) == null);
        options.replaceAll(property -> "-D" + property + "=" + System.getProperty(property));
        return options;
    }

    /** A file that exists but does not load needs other advice than a platform without a library. */
    private static String advice(StringBuilder tried) {
        boolean isThere = Arrays.stream(tried.toString().split("\n"))
                              .anyMatch(line -> !line.isEmpty() && !line.matches(".*: (no such file|not in this jar)"));
        return isThere ? "correct the problem below and restart ImageJ"
                       : "this installation has no library for " + platform()
                + ": run Help>Update, or build the library on this computer with ./dev build in Drua's source code";
    }

    /** The jar's version, such as "0.1.0". */
    public static String version() {
        try (InputStream in = NativeLibrary.class.getResourceAsStream("/drua.version")) {
            if (in == null)
                throw new EngineException("Drua's jar is damaged: drua.version is missing; install Drua again");
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine().trim();
        } catch (IOException e) {
            throw new EngineException("Drua's jar cannot be read (" + e.getMessage() + "); install Drua again");
        }
    }

    /** ImageJ's name for the platform, as in lib/linux64. */
    static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        String system = os.startsWith("mac") ? "macos" : os.startsWith("win") ? "win" : "linux";
        return system + (arm ? "-arm64" : "64");
    }

    /** Loads the first library that can be loaded; returns its place, or null. */
    private static String loadFirst(StringBuilder tried) {
        String given = System.getProperty("drua.library");
        if (given != null)
            return loadFile(new File(given), tried) ? given : null;
        for (File root : roots()) {
            File file = new File(root, "lib/" + platform() + "/" + FILE);
            if (loadFile(file, tried))
                return file.getPath();
        }
        for (String folder : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
            // never from the current folder, which is in Windows' search path
            File file = new File(folder, FILE);
            if (file.isAbsolute() && loadFile(file, tried))
                return file.getPath();
        }
        File copy = unpackLibrary(tried);
        return copy != null && loadFile(copy, tried) ? copy.getPath() : null;
    }

    private static boolean loadFile(File file, StringBuilder tried) {
        if (!file.isFile()) {
            noteFailure(tried, file.getPath(), "no such file");
            return false;
        }
        try {
            System.load(file.getAbsolutePath());
            return true;
        } catch (UnsatisfiedLinkError e) {
            String reason = e.getMessage();
            noteFailure(tried, file.getPath(),
                reason.contains("already loaded") ? "the plugins were refreshed while the library was loaded: "
                        + "restart ImageJ"
                                                  : reason);
            return false;
        }
    }

    private static void noteFailure(StringBuilder tried, String place, String reason) {
        tried.append("\n  ").append(place).append(": ").append(reason);
    }

    /**
     * Folders that may contain lib/: ImageJ's own and the folders above this jar, which is in plugins/ or in a folder
     * below it.
     */
    private static Set<File> roots() {
        Set<File> roots = new LinkedHashSet<>();
        for (String property : ROOTS) {
            String dir = System.getProperty(property);
            if (dir != null)
                roots.add(new File(dir));
        }
        CodeSource source = NativeLibrary.class.getProtectionDomain().getCodeSource();
        File folder = null;
        if (source != null && "file".equals(source.getLocation().getProtocol()))
            folder = new File(URI.create(source.getLocation().toString().replace(" ", "%20"))).getParentFile();
        for (int up = 0; up < 3 && folder != null; up++, folder = folder.getParentFile())
            roots.add(folder);
        return roots;
    }

    /** Copies the jar's library to the user's cache. Returns null if the jar has no library or the copy fails. */
    private static File unpackLibrary(StringBuilder tried) {
        String resource = "/natives/" + platform() + "/" + FILE;
        try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                noteFailure(tried, "the jar's " + resource, "not in this jar");
                return null;
            }
            byte[] bytes = bytes(in);
            Path target = cache().resolve(FILE);
            makePrivate(target.getParent());
            if (Files.isRegularFile(target) && Arrays.equals(Files.readAllBytes(target), bytes))
                return target.toFile();
            WholeFile.write(target.toFile(), part -> Files.write(part.toPath(), bytes));
            return target.toFile();
        } catch (IOException e) {
            noteFailure(tried, "the jar's " + resource, "could not be copied: " + e);
            return null;
        }
    }

    /**
     * Creates a folder that only the user can write to. Fails if the folder exists and others can write to it, because
     * they could replace the library that is loaded from it.
     */
    static void makePrivate(Path folder) throws IOException {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(folder);
            return;
        }
        Files.createDirectories(
            folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path probe = Files.createTempFile(folder, "drua", ".part");
        UserPrincipal user = Files.getOwner(probe);
        Files.delete(probe);
        if (!Files.getOwner(folder).equals(user))
            throw new IOException(folder + " belongs to another user; delete the folder, or ask its owner to");
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder);
        if (rights.contains(PosixFilePermission.GROUP_WRITE) || rights.contains(PosixFilePermission.OTHERS_WRITE))
            throw new IOException("other users can write to " + folder
                + "; remove their write permission (chmod go-w) or delete the "
                + "folder");
    }

    private static byte[] bytes(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] block = new byte[1 << 16];
        for (int n = in.read(block); n >= 0; n = in.read(block))
            out.write(block, 0, n);
        return out.toByteArray();
    }

    /** This version's folder in the user's cache. */
    static Path cache() {
        String home = System.getProperty("user.home"), base;
        if (platform().startsWith("win"))
            base = environment("LOCALAPPDATA", home + "/AppData/Local");
        else if (platform().startsWith("macos"))
            base = home + "/Library/Caches";
        else
            base = environment("XDG_CACHE_HOME", home + "/.cache");
        return new File(base, "drua/" + version() + "/" + platform()).toPath();
    }

    private static String environment(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }
}
