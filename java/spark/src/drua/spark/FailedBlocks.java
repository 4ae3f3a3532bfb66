/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The last error of each unfinished block, and its number of attempts. */
final class FailedBlocks {
    private final Map<Long, Outcome> last = new TreeMap<>();
    private final Map<Long, Integer> tries = new TreeMap<>();

    void add(List<Outcome> outcomes) {
        for (Outcome outcome : outcomes) {
            for (long block = outcome.blocks().first(); block < outcome.blocks().end() && !outcome.succeeded();
                 block++) {
                last.put(block, outcome);
                tries.merge(block, 1, Integer::sum);
            }
        }
    }

    /** True if a retry of these blocks may succeed. */
    boolean mayEndWell(List<BlockRange> open) {
        return entries(open).stream().noneMatch(block -> last.containsKey(block) && !last.get(block).mayEndWell());
    }

    /** Writes {"blocks": [{"block", "tries", "status", "error", "host"}]}. */
    void write(Path file, List<BlockRange> open) throws IOException {
        List<Map<String, Object>> blocks = new ArrayList<>();
        for (long block : entries(open)) {
            Map<String, Object> entry = new LinkedHashMap<>();
            Outcome outcome = last.get(block);
            entry.put("block", block);
            entry.put("tries", tries.getOrDefault(block, 0));
            if (outcome != null) {
                entry.put("status", outcome.status());
                entry.put("error", outcome.sentence());
                entry.put("host", outcome.host());
            }
            blocks.add(entry);
        }
        Files.writeString(file,
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(Map.of("blocks", blocks))
                + "\n");
    }

    private static List<Long> entries(List<BlockRange> open) {
        List<Long> blocks = new ArrayList<>();
        for (BlockRange range : open) {
            for (long block = range.first(); block < range.end(); block++) {
                blocks.add(block);
            }
        }
        return blocks;
    }
}
