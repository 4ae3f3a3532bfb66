// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads all classes of the class path again, with changed methods in the ImageJ classes that use windows; see {@link
 * ImageJChanges}. ij1-patcher finds the changed classes here, so both work together.
 */
public final class HeadlessLoader extends URLClassLoader {
    private HeadlessLoader(URL[] places) {
        super(places, ClassLoader.getSystemClassLoader().getParent());
    }

    /** Calls the class's main method in a new loader; returns false if such a loader is already in use. */
    public static boolean started(Class<?> program, String[] args)
        throws ReflectiveOperationException, MalformedURLException {
        if (program.getClassLoader().getClass().getName().equals(HeadlessLoader.class.getName()))
            return false;
        List<URL> places = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator))
            places.add(new File(place).toURI().toURL());
        HeadlessLoader loader = new HeadlessLoader(places.toArray(new URL[0]));
        Thread.currentThread().setContextClassLoader(loader);
        loader.loadClass(program.getName()).getMethod("main", String[].class).invoke(null, (Object) args);
        return true;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!ImageJChanges.has(name))
            return super.findClass(name);
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null)
                throw new ClassNotFoundException(name);
            byte[] bytes = read(in);
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    @Override
    public InputStream getResourceAsStream(String path) {
        InputStream plain = super.getResourceAsStream(ImageJChanges.source(path));
        String name = path.endsWith(".class") ? path.substring(0, path.length() - 6).replace('/', '.') : "";
        if (plain == null || !ImageJChanges.has(name))
            return plain;
        try (InputStream in = plain) {
            return new ByteArrayInputStream(ImageJChanges.apply(name, read(in)));
        } catch (IOException e) {
            return null;
        }
    }

    private static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        for (int n = in.read(part); n >= 0; n = in.read(part))
            all.write(part, 0, n);
        return all.toByteArray();
    }
}
