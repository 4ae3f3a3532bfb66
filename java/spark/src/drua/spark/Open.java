/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import java.util.List;

/** The unfinished blocks of a plan: those of the current pass, counted from 1, or with pass 0 those of the plan. */
record Open(int pass, List<BlockRange> ranges) {
    /** Parses the output of {@code drua status --open}; unknown lines come from drivers and are ignored. */
    static Open parse(List<String> lines) {
        int pass = 0;
        for (String line : lines) {
            if (line.matches("pass [0-9]{1,9} of [0-9]{1,9}")) {
                pass = Integer.parseInt(line.split(" ")[1]);
            }
        }
        return new Open(pass, BlockRange.parse(lines));
    }

    /** The unfinished blocks of the pass that was current before; empty if another pass is current now. */
    List<BlockRange> of(int before) {
        return before == pass ? ranges : List.of();
    }
}
