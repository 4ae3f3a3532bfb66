// SPDX-License-Identifier: BSD-3-Clause
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Creates or checks a Fiji update site: db.xml.gz, and every file next to it as NAME-TIMESTAMP.
 *
 *   java MakeSite.java FOLDER SITE [TIMESTAMP]  adds all files of FOLDER, which has Fiji's layout: plugins/,
 *                                               lib/PLATFORM/, licenses/
 *   java MakeSite.java --check SITE FOLDER      checks the site and installs its files into FOLDER as the updater would
 *
 * An existing site is updated: unchanged files keep their timestamp, and changed ones are also listed as previous
 * versions. Other files of the site stay.
 */
final class MakeSite {
    private static final List<String> PLATFORMS =
        Arrays.asList("linux64", "linux-arm64", "macos64", "macos-arm64", "win64", "win-arm64");

    /** The updater's record of a file. */
    private static final class Entry {
        String checksum, timestamp, platform;
        long size;
        final List<String> previous = new ArrayList<>();
    }

    public static void main(String[] args) throws IOException, ParserConfigurationException, SAXException {
        if (args.length == 3 && args[0].equals("--check"))
            System.exit(check(Paths.get(args[1]), Paths.get(args[2])));
        if (args.length < 2 || args.length > 3) {
            System.err.println("usage: java MakeSite.java FOLDER SITE [TIMESTAMP] | --check SITE FOLDER");
            System.exit(2);
        }
        make(Paths.get(args[0]), Paths.get(args[1]),
            args.length > 2 ? args[2] : new SimpleDateFormat("yyyyMMddHHmmss").format(new Date()));
    }

    /* ---- making */

    private static void make(Path folder, Path site, String timestamp)
        throws IOException, ParserConfigurationException, SAXException {
        Map<String, Entry> entries = Files.exists(site.resolve("db.xml.gz")) ? read(site) : new TreeMap<>();
        for (Map.Entry<String, Path> file : staged(folder).entrySet())
            add(entries, file.getKey(), file.getValue(), site, timestamp);
        write(entries, site);
        System.out.println(site + ": " + entries.size() + " files, " + timestamp);
    }

    /**
     * Maps names in Fiji's folder to files. Fails if a file lies where the updater would not recognize it.
     */
    private static Map<String, Path> staged(Path folder) throws IOException {
        Map<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile)
                .forEach(path -> files.put(folder.relativize(path).toString().replace('\\', '/'), path));
        }
        for (String name : files.keySet())
            if (!name.matches("plugins/[^/]+\\.jar|licenses/.+")
                && (!name.matches("lib/.+/.+") || platformOf(name) == null))
                throw new IOException(name + " is not a valid place in an update site; use plugins/NAME.jar, "
                    + "lib/PLATFORM/NAME or licenses/");
        if (files.keySet().stream().noneMatch(name -> name.startsWith("plugins/"))
            || files.keySet().stream().noneMatch(name -> name.startsWith("lib/")))
            throw new IOException("the plugin's jars and a library must be in " + folder + ", found " + files.keySet());
        return files;
    }

    private static void add(Map<String, Entry> entries, String name, Path file, Path site, String timestamp)
        throws IOException {
        String checksum = checksum(name, file), old = sameFile(entries, name);
        Entry entry = old == null ? new Entry() : entries.get(old);
        if (old != null && old.equals(name) && entry.checksum.equals(checksum))
            return;
        if (old != null) {
            entry.previous.add(0,
                "<previous-version timestamp=\"" + entry.timestamp + "\" timestamp-obsolete=\"" + timestamp
                    + "\" checksum=\"" + entry.checksum + "\" filename=\"" + old + "\"/>");
            entries.remove(old);
        }
        entry.checksum = checksum;
        entry.timestamp = timestamp;
        entry.size = Files.size(file);
        entry.platform = platformOf(name);
        entries.put(name, entry);
        Path target = site.resolve(name + "-" + timestamp);
        Files.createDirectories(target.getParent());
        Files.deleteIfExists(target);
        Files.copy(file, target);
        /* The updater treats an executable library as a program for every platform. */
        if (Files.getFileStore(target).supportsFileAttributeView("posix"))
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r--r--"));
    }

    /** The entry with that name, or the entry of another version of the same jar; null if the site has neither. */
    private static String sameFile(Map<String, Entry> entries, String name) {
        String plain = withoutVersion(name);
        return entries.keySet().stream().filter(known -> withoutVersion(known).equals(plain)).findFirst().orElse(null);
    }

    private static String withoutVersion(String name) {
        return name.replaceAll("-\\d[\\w.]*(?=\\.jar$)", "");
    }

    private static String platformOf(String name) {
        String[] parts = name.split("/");
        return parts.length > 2 && parts[0].equals("lib") && PLATFORMS.contains(parts[1]) ? parts[1] : null;
    }

    /**
     * The updater's checksum. For a jar it covers the contents of the entries, so times and compression do not matter.
     */
    private static String checksum(String name, Path file) throws IOException {
        MessageDigest digest = sha1();
        if (name.endsWith(".jar")) {
            try (ZipFile zip = new ZipFile(file.toFile())) {
                List<ZipEntry> sorted =
                    zip.stream().sorted(Comparator.comparing(ZipEntry::getName)).collect(Collectors.toList());
                for (ZipEntry entry : sorted) {
                    digest.update(entry.getName().getBytes(StandardCharsets.US_ASCII));
                    try (InputStream in = zip.getInputStream(entry)) {
                        digest.update(relevant(entry.getName(), in.readAllBytes()));
                    }
                }
            }
        } else {
            digest.update(name.getBytes(StandardCharsets.US_ASCII));
            digest.update(Files.readAllBytes(file));
        }
        StringBuilder text = new StringBuilder();
        for (byte b : digest.digest())
            text.append(String.format("%02x", b));
        return text.toString();
    }

    /**
     * The part of a file that the checksum covers: only the name of a manifest, and properties without their comments.
     */
    private static byte[] relevant(String name, byte[] content) {
        if (name.equals("META-INF/MANIFEST.MF"))
            return new byte[0];
        if (!name.endsWith(".properties"))
            return content;
        String text = new String(content, StandardCharsets.ISO_8859_1).replaceAll("(?m)^#.*(\\R|\\z)", "");
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); /* every Java has SHA-1 */
        }
    }

    private static void write(Map<String, Entry> entries, Path site) throws IOException {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pluginRecords>\n");
        entries.forEach((name, entry) -> {
            xml.append("  <plugin filename=\"").append(name).append("\">\n");
            if (entry.platform != null)
                xml.append("    <platform>").append(entry.platform).append("</platform>\n");
            xml.append("    <version checksum=\"")
                .append(entry.checksum)
                .append("\" timestamp=\"")
                .append(entry.timestamp)
                .append("\" filesize=\"")
                .append(entry.size)
                .append("\"/>\n");
            for (String previous : entry.previous)
                xml.append("    ").append(previous).append('\n');
            xml.append("  </plugin>\n");
        });
        xml.append("</pluginRecords>\n");
        Files.createDirectories(site);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(site.resolve("db.xml.gz")))) {
            out.write(xml.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /* ---- reading */

    private static Map<String, Entry> read(Path site) throws IOException, ParserConfigurationException, SAXException {
        Map<String, Entry> entries = new TreeMap<>();
        NodeList plugins;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(site.resolve("db.xml.gz")))) {
            plugins =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getElementsByTagName("plugin");
        }
        for (int i = 0; i < plugins.getLength(); i++) {
            Element plugin = (Element) plugins.item(i),
                    version = (Element) plugin.getElementsByTagName("version").item(0);
            Entry entry = new Entry();
            entry.checksum = version.getAttribute("checksum");
            entry.timestamp = version.getAttribute("timestamp");
            entry.size = Long.parseLong(version.getAttribute("filesize"));
            NodeList platforms = plugin.getElementsByTagName("platform"),
                     previous = plugin.getElementsByTagName("previous-version");
            entry.platform = platforms.getLength() == 0 ? null : platforms.item(0).getTextContent();
            for (int k = 0; k < previous.getLength(); k++) {
                Element old = (Element) previous.item(k);
                entry.previous.add("<previous-version timestamp=\"" + old.getAttribute("timestamp")
                    + "\" timestamp-obsolete=\"" + old.getAttribute("timestamp-obsolete") + "\" checksum=\""
                    + old.getAttribute("checksum") + "\" filename=\"" + old.getAttribute("filename") + "\"/>");
            }
            entries.put(plugin.getAttribute("filename"), entry);
        }
        return entries;
    }

    /** Returns the exit status: 1 if a file differs from its record in the site. */
    private static int check(Path site, Path folder) throws IOException, ParserConfigurationException, SAXException {
        int failed = 0, passed = 0;
        for (Map.Entry<String, Entry> one : read(site).entrySet()) {
            String name = one.getKey(), wrong = wrong(site, name, one.getValue());
            if (wrong == null) {
                passed++;
                Path target = folder.resolve(name);
                Files.createDirectories(target.getParent());
                Files.deleteIfExists(target);
                Files.copy(site.resolve(name + "-" + one.getValue().timestamp), target);
            } else {
                failed++;
                System.out.println("FAIL " + name + ": " + wrong);
            }
        }
        System.out.println(passed + " passed, " + failed + " failed, 0 skipped");
        return failed == 0 && passed > 0 ? 0 : 1;
    }

    private static String wrong(Path site, String name, Entry entry) throws IOException {
        Path file = site.resolve(name + "-" + entry.timestamp);
        if (!Files.isRegularFile(file))
            return "no file " + file;
        if (Files.size(file) != entry.size)
            return "size: listed " + entry.size + ", is " + Files.size(file);
        if (!checksum(name, file).equals(entry.checksum))
            return "checksum: listed " + entry.checksum + ", is " + checksum(name, file);
        if (!entry.timestamp.matches("\\d{14}"))
            return "timestamp " + entry.timestamp + " is not yyyyMMddHHmmss";
        if (Files.isExecutable(file) && Files.getFileStore(file).supportsFileAttributeView("posix")
            && !PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).equals("rw-r--r--"))
            return "mode " + PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                + ", expected rw-r--r--";
        String due = platformOf(name);
        if (due == null ? entry.platform != null : !due.equals(entry.platform))
            return "platform: listed " + entry.platform + ", expected " + due;
        if (name.startsWith("plugins/") && !name.matches("plugins/[^/]*_[^/]*\\.jar"))
            return "ImageJ finds plugins only in jars with an underscore in their name";
        return null;
    }
}
