/* SPDX-License-Identifier: BSD-3-Clause */
package drua.spark;

import java.util.List;

/** What is open of a plan: blocks of the pass that is due, from 1; 0: of the plan. */
record Open(int pass, List<BlockRange> ranges) {

    /** Reads what {@code drua status --open} prints; lines that it does not know are those of drivers. */
    static Open parse(List<String> lines) {
        int pass = 0;
        for (String line : lines) {
            if (line.matches("pass [0-9]{1,9} of [0-9]{1,9}")) {
                pass = Integer.parseInt(line.split(" ")[1]);
            }
        }
        return new Open(pass, BlockRange.parse(lines));
    }

    /** What is open of a pass that was due before, or of the blocks: nothing where another pass is due by now. */
    List<BlockRange> of(int before) {
        return before == pass ? ranges : List.of();
    }
}
