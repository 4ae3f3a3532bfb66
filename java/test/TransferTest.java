// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.Native;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Transfers stacks of Java arrays to the device and back. With -Xmx96m, one virtual stack is larger than Java's memory.
 * With DRUA_AS_GPU=1, transfers take the code paths of GPUs.
 */
public final class TransferTest {
    private static final int UINT8 = 1, UINT16 = 3, INT32 = 6, FLOAT32 = 7;
    private static final AtomicInteger failed = new AtomicInteger(), passed = new AtomicInteger();

    private TransferTest() {}

    private static void check(boolean right, String what) {
        (right ? passed : failed).incrementAndGet();
        if (!right)
            System.out.println("FAIL " + what);
    }

    private static int value(int seed, int z, int i) {
        return (seed + z * 31 + i * 7) % 251;
    }

    private static Object plane(int type, int pixels, int seed, int z) {
        Object plane = makeArray(type, pixels);
        for (int i = 0; i < pixels; i++) {
            int v = value(seed, z, i);
            if (type == UINT8)
                ((byte[]) plane)[i] = (byte) v;
            else if (type == UINT16)
                ((short[]) plane)[i] = (short) (v * 200);
            else if (type == INT32)
                ((int[]) plane)[i] = v * -70001;
            else
                ((float[]) plane)[i] = v / 3f;
        }
        return plane;
    }

    private static Object makeArray(int type, int pixels) {
        if (type == UINT8)
            return new byte[pixels];
        if (type == UINT16)
            return new short[pixels];
        if (type == INT32)
            return new int[pixels];
        return new float[pixels];
    }

    private static boolean areEqual(int type, Object a, Object b) {
        if (type == UINT8)
            return java.util.Arrays.equals((byte[]) a, (byte[]) b);
        if (type == UINT16)
            return java.util.Arrays.equals((short[]) a, (short[]) b);
        if (type == INT32)
            return java.util.Arrays.equals((int[]) a, (int[]) b);
        return java.util.Arrays.equals((float[]) a, (float[]) b);
    }

    private static long push(long context, long old, int type, int width, int height, int depth, int seed) {
        return Native.push(
            context, old, width, height, depth, depth > 1 ? 3 : 2, type, z -> plane(type, width * height, seed, z));
    }

    private static void expect(long context, long image, int type, int pixels, int depth, int seed, String what) {
        Object[] planes = new Object[depth];
        for (int z = 0; z < depth; z++)
            planes[z] = makeArray(type, pixels);
        Native.pull(context, image, planes);
        boolean right = true;
        for (int z = 0; z < depth; z++)
            right &= areEqual(type, planes[z], plane(type, pixels, seed, z));
        check(right, what);
    }

    private static void roundTrip(long context, int type, int width, int height, int depth) {
        String what = "type " + type + ", " + width + "x" + height + "x" + depth;
        long image = push(context, 0, type, width, height, depth, 1);
        expect(context, image, type, width * height, depth, 1, what);
        check(push(context, image, type, width, height, depth, 5) == image, what + ": another image");
        expect(context, image, type, width * height, depth, 5, what + ", overwritten");
        Native.release(context, image);
    }

    /** Pushes planes of wrong types or sizes; the existing image must stay unchanged. */
    private static void refuse(long context, int bad) {
        long image = push(context, 0, UINT16, 300, 200, 40, 1);
        String[] kinds = {"too short", "of another type", "missing", "thrown"};
        for (String kind : kinds)
            try {
                Native.push(context, image, 300, 200, 40, 3, UINT16, z -> {
                    if (z != bad)
                        return plane(UINT16, 60000, 9, z);
                    if (kind.equals("thrown"))
                        throw new IllegalStateException("thrown");
                    return kind.equals("missing")  ? null
                        : kind.equals("too short") ? new short[5]
                                                   : (Object) new float[60000];
                });
                check(false, "a plane " + kind + " was taken");
            } catch (IllegalArgumentException | IllegalStateException e) {
                check(true, kind);
            }
        expect(context, image, UINT16, 60000, 40, 1, "image after a refusal at plane " + bad);
        try {
            Native.pull(context, image, new Object[40]);
            check(false, "missing arrays were filled");
        } catch (IllegalArgumentException e) {
            check(true, "pull");
        }
        Native.release(context, image);
    }

    /** Pushes a virtual stack that is twice as large as Java's memory. */
    private static void virtual(long context) {
        int depth = (int) (2 * Math.min(Runtime.getRuntime().maxMemory(), 96 << 20) / (2 << 20));
        long image = push(context, 0, UINT16, 1024, 1024, depth, 3);
        check(Native.info(context, image)[2] == depth, "virtual stack of " + depth + " planes");
        Native.release(context, image);
    }

    private static void together(long context) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int seed = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 5; i++) {
                    long image = push(context, 0, UINT16, 128, 128, 64, seed);
                    expect(context, image, UINT16, 128 * 128, 64, seed, "thread " + seed);
                    Native.release(context, image);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads)
            thread.join();
    }

    public static void main(String[] args) throws InterruptedException {
        System.load(System.getProperty("drua.library"));
        long context = Native.open(null);
        for (int type : new int[] {UINT8, UINT16, INT32, FLOAT32}) {
            roundTrip(context, type, 1, 1, 1);
            roundTrip(context, type, 7, 5, 3);
            roundTrip(context, type, 801, 403, 9);
        }
        roundTrip(context, UINT16, 128, 128, 512);
        refuse(context, 0);
        refuse(context, 39);
        virtual(context);
        together(context);
        Native.setMemory(context, "1MB");
        roundTrip(context, FLOAT32, 300, 200, 12);
        Native.close(context);
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed.get() == 0 ? 0 : 1);
    }
}
