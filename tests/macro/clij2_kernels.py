# SPDX-License-Identifier: BSD-3-Clause
# Kernels of a program's own OpenCL file and text, in the words of CLIJ2's kernels: planes and stacks, other types,
# numbers, constants, global sizes, and one error message for each mistake.
# expect: [0.5, 1.5, 3.0, 4.5, 5.0]
# expect: [1.5, 2.5, 4.0, 5.5, 6.0]
# expect: slices: [6.0, 8.0, 10.0, 12.0, 14.0]
# expect: clipped: [0, 20, -56]
# expect: three work-items: [7.0, 8.0, 9.0, 0.0, 0.0]
# expect: whole numbers: [1.0, -1.0]
# expect: int: must be a whole number from -2147483648 to 2147483647, got 2147483648
# expect: int: must be a whole number from -2147483648 to 2147483647, got 2.5
# expect: int: must be a whole number from -2147483648 to 2147483647, got 1.0E300
# expect: int: must be a whole number from -2147483648 to 2147483647, got NaN
# expect: uint: [1.0, 4.0, 4294967296.0]
# expect: uint: must be a whole number from 0 to 4294967295, got -1
# expect: long: [0.0, 8.0, 4294967296.0]
# expect: long: must be a whole number from -9223372036854775808 to 9223372036854775807, got 9223372036854775808
# expect: uchar: must be a whole number from 0 to 255, got 256
# expect: float: must be a number of at most 3.4028235E38, got 1.0E300
# expect: float: [1.5, 1.0, 0.0]
# expect: constant: [40.0, 40.0, 40.0, 40.0, 40.0]
# expect: subsequently: None
# expect: CLIJ: True [0.0, 2.0, 4.0, 8.0, 10.0]
# expect: execute: kernels.cl does not compile; line 3
# expect: execute: the parameter factor of the kernel scaled is missing
# expect: execute: the parameter src of the kernel scaled must be an image or a number, got text
# expect: executeCode: the code has no kernel named absent
# expect: executeCode: the code uses barrier; write the code without work-groups, whose size Drua chooses
# expect: executeCode: the code uses get_num_groups; write the code without work-groups, whose size Drua chooses
# expect: execute: there is no file nowhere.cl beside java.lang.Object or on the disk; give the whole path
import os
import tempfile

from drua import DruaException
from ij import IJ
from java.lang import Float, Integer, Object
from jarray import array
from net.haesleinhuepf.clij2 import CLIJ2

clij2 = CLIJ2.getInstance("cpu")
folder = tempfile.mkdtemp()
path = os.path.join(folder, "kernels.cl")


def write(text):
    with open(path, "w") as out:
        out.write(text)


def row(*values):
    return clij2.pushArray(array(values, "f"), len(values), 1, 1)


def pixels(image):
    return list(clij2.pull(image).getProcessor().getPixels())


def message(call, *arguments):
    try:
        call(*arguments)
    except DruaException as e:
        print(e.getMessage().split(": use of")[0].split(": error")[0])


write("""// the mean of a pixel and its right neighbour, as far as the edge, times `factor`
__constant sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

inline float both(float a, float b) { return a + b; }

__kernel void neighbours(
    IMAGE_src_TYPE src, /* may be (any, type) */
    IMAGE_dst_TYPE dst,
    const float factor, const int offset)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const POS_src_TYPE here = POS_src_INSTANCE(x, y, 0, 0), next = POS_src_INSTANCE(x + 1, y, 0, 0);
    const float sum = both(READ_src_IMAGE(src, sampler, here).x, READ_src_IMAGE(src, sampler, next).x);
    WRITE_dst_IMAGE(dst, POS_dst_INSTANCE(x, y, 0, 0), CONVERT_dst_PIXEL_TYPE(sum * factor + offset));
}

__kernel void scaled(IMAGE_src_TYPE src, IMAGE_dst_TYPE dst, float factor)
{
    const int x = get_global_id(0), y = get_global_id(1);
    WRITE_IMAGE(dst, POS_dst_INSTANCE(x, y, 0, 0),
                CONVERT_dst_PIXEL_TYPE(READ_IMAGE(src, sampler, POS_src_INSTANCE(x, y, 0, 0)).x * factor));
}

__kernel void sum_of_slices(IMAGE_dst_TYPE dst, IMAGE_src_TYPE src)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int z = 0; z < GET_IMAGE_DEPTH(src); z++)
        sum += READ_src_IMAGE(src, sampler, POS_src_INSTANCE(x, y, z, 0)).x;
    WRITE_dst_IMAGE(dst, POS_dst_INSTANCE(x, y, 0, 0), CONVERT_dst_PIXEL_TYPE(sum));
}
""")
image = clij2.create([5, 1])
result = clij2.create([5, 1])
size = result.getDimensions()
clij2.copy(row(0, 1, 2, 4, 5), image)
half = {"src": image, "dst": result, "factor": Float(0.5), "offset": Integer(0)}
clij2.execute(Object, path, "neighbours", size, size, half)
print(pixels(result))
half["offset"] = 1
clij2.execute(Object, path, "neighbours", size, size, half)
print(pixels(result))

stack = clij2.push(IJ.createImage("stack", "8-bit black", 5, 1, 2))
clij2.setRampX(stack)
raised = clij2.create(stack)
clij2.addImageAndScalar(stack, raised, 3)
clij2.execute(Object, path, "sum_of_slices", size, size, {"src": raised, "dst": result})
print("slices: %s" % pixels(result))

bytes = clij2.create([3, 1], clij2.UnsignedByte)
clij2.execute(Object, path, "scaled", size, size, {"src": row(-1, 1, 10), "dst": bytes, "factor": 20.0})
print("clipped: %s" % pixels(bytes))

clij2.set(result, 0)
code = """__kernel void numbered(IMAGE_dst_TYPE dst)
{
    const int x = get_global_id(0);
    WRITE_dst_IMAGE(dst, POS_dst_INSTANCE(x, 0, 0, 0), x + 7);
}"""
clij2.executeCode(code, "numbered", [3], [3], {"dst": result})
print("three work-items: %s" % pixels(result))

code = "kernel void wide(IMAGE_dst_TYPE dst, int a, int b) { dst[0] = a - 16777216; dst[1] = b + 16777216; }"
pair = clij2.create([2, 1])
clij2.executeCode(code, "wide", [1], [1], {"dst": pair, "a": 16777217, "b": -16777217})
print("whole numbers: %s" % pixels(pair))

triple = clij2.create([3, 1])


def passed(kind, value):
    code = """kernel void number(IMAGE_dst_TYPE dst, const %s a) {
        dst[0] = a %% 2; dst[1] = sizeof a; dst[2] = a; }""" % kind
    if kind == "float":
        code = "kernel void number(IMAGE_dst_TYPE dst, float a) { dst[0] = a; dst[1] = a > 0; dst[2] = a / 4 > 1; }"
    try:
        clij2.executeCode(code, "number", [1], [1], {"dst": triple, "a": value})
        print("%s: %s" % (kind, pixels(triple)))
    except DruaException as e:
        print("%s: %s" % (kind, e.getMessage().replace("executeCode: the parameter a of the kernel number ", "")))


for value in (2147483648, 2.5, 1e300, float("nan")):
    passed("int", value)
passed("uint", 4294967295)
passed("uint", -1)
passed("long", 4294967296)
passed("long", 2 ** 63)
passed("uchar", 256)
passed("float", 1e300)
passed("float", 1.5)

code = "__kernel void constant_value(IMAGE_dst_TYPE dst) { dst[get_global_id(0)] = VALUE * MAX_ARRAY_SIZE; }"
constants = {"VALUE": 4, "MAX_ARRAY_SIZE": 10}
clij2.executeCode(code, "constant_value", size, size, {"dst": result}, constants)
print("constant: %s" % pixels(result))
kept = clij2.executeCodeSubsequently(code, "constant_value", size, size, {"dst": result}, constants, None)
print("subsequently: %s" % kept)
done = clij2.getCLIJ().execute(path, "scaled", {"src": image, "dst": result, "factor": 2})
print("CLIJ: %s %s" % (done, pixels(result)))

write("__kernel void broken(IMAGE_dst_TYPE dst)\n{\n    dst[0] = nothing;\n}\n")
message(clij2.execute, Object, path, "broken", size, size, {"dst": result})
write("__kernel void scaled(IMAGE_src_TYPE src, IMAGE_dst_TYPE dst, float factor) {}")
message(clij2.execute, Object, path, "scaled", size, size, {"src": image, "dst": result})
message(clij2.execute, Object, path, "scaled", size, size, {"src": "text", "dst": result, "factor": 1})
message(clij2.executeCode, code, "absent", size, size, {"dst": result})
waits = "kernel void waits(IMAGE_dst_TYPE dst) { barrier(CLK_LOCAL_MEM_FENCE); }"
message(clij2.executeCode, waits, "waits", size, size, {"dst": result})
counts = "kernel void counts(IMAGE_dst_TYPE dst) { dst[0] = get_num_groups(0); }"
message(clij2.executeCode, counts, "counts", size, size, {"dst": result})
message(clij2.execute, Object, "nowhere.cl", "scaled", size, size, {"dst": result})
clij2.clear()
