// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.Native;
import drua.engine.NativeLibrary;
import drua.engine.Registry;
import drua.engine.WarmUp;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Checks that prepared processes end if they get no work: when the first process ends, they lose their input. */
public final class WarmUpTest {
    private WarmUpTest() {}

    /** A process whose input is broken or observed. */
    private static final class Made extends Process {
        private final boolean broken;
        private boolean closed;

        Made(boolean broken) {
            this.broken = broken;
        }

        @Override
        public OutputStream getOutputStream() {
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    if (broken)
                        throw new IOException("the process has ended");
                }

                @Override
                public void close() {
                    closed = true;
                }
            };
        }

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(new byte[0]);
        }

        @Override
        public InputStream getErrorStream() {
            return getInputStream();
        }

        @Override
        public int waitFor() {
            return 0;
        }

        @Override
        public int exitValue() {
            return 0;
        }

        @Override
        public void destroy() {}
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws ReflectiveOperationException {
        NativeLibrary.load();
        Field field = WarmUp.class.getDeclaredField("prepared");
        field.setAccessible(true);
        List<Process> prepared = (List<Process>) field.get(null);
        Made first = new Made(true), second = new Made(false);
        Collections.addAll(prepared, first, second);
        List<WarmUp.Call> calls = new ArrayList<>();
        for (String command : new String[] {"Drua_flip", "Drua_absolute", "Drua_invert", "Drua_power", "Drua_copy"})
            calls.add(new WarmUp.Call(
                command, Collections.nCopies(Registry.get().commands.get(command).arguments.size(), "")));
        long context = Native.open("");
        WarmUp.begin(context, () -> calls);
        Native.close(context);
        boolean right = second.closed && prepared.isEmpty();
        System.out.println(right ? "1 passed, 0 failed" : "FAIL a process waits forever\n0 passed, 1 failed");
        System.exit(right ? 0 : 1);
    }
}
