# SPDX-License-Identifier: BSD-3-Clause
"""Simulates CLIJ2 beside Drua in ImageJ: its images are in a separate context of JOCL, the library that CLIJ2 uses."""
from drua import Drua
from drua.engine import Native
from ij import IJ
from jarray import array, zeros
from java.nio import ByteBuffer, ByteOrder
from org.jocl import CL, Pointer, Sizeof, cl_context_properties, cl_device_id, cl_platform_id

COUNT = 4096
BYTES = COUNT * Sizeof.cl_float


def numbers():
    return ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer()


class Clij:
    def __init__(self):
        CL.setExceptionsEnabled(True)
        platforms = zeros(1, cl_platform_id)
        CL.clGetPlatformIDs(1, platforms, None)
        devices = zeros(1, cl_device_id)
        CL.clGetDeviceIDs(platforms[0], CL.CL_DEVICE_TYPE_ALL, 1, devices, None)
        properties = cl_context_properties()
        properties.addProperty(CL.CL_CONTEXT_PLATFORM, platforms[0])
        self.context = CL.clCreateContext(properties, 1, devices, None, None, None)
        self.queue = CL.clCreateCommandQueue(self.context, devices[0], 0, None)
        program = CL.clCreateProgramWithSource(
            self.context, 1, ["kernel void more(global float *a) { a[get_global_id(0)] += 1.0f; }"], None, None)
        CL.clBuildProgram(program, 0, None, None, None, None)
        self.kernel = CL.clCreateKernel(program, "more", None)
        self.image = CL.clCreateBuffer(self.context, CL.CL_MEM_READ_WRITE, BYTES, None, None)
        pixels = numbers()
        pixels.duplicate().put(array(range(COUNT), "f"))
        CL.clEnqueueWriteBuffer(self.queue, self.image, CL.CL_TRUE, 0, BYTES, Pointer.to(pixels), 0, None, None)

    def add_one(self):
        CL.clSetKernelArg(self.kernel, 0, Sizeof.cl_mem, Pointer.to(self.image))
        CL.clEnqueueNDRangeKernel(self.queue, self.kernel, 1, None, array([COUNT], "l"), None, 0, None, None)

    def is_ramp_from(self, first):
        pixels = numbers()
        CL.clEnqueueReadBuffer(self.queue, self.image, CL.CL_TRUE, 0, BYTES, Pointer.to(pixels), 0, None, None)
        return [pixels.get(i) for i in range(COUNT)] == [float(first + i) for i in range(COUNT)]

    def close(self):
        CL.clReleaseMemObject(self.image)
        CL.clReleaseCommandQueue(self.queue)
        CL.clReleaseContext(self.context)


def held(drua):
    """Drua's report of its device memory."""
    context = Drua.getDeclaredField("context")
    context.setAccessible(True)
    return Native.reportMemory(context.getLong(drua)).splitlines()[2]


def side_by_side(clij_is_first):
    """Both hold images and compute alternately. Neither sees the other's images or counts the other's memory."""
    clij = Clij() if clij_is_first else None
    drua = Drua.open("")
    image = drua.push(IJ.createImage("ramp", "32-bit ramp", COUNT, 1, 1))
    alone = held(drua)
    clij = clij or Clij()
    print("Drua's account %s when CLIJ2 is there" % ("is the same" if held(drua) == alone else "changes"))
    clij.add_one()
    more = drua.op("add_image_and_scalar", image, 1)
    clij.add_one()
    print("CLIJ2's image is %s" % ("right" if clij.is_ramp_from(2) else "wrong"))
    most = drua.op("maximum_of_all_pixels", more)
    print("Drua's image is %s" % ("right" if 1.99 < most < 2.01 else "wrong: %s" % most))
    both = held(drua)
    clij.close()
    print("Drua's account %s after CLIJ2 has closed" % ("is the same" if held(drua) == both else "changes"))
    drua.close()
