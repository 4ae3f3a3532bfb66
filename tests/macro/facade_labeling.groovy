// SPDX-License-Identifier: BSD-3-Clause
// Labelings of ImgLib2 become label maps, and label maps become labelings.
// expect: [0.0, 7.0, 3.0, 7.0] uint32
// expect: [0.0, 2.0, 1.0, 2.0]
// expect: push: a pixel of the ImgLabeling has the labels [a, b], and a label map has one label for each pixel; push a labeling without overlaps
// expect: [0, 2, 1, 2] [[], [3], [4000000]]
// expect: pullLabeling: labels must be whole numbers from 0 to 2147483647, got 1.5
// expect: pullLabeling: a labeling may have at most 2147483639 pixels, got 65536 x 32768 x 1; crop the image and pull each part
import drua.Drua
import drua.DruaException
import net.imglib2.img.array.ArrayImgs
import net.imglib2.roi.labeling.ImgLabeling

def mistake = { Closure call ->
    try {
        println "no mistake was found: ${call()}"
    } catch (DruaException e) {
        println e.message
    }
}
def labeling = { List sets ->
    def indices = ArrayImgs.unsignedBytes([0, 1, 2, 1] as byte[], 2, 2)
    ImgLabeling.fromImageAndLabelSets(indices, sets.collect { it as LinkedHashSet })
}

Drua.open("cpu").withCloseable { drua ->
    def labels = drua.push(labeling([[], [7], [3]]))
    println "${drua.pullNumbers(labels)[0]} $labels.type"
    println drua.pullNumbers(drua.push(labeling([[], ["nucleus"], ["cell"]])))[0]
    mistake { drua.push(labeling([[], ["a", "b"], ["c"]])) }
    def pulled = drua.pullLabeling(drua.pushNumbers([[0, 4000000, 3, 4000000] as float[]] as float[][], 2, 2))
    def index = pulled.indexImg.randomAccess()
    def indices = [[0, 0], [1, 0], [0, 1], [1, 1]].collect { place ->
        place.eachWithIndex { p, d -> index.setPosition(p, d) }
        index.get().get()
    }
    println "$indices $pulled.mapping.labelSets"
    mistake { drua.pullLabeling(drua.pushNumbers([[0, 1.5] as float[]] as float[][], 2, 1)) }
    mistake { drua.pullLabeling(drua.create("uint8", 65536, 32768)) }
}
