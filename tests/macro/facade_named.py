# SPDX-License-Identifier: BSD-3-Clause
# Operations from Jython with keyword arguments, presets, other names, with and without a destination.
# expect: [1.0, 1.0, 1.0]
# expect: the same image
# expect: [0.0, 9.0, 0.0] [0.0, 9.0, 0.0]
# expect: [9.0, 9.0, 9.0] [9.0, 9.0, 9.0] [9.0, 9.0, 9.0]
# expect: [0.0, 1.0, 0.0]
# expect: 9.0 9.0
# expect: 1.0 0.0
# expect: equal with the same settings
# expect: gaussianBlur: there is no parameter 'sigma'; did you mean sigma_x? The parameters are source, destination, sigma_x, sigma_y, sigma_z
# expect: maximumBox: takes 4 arguments, got 5; the parameters are source, destination, radius_x, radius_y, radius_z
# expect: maximumBox: radius_x is passed twice; pass it once
# expect: gaussianBlur: source must be an image of this Drua object (push an ImagePlus first), got String 3
# expect: deconvolve: there is no parameter 'iteration'; did you mean iterations? The parameters are source, psf, destination, options, convergence
# expect: Drua has no operation 'gausianBlur'; did you mean gaussianBlur?
# expect: push: only a macro can run this command; call it as Ext.Drua_push
# expect: Drua has no operation 'gaussian_blurr'; did you mean gaussian_blur?
# expect: maximumBox(source, destination, radius_x, radius_y, radius_z)
from drua import Drua, DruaException
from jarray import array
from java.lang import Class


def mistake(call):
    try:
        call()
        print("no mistake was found")
    except DruaException as e:
        print(e.getMessage())
    except AttributeError as e:
        print(e)


def row(*numbers):
    return drua.pushNumbers(array([array(numbers, "f")], Class.forName("[F")), len(numbers), 1)


def numbers(image):
    return list(drua.pullNumbers(image)[0])


drua = Drua.open("cpu")
point = row(0, 9, 0)
print(numbers(drua.addImageAndScalar(row(0, 0, 0), scalar=1)))
larger = drua.create(point)
if drua.maximumBox(point, larger, radius_x=1, radius_y=0) is larger:
    print("the same image")
same = drua.gaussianBlur(point, sigma_x=0, sigmaY=0)
print("%s %s" % (numbers(drua.maximumBox(point, 0, radius_y=0)), numbers(same)))
wide = drua.maximum_box(point, radius_x=1, radius_z=0)
named = drua.maximumBox(source=point, destination=drua.create(point), radius_x=1)
print("%s %s %s" % (numbers(wide), numbers(named), numbers(drua.maximum3DBox(point, larger, 1, 0, 0))))
print(numbers(drua.thresholdOtsu(point)))
print("%s %s" % (drua.maximumOfAllPixels(point), drua.getMaximumOfAllPixels(source=point)))
x, y, z = drua.centerOfMass(point)
print("%s %s" % (x, y))
blurred, psf = row(0, 1, 2, 1, 0), row(1, 2, 1)
named = drua.deconvolve(blurred, psf, iterations=3, accelerate=True)[0]
words = drua.deconvolve(blurred, psf, options="iterations=3 accelerate")[0]
print("equal with the same settings" if numbers(named) == numbers(words) else "other numbers")
mistake(lambda: drua.gaussianBlur(point, sigma=2))
mistake(lambda: drua.maximumBox(point, 1, 1, 1, 1))
mistake(lambda: drua.maximumBox(point, radius_x=1, radiusX=1))
mistake(lambda: drua.gaussianBlur("3"))
mistake(lambda: drua.deconvolve(point, point, iteration=3))
mistake(lambda: drua.gausianBlur(point))
mistake(lambda: drua.op("push", point))
mistake(lambda: drua.op("gaussian_blurr", point))
print(drua.maximumBox.__doc__.splitlines()[0])
drua.close()
