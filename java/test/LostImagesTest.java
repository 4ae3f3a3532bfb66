// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.Drua;
import drua.DruaException;
import drua.Image;
import drua.engine.Native;
import ij.ImagePlus;
import ij.process.FloatProcessor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that images and devices are freed if a program loses them without closing them, and that objects in use are
 * kept.
 */
final class LostImagesTest extends Expectations {
    private static final int SIDE = 256, LOST = 10_000;
    private static final double MAX_MEGABYTES = 200;

    private LostImagesTest() {}

    public static void main(String[] args) throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        System.setErr(new PrintStream(errors, true));
        losesImages();
        losesDevices();
        System.setErr(before);
        String told = errors.toString();
        expect("the message about lost images appears once", 1, told.split("did not close", -1).length - 1);
        severalThreads();
        Runtime.getRuntime().halt(sum());
    }

    private static ImagePlus onePixelImage(float grey) {
        FloatProcessor pixels = new FloatProcessor(SIDE, SIDE);
        pixels.setf(0, grey);
        return new ImagePlus("plain", pixels);
    }

    private static long context(Drua drua) throws ReflectiveOperationException {
        Field field = Drua.class.getDeclaredField("context");
        field.setAccessible(true);
        return field.getLong(drua);
    }

    /** Megabytes on the device and on the host. */
    private static double heldMegabytes(long context) {
        Matcher sizes =
            Pattern
                .compile("held on (?!the host)[^\\n]*?: ([0-9.]+) ([a-zA-Z]+),|held on the host: ([0-9.]+) ([a-zA-Z]+)")
                .matcher(Native.reportMemory(context));
        double sum = 0;
        int found = 0;
        for (; sizes.find(); found++) {
            int first = sizes.group(1) == null ? 3 : 1;
            String unit = sizes.group(first + 1);
            double megabytes = unit.equals("Mb") ? 1 : 0;
            if (unit.equals("Gb"))
                megabytes = 1024;
            else if (unit.equals("kb"))
                megabytes = 1.0 / 1024;
            sum += Double.parseDouble(sizes.group(first)) * megabytes;
        }
        expect("sizes in the report", 2, found);
        return sum;
    }

    /** Makes results from results and keeps only a few, as scripts do. */
    private static void losesImages() throws Exception {
        Drua drua = Drua.open("");
        long context = context(drua);
        Native.setMemory(context, "64MB");
        List<Image> kept = new ArrayList<>();
        double max = 0;
        for (int i = 0; i < LOST / 2; i++) {
            Image sum = drua.addImageAndScalar(drua.push(onePixelImage(i)), 1);
            if (i % 500 == 0) {
                kept.add(sum);
                drua.sync();
                max = Math.max(max, heldMegabytes(context));
            }
        }
        if (max > MAX_MEGABYTES)
            expect("memory of " + LOST + " lost images", "at most " + MAX_MEGABYTES + " MB", max + " MB");
        for (int i = 0; i < kept.size(); i++)
            expect("kept image " + i, 500.0 * i + 1, (double) drua.pull(kept.get(i)).getProcessor().getf(0));
        expect("kept images", LOST / 1000, kept.size());
        kept.forEach(Image::close);
        drua.close();
    }

    /** Opens devices repeatedly and closes none, as a script that runs repeatedly may do. */
    private static void losesDevices() throws Exception {
        Drua kept = Drua.open("");
        Image image = kept.push(onePixelImage(3));
        for (int i = 0; i < 20; i++)
            Drua.open("").push(onePixelImage(i));
        Drua last = Drua.open("");
        Field field = Drua.class.getDeclaredField("contexts");
        field.setAccessible(true);
        Object contexts = field.get(null);
        Field entries = contexts.getClass().getDeclaredField("entries");
        entries.setAccessible(true);
        int open = ((java.util.Set<?>) entries.get(contexts)).size();
        if (open > 4)
            expect("open devices", "at most 4", open);
        expect("kept image", 3f, kept.pull(image).getProcessor().getf(0));
        last.close();
        kept.close();
    }

    /** Threads lose and close images while another thread closes the device. */
    private static void severalThreads() throws Exception {
        AtomicReference<Throwable> fault = new AtomicReference<>();
        for (int round = 0; round < 5; round++) {
            Drua drua = Drua.open("");
            Thread[] threads = new Thread[4];
            for (int t = 0; t < threads.length; t++) {
                threads[t] = new Thread(() -> loseUntilClosed(drua, fault));
                threads[t].start();
            }
            for (int i = 0; i < 10; i++) {
                Thread.sleep(20);
                System.gc();
            }
            drua.close();
            for (Thread thread : threads)
                thread.join();
        }
        expect("no thread failed", null, fault.get());
    }

    private static void loseUntilClosed(Drua drua, AtomicReference<Throwable> fault) {
        try {
            for (int i = 0;; i++) {
                Image image = drua.push(onePixelImage(i)), copy = drua.copy(image);
                if (i % 3 == 0)
                    image.close();
                float got = drua.pull(copy).getProcessor().getf(0);
                if (got != i)
                    fault.compareAndSet(null, new IllegalStateException(got + " for " + i));
            }
        } catch (DruaException e) {
            if (!"this Drua object is closed; open a new one with Drua.open()".equals(e.getMessage()))
                fault.compareAndSet(null, e);
        } catch (Throwable e) {
            fault.compareAndSet(null, e);
        }
    }
}
