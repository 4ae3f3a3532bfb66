// SPDX-License-Identifier: BSD-3-Clause
// Selections and overlays become label maps, by number or group and slice, and label maps become selections.
// expect: [1.0, 2.0, 2.0, 0.0] 4x1x1 float32
// expect: [7.0, 7.0, 0.0, 0.0]
// expect: [1.0, 0.0] [0.0, 2.0]
// expect: Label_2 1 at 1, Label_2 2 at 0, Label_5 2 at 1
// expect: Rois.push: the selection 'line' is Straight Line and has no area; leave it out
// expect: Rois.push: the selection 'far' is in slice 3, but depth is 2; pass the number of slices of its image
// expect: Rois.push: selections must be a RoiManager, an Overlay, or an array or list of Roi, got String
import drua.Drua
import drua.DruaException
import drua.Rois
import ij.gui.Line
import ij.gui.Overlay
import ij.gui.Roi

def mistake = { Closure call ->
    try {
        println "no mistake was found: ${call()}"
    } catch (DruaException e) {
        println e.message
    }
}
def named = { Roi roi, String name, int slice = 0 ->
    roi.setName(name)
    roi.setPosition(slice)
    roi
}

Drua.open("cpu").withCloseable { drua ->
    def numbers = { image -> drua.pullNumbers(image).collect { it as List } }
    def grouped = new Roi(0, 0, 2, 1) { // setGroup() would print that ImageJ's colours of groups are not installed
        int getGroup() {
            7
        }
    }
    def overlay = new Overlay(grouped)
    overlay.add(new Roi(1, 0, 2, 1))
    def labels = Rois.push(drua, overlay, 4, 1, 1, false)
    println "${numbers(labels)[0]} $labels"
    println numbers(Rois.push(drua, overlay, 4, 1, 1, true))[0]
    def slices = [named(new Roi(0, 0, 1, 1), "first", 1), named(new Roi(1, 0, 1, 1), "second", 2)]
    println numbers(Rois.push(drua, slices as Roi[], 2, 1, 2, false)).join(" ")
    def stack = drua.pushNumbers([[0, 2] as float[], [2, 5] as float[]] as float[][], 2, 1)
    println Rois.pull(stack).collect { "$it.name $it.position at ${(int) it.XBase}" }.join(", ")
    mistake { Rois.push(drua, [named(new Line(0, 0, 1, 1), "line")], 4, 1, 1, false) }
    mistake { Rois.push(drua, [named(new Roi(0, 0, 1, 1), "far", 3)], 4, 1, 2, false) }
    mistake { Rois.push(drua, "selections", 4, 1, 1, false) }
}
