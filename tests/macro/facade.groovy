// SPDX-License-Identifier: BSD-3-Clause
// Operations from Groovy with named arguments, presets, other names, with and without a destination; errors.
// expect: [1.0, 1.0, 1.0]
// expect: true
// expect: [9.0, 9.0, 9.0] [9.0, 9.0, 9.0] [0.0, 1.0, 0.0]
// expect: 9.0 9.0
// expect: gaussianBlur: there is no parameter 'sigma'; did you mean sigma_x? The parameters are source, destination, sigma_x, sigma_y, sigma_z
// expect: Drua has no operation 'gausianBlur'; did you mean gaussianBlur?
// expect: gaussian_blur: sigma_x must be 0 to 1000 pixel, got -1
import drua.Drua
import drua.DruaException

def mistake = { call ->
    try {
        call()
        println "no mistake was found"
    } catch (DruaException e) {
        println e.message
    }
}

Drua.open("cpu").withCloseable { drua ->
    def row = { List<Float> numbers -> drua.pushNumbers([numbers as float[]] as float[][], numbers.size(), 1) }
    def numbers = { image -> drua.pullNumbers(image)[0] as List }
    def point = row([0f, 9f, 0f])
    println numbers(drua.addImageAndScalar(row([0f, 0f, 0f]), scalar: 1))
    def larger = drua.create(point)
    println drua.maximumBox(point, larger, radius_x: 1, radius_y: 0).is(larger)
    def wide = drua.maximum_box(point, radiusX: 1)
    println "${numbers(wide)} ${numbers(drua.maximum3DBox(point, 1, 0, 0))} ${numbers(drua.thresholdOtsu(point))}"
    println "${drua.maximumOfAllPixels(point)} ${drua.getMaximumOfAllPixels(source: point)}"
    mistake { drua.gaussianBlur(point, sigma: 2) }
    mistake { drua.gausianBlur(point) }
    mistake { drua.gaussianBlur(point, -1, 0, 0) }
}
