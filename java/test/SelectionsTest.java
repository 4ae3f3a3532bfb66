// SPDX-License-Identifier: BSD-3-Clause
package drua.test;

import drua.imagej.Selections;
import ij.gui.Roi;
import ij.gui.ShapeRoi;
import java.util.Arrays;

/** Tests label maps of selections: numbers, groups, slices, holes, and selections that are partly outside. */
public final class SelectionsTest {
    private SelectionsTest() {}

    public static void main(String[] args) {
        Roi left = new Roi(-1, 0, 2, 2), all = new Roi(0, 0, 4, 2), right = new Roi(2, 0, 9, 1);
        all.setGroup(7);
        right.setGroup(300 % 256);
        Roi[] selections = {all, left, right};
        expect("labels are the numbers of the selections", "[2.0, 1.0, 3.0, 3.0, 2.0, 1.0, 1.0, 1.0]", selections,
            false, 1);
        expect("labels are the groups of the selections", "[7.0, 7.0, 44.0, 44.0, 7.0, 7.0, 7.0, 7.0]", selections,
            true, 1);
        right.setPosition(2);
        left.setPosition(3, 2, 1);
        expect("selections of slices 2 and 3 do not appear in slice 1", "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]",
            selections, false, 1);
        expect("the selection of a hyperstack's slice 2 appears in slice 2", "[2.0, 1.0, 3.0, 3.0, 2.0, 1.0, 1.0, 1.0]",
            selections, false, 2);
        ShapeRoi ring = new ShapeRoi(new Roi(0, 0, 3, 2)).not(new ShapeRoi(new Roi(1, 0, 1, 1)));
        expect("a hole of a selection stays 0", "[1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]", new Roi[] {ring}, false, 1);
        System.exit(Expectations.sum());
    }

    private static void expect(String what, String expected, Roi[] selections, boolean areGroups, int slice) {
        Expectations.expect(what, expected, Arrays.toString(Selections.toLabels(selections, areGroups, 4, 2, slice)));
    }
}
