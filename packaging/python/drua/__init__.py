# SPDX-License-Identifier: BSD-3-Clause
"""Image processing on OpenCL devices with images that stay on the device.

    import drua, numpy

    with drua.Device() as device:
        blurred = device.gaussian_blur(numpy.eye(64, dtype="float32"), sigma_x=2, sigma_y=2)
        print(blurred.numpy().max())

A Device has a method for each operation. Sources are images or arrays; results are images on the device.
"""
from ._device import Device, DeviceInfo, Image, devices
from ._library import DruaError, DruaWarning, version

__version__ = version()
__all__ = ["Device", "DeviceInfo", "DruaError", "DruaWarning", "Image", "devices"]
