// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.engine.Engine;
import drua.headless.StartLine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Checks that a device which is opened before a macro asks for it is the one that the macro gets. */
final class OpenAheadTest extends Expectations {
    private OpenAheadTest() {}

    public static void main(String[] args) {
        find("run(\"CLIJ2 Macro Extensions\", \"cl_device=\");", "");
        find("a = 1;\n  run( \"Drua Macro Extensions\" );", "");
        find("run(\"CLIJ Macro Extensions\", \"cl_device=[RTX 2080] memory=2GB\");", "RTX 2080");
        find("run(\"Drua Macro Extensions\", \"memory=2GB cl_device=cpu\");", "cpu");
        find("if (a) run(\"Drua Macro Extensions\", \"\");\nrun(\"CLIJ2 Macro Extensions\", \"cl_device=b\");", "");
        find("// run(\"Drua Macro Extensions\");", null);
        find("run(\"Drua Macro Extensions\", \"cl_device=\" + name);", null);
        find("print(\"Drua Macro Extensions\");", null);
        List<Long> opened = new ArrayList<>();
        Engine.onOpen(opened::add);
        Engine.openAhead("");
        Engine.openAhead("a second request");
        expect("devices reported before a macro asks", 0, opened.size());
        long context = Engine.open("");
        expect("devices reported when a macro asks", Arrays.asList(context), opened);
        expect("a second request gets the same device", context, Engine.open(""));
        expect("times that a device was opened", 1, Engine.generation());
        Engine.openAhead("");
        expect("a request after that gets the same device", context, Engine.open(""));
        System.exit(sum());
    }

    private static void find(String macro, String wanted) {
        expect("the device in " + macro, wanted, StartLine.device(macro));
    }
}
