// SPDX-License-Identifier: BSD-3-Clause
// Datasets of ImageJ2 keep their scale, unit and colours on the way to the device and back.
// only: imagej2
// expect: push: the Dataset 'cells' has 2 channels; choose one by push(dataset, channel, frame)
// expect: push: channel must be 1 to 2, got 3
// expect: 4x3x5 uint16 [12.0, 13.0, 14.0, 15.0] [116.0, 117.0, 118.0, 65535.0]
// expect: 0.5 0.25 2.0 µm 200 0
// expect: result UnsignedShortType [X, 4, 0.5, µm] [Y, 3, 0.25, µm] [Z, 5, 2.0, µm] 200 0
// expect: [12, 13, 14, 15]
// expect: 3x2x1 int8 [-1.0, 2.0, 3.0, 4.0, 5.0, -128.0]
// expect: push: the Dataset 'spectrum' has 2 positions along an axis other than X, Y, Z, channel and time; push a view of one of them
// expect: pullDataset: service must be ImageJ2's DatasetService, got String
// expect: 2x3x1 int8 3 2.0 m
import drua.Drua
import drua.DruaException
import drua.Image
import net.imagej.Dataset
import net.imagej.DatasetService
import net.imagej.ImgPlus
import net.imagej.axis.Axes
import net.imagej.axis.AxisType
import net.imglib2.display.ColorTable8
import net.imglib2.img.array.ArrayImgs
import org.scijava.Context
import org.scijava.convert.ConvertService

def context = new Context(DatasetService, ConvertService)
def service = context.service(DatasetService), converter = context.service(ConvertService)
def mistake = { Closure call ->
    try {
        println "no mistake was found: ${call()}"
    } catch (DruaException e) {
        println e.message
    }
}
def dataset = { img, String name, List axes, List scale, List units ->
    def plus = new ImgPlus(img, name, axes as AxisType[], scale as double[], units as String[])
    plus.initializeColorTables(2)
    plus.setColorTable(new ColorTable8((0..255) as byte[], new byte[256], new byte[256]), 1)
    service.create(plus)
}

short[] pixels = new short[4 * 3 * 2 * 5]
pixels.eachWithIndex { value, i -> pixels[i] = i }
pixels[119] = -1
def cells = dataset(ArrayImgs.unsignedShorts(pixels, 4, 3, 2, 5), "cells", [Axes.X, Axes.Y, Axes.CHANNEL, Axes.Z],
    [0.5, 0.25, 1, 2], ["um", "um", null, "um"])
Drua.open("cpu").withCloseable { drua ->
    mistake { drua.push(cells) }
    mistake { drua.push(cells, 3, 1) }
    def image = drua.push(cells, 2, 1)
    println "$image ${drua.pullNumbers(image)[0][0..3]} ${drua.pullNumbers(image)[4][8..11]}"
    def imp = drua.pull(image)
    def scale = imp.calibration, colors = imp.getProcessor().lut
    println "$scale.pixelWidth $scale.pixelHeight $scale.pixelDepth $scale.unit " +
        "${colors.getRed(200)} ${colors.getGreen(200)}"
    def back = drua.pullDataset(drua.copy(image), "result", service), table = back.getColorTable(0)
    def axes = (0..2).collect { d ->
        def axis = back.axis(d)
        [axis.type().label, back.dimension(d), axis.averageScale(0, 1), axis.unit()]
    }
    println "$back.name ${back.firstElement().class.simpleName} ${axes.join(" ")} " +
        "${table.get(0, 200)} ${table.get(1, 200)}"
    def cursor = back.imgPlus.img.cursor()
    println((1..4).collect { cursor.next().get() })
    def columns = ArrayImgs.bytes([-1, 4, 2, 5, 3, -128] as byte[], 2, 3)
    def turned = dataset(columns, "turned", [Axes.Y, Axes.X], [1, 1], [null, null])
    println "${drua.push(turned)} ${drua.pullNumbers(drua.push(turned))[0]}"
    def axesOfSpectrum = [Axes.X, Axes.Y, Axes.get("Lifetime")]
    mistake { drua.push(dataset(ArrayImgs.bytes(2, 2, 2), "spectrum", axesOfSpectrum, [1, 1, 1], [null, null, null])) }
    mistake { drua.pullDataset(image, "result", "service") }
    def shared = converter.convert(dataset(columns, "columns", [Axes.X, Axes.Y], [2, 1], ["m", "m"]), Image)
    def again = converter.convert(shared, Dataset)
    println "$shared ${again.dimension(1)} ${again.axis(0).averageScale(0, 1)} ${again.axis(0).unit()}"
}
