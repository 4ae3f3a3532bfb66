/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Blocks of a plan, from `first` to before `end`. */
record BlockRange(long first, long end) implements Serializable {
    long length() {
        return end - first;
    }

    /** Parses the ranges that {@code drua status --open} prints: one "A:B" per line. */
    static List<BlockRange> parse(List<String> lines) {
        List<BlockRange> ranges = new ArrayList<>();
        for (String line : lines) {
            if (line.matches("[0-9]{1,18}:[0-9]{1,18}")) {
                int colon = line.indexOf(':');
                ranges.add(new BlockRange(
                    Long.parseLong(line.substring(0, colon)), Long.parseLong(line.substring(colon + 1))));
            }
        }
        return ranges;
    }

    static long count(List<BlockRange> ranges) {
        return ranges.stream().mapToLong(BlockRange::length).sum();
    }

    /** Splits ranges into pieces of at most `max` blocks. */
    static List<BlockRange> cut(List<BlockRange> ranges, long max) {
        List<BlockRange> pieces = new ArrayList<>();
        for (BlockRange range : ranges) {
            for (long first = range.first; first < range.end; first += max) {
                pieces.add(new BlockRange(first, Math.min(first + max, range.end)));
            }
        }
        return pieces;
    }
}
