# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the installed package: arrays in and out, views, calls, errors, memory, threads."""
import gc
import inspect
import sys
import threading
import unittest
import warnings

import numpy

import drua
from drua._operations import Operations, PARAMETERS

STACK = numpy.arange(60, dtype="uint16").reshape(3, 4, 5)


class Package(unittest.TestCase):
    def setUp(self):
        self.device = drua.Device("cpu")

    def tearDown(self):
        self.device.close()

    def refuse(self, sentence, call, *arguments, error=drua.DruaError, **named):
        with self.assertRaises(error) as caught:
            call(*arguments, **named)
        self.assertIn(sentence, str(caught.exception))

    def test_types_and_shapes(self):
        for name in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"):
            for shape in ((3, 4), (2, 3, 4), (1, 3, 4)):
                array = (numpy.arange(numpy.prod(shape)) - 3).astype(name).reshape(shape)
                image = self.device.push(array)
                self.assertEqual((image.shape, image.dtype, image.ndim), (shape, array.dtype, len(shape)))
                numpy.testing.assert_array_equal(image.numpy(), array)

    def test_arrays_in(self):
        push = self.device.push
        numpy.testing.assert_array_equal(push(STACK[::2, ::-1, 1:4]).numpy(), STACK[::2, ::-1, 1:4])
        numpy.testing.assert_array_equal(push(STACK.astype(">u2")).numpy(), STACK)
        numpy.testing.assert_array_equal(push([[True, False]][0:1] * numpy.ones((1, 2), bool)).numpy(), [[1, 0]])
        self.assertEqual(push(numpy.array([[0.1, 2.0]])).dtype, "float32")
        numpy.testing.assert_array_equal(push(memoryview(STACK)).numpy(), STACK)

        class Tensor:
            def __dlpack__(self, **options):
                return STACK.__dlpack__(**options)

            def __dlpack_device__(self):
                return STACK.__dlpack_device__()

        numpy.testing.assert_array_equal(push(Tensor()).numpy(), STACK)
        Tensor.__dlpack_device__ = lambda self: (2, 0)
        Tensor.__dlpack__ = lambda self, **options: (_ for _ in ()).throw(BufferError("on a GPU"))
        self.refuse("not in host memory", push, Tensor())
        self.refuse("an array of int64 has no counterpart", push, numpy.zeros((2, 2), "int64"))
        self.refuse("got the shape (3,)", push, numpy.zeros(3, "uint8"))
        self.refuse("got the shape (0, 3)", push, numpy.zeros((0, 3), "uint8"))

    def test_arrays_out(self):
        image = self.device.push(STACK)
        out = numpy.zeros_like(STACK)
        self.assertIs(image.numpy(out), out)
        numpy.testing.assert_array_equal(out, STACK)
        self.refuse("out must be", image.numpy, numpy.zeros((3, 4, 5), "uint8"))
        self.refuse("out must be", image.numpy, numpy.zeros((5, 4, 3), "uint16").T)
        numpy.testing.assert_array_equal(numpy.asarray(image), STACK)
        numpy.testing.assert_array_equal(numpy.from_dlpack(image), STACK)

    def test_views(self):
        image = self.device.push(STACK)
        for key in (1, -1, numpy.s_[1:], numpy.s_[:, 1:3], numpy.s_[..., ::-1], numpy.s_[2, 1:4, 3:0:-1],
                    numpy.s_[::-1, ::-1, ::-1], numpy.s_[0:1], numpy.s_[1:3, ..., 2:], numpy.s_[0, ...]):
            view = image[key]
            numpy.testing.assert_array_equal(view.numpy(), STACK[key], str(key))
            self.assertEqual(view.shape, STACK[key].shape)
        plane = self.device.push(STACK[0])
        numpy.testing.assert_array_equal(plane[1:, ::-1].numpy(), STACK[0, 1:, ::-1])
        for key in (3, numpy.s_[:, 1], numpy.s_[::2], numpy.s_[2:1], numpy.s_[0, 0, 0, 0]):
            with self.assertRaises(IndexError):
                image[key]
        self.assertEqual([slice_.shape for slice_ in image], [(4, 5)] * 3)

    def test_calls(self):
        device, point = self.device, numpy.zeros((5, 5), "float32")
        point[2, 2] = 9
        box = numpy.zeros((5, 5), "float32")
        box[1:4, 1:4] = 9
        image = device.push(point)
        destination = device.create(image)
        self.assertIs(device.maximum_box(image, 1, 1, 0, destination=destination), destination)
        numpy.testing.assert_array_equal(destination.numpy(), box)
        numpy.testing.assert_array_equal(device.maximum_box(point, radius_x=1, radius_y=1).numpy(), box)
        self.assertEqual(device.maximum_of_all_pixels(box), 9)
        self.assertEqual(device.center_of_mass(image), (2, 2, 0))
        labels = device.connected_components_box(box)
        self.assertTrue(labels.labels)
        table = device.statistics_of_labelled_pixels(box, labels)
        self.assertEqual(table["PIXEL_COUNT"].tolist()[-1:], [9])
        device.custom_operation("WRITE_IMAGE(a, POS_a_INSTANCE(x, y, z, 0), x + 10 * y);", "", {"a": image})
        numpy.testing.assert_array_equal(image.numpy(), numpy.add.outer(10 * numpy.arange(5), numpy.arange(5)))
        numpy.testing.assert_array_equal(device.push_array([1, 2, 3, 4], 2, 2, 1).numpy().ravel(), [1, 2, 3, 4])
        blurred, kernel = numpy.float32([[0, 1, 2, 1, 0]]), numpy.float32([[1, 2, 1]])
        by_name = device.deconvolve(blurred, kernel, iterations=3, accelerate=True)[0].numpy()
        by_text = device.deconvolve(blurred, kernel, "iterations=3 accelerate")[0].numpy()
        numpy.testing.assert_array_equal(by_name, by_text)

    def test_errors(self):
        device, image = self.device, self.device.push(STACK)
        self.refuse("gaussian_blur: sigma_x must be 0 to 1000 pixel, got -1", device.gaussian_blur, image, -1)
        self.refuse("gaussian_blur: sigma_x must be a number, got 'wide'", device.gaussian_blur, image, "wide")
        self.refuse("automatic_threshold: method must be a string, got 3", device.automatic_threshold, image, 3)
        self.refuse("must be an image of the device", device.gaussian_blur, image, destination=STACK)
        self.refuse("must be a dict", device.custom_operation, "", "", [image])
        self.refuse("unexpected keyword argument 'sigma'", device.gaussian_blur, image, sigma=1, error=TypeError)
        other = drua.Device("cpu")
        self.refuse("belongs to another", other.copy, image)
        other.close()
        other.close()
        self.refuse("this device is closed", other.push, STACK)
        with image:
            pass
        image.release()
        self.refuse("already released", device.copy, image)
        with self.assertRaises(drua.DruaError) as caught:
            device.gaussian_blur(STACK, -1)
        self.assertEqual(caught.exception.status, 1)

    def test_notes(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            drua.Device("no such device").close()
        self.assertEqual([w.category for w in caught], [drua.DruaWarning])
        self.assertIn("no such device", str(caught[0].message))

    def test_images_are_freed(self):
        """Eighty images of 32 MB do not fit 128 MB at once, also without moves to the host."""
        device = drua.Device("cpu", "128MB")
        for _ in range(80):
            device.add_image_and_scalar(device.create((8, 1024, 1024)), 1).numpy()
        gc.collect()
        self.assertIn("held on the host: 0.0 b, moved there so far: 0.0 b", device.report_memory())
        device.close()

    def test_threads(self):
        sums, image = {}, self.device.push(numpy.ones((64, 64), "float32"))

        def work(number):
            for _ in range(20):
                sums[number] = self.device.sum_of_all_pixels(self.device.multiply_image_and_scalar(image, number))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sums, {number: 4096 * number for number in range(4)})

    def test_every_operation_is_documented(self):
        self.assertGreater(len(PARAMETERS), 500)
        for name, parameters in PARAMETERS.items():
            method = getattr(Operations, name)
            signature = inspect.signature(method)
            for kind, parameter in parameters:
                if kind not in ("number_out", "text_out", "table_out"):
                    self.assertIn(parameter, signature.parameters, name)
                    self.assertIn(parameter + ": ", method.__doc__, name)
                    self.assertTrue(signature.parameters[parameter].annotation, name)
            self.assertIsNot(signature.return_annotation, inspect.Signature.empty, name)

    def test_devices(self):
        self.assertIn(self.device.info.name, [device.name for device in drua.devices()])


result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(
    unittest.defaultTestLoader.loadTestsFromTestCase(Package))
failed = len(result.failures) + len(result.errors)
print(f"{result.testsRun - failed} passed, {failed} failed")
sys.exit(failed > 0)
