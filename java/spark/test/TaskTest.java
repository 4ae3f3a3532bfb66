/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tests how tasks handle blocks and the device addresses from Spark; runs without Spark. */
public final class TaskTest {
    private static int passed;
    private static int failed;

    private TaskTest() {}

    public static void main(String[] args) throws InterruptedException {
        devices();
        ranges();
        passes();
        settings();
        programs();
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(String what, Object expected, Object seen) {
        boolean right = expected.equals(seen);
        passed += right ? 1 : 0;
        failed += right ? 0 : 1;
        if (!right) {
            System.out.println("FAIL " + what + ": " + seen + ", not " + expected);
        }
    }

    private static void devices() {
        expectDevices("PCI addresses name devices", List.of("--devices", "0000:3b:00.0,0000:af:00.0"), Map.of(), null,
            "0000:3b:00.0", "0000:af:00.0");
        expectDevices("CUDA_VISIBLE_DEVICES counts as CUDA does", List.of("--devices", "job"),
            Map.of("CUDA_VISIBLE_DEVICES", "1"), null, "1");
        expectDevices("CUDA_VISIBLE_DEVICES gives positions among the visible devices", List.of("--devices", "job"),
            Map.of("CUDA_VISIBLE_DEVICES", "6,4"), "4,6", "1", "0");
        expectDevices("CUDA_VISIBLE_DEVICES names visible devices", List.of("--devices", "job"),
            Map.of("CUDA_VISIBLE_DEVICES", "GPU-b"), "GPU-a,GPU-b", "1");
    }

    private static void expectDevices(
        String what, List<String> arguments, Map<String, String> environment, String visible, String... addresses) {
        List<String> seen = new ArrayList<>();
        check(what, environment, BlockTask.choose(addresses, visible, seen));
        check(what, arguments, seen);
    }

    private static void ranges() {
        List<BlockRange> open = BlockRange.parse(List.of("a driver's line", "0:5", "7:8", "1:"));
        check("ranges", List.of(new BlockRange(0, 5), new BlockRange(7, 8)), open);
        check("their blocks", 6L, BlockRange.count(open));
        check("pieces", List.of(new BlockRange(0, 2), new BlockRange(2, 4), new BlockRange(4, 5), new BlockRange(7, 8)),
            BlockRange.cut(open, 2));
    }

    private static void passes() {
        Open open = Open.parse(List.of("a driver's line", "pass 2 of 5", "0:5"));
        check("a pass", new Open(2, List.of(new BlockRange(0, 5))), open);
        check("open blocks of the plan", open.ranges(), open.of(2));
        check("open blocks of the pass before", List.of(), open.of(1));
        check("no pass", new Open(0, List.of(new BlockRange(3, 4))), Open.parse(List.of("3:4")));
    }

    private static void settings() {
        Settings settings = Settings.parse(new String[] {"--tries", "2", "plan.json", "--no-finish"});
        check("settings", "plan.json 2 false", settings.plan + " " + settings.tries + " " + settings.finishes);
        for (String wrong : new String[] {"", "a b", "plan.json --tries", "plan.json --tries 0",
                 "plan.json --blocks-per-task x", "plan.json --other"}) {
            boolean refused = false;
            try {
                Settings.parse(wrong.isEmpty() ? new String[0] : wrong.split(" "));
            } catch (IllegalArgumentException e) {
                refused = true;
            }
            check(wrong, true, refused);
        }
    }

    /** A process reports why it failed or why it could not start. */
    private static void programs() throws InterruptedException {
        BlockRange blocks = new BlockRange(0, 1);
        Outcome outcome = new Program("/bin/sh", "/")
                              .run(blocks, Map.of("WHY", "so"), List.of("-c", "echo one; echo $WHY >&2; exit 75"));
        check("a process that failed", "75 so true",
            outcome.status() + " " + outcome.sentence() + " " + outcome.mayEndWell());
        outcome = new Program("/bin/sh", "/").run(blocks, Map.of(), List.of("-c", "kill -9 $$"));
        check("a process that was killed", "137 true", outcome.status() + " " + outcome.mayEndWell());
        outcome = new Program("/none", "/").run(blocks, Map.of(), List.of());
        check("no program", true, outcome.sentence().contains("use its path with --drua") && !outcome.mayEndWell());
    }
}
