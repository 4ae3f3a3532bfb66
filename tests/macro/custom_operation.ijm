// SPDX-License-Identifier: BSD-3-Clause
// CLIJ2's example of customOperation, and variations: functions, planes and stacks, several images of one kind.
run("CLIJ2 Macro Extensions", "cl_device=[] automatic_output_naming");
Ext.CLIJ2_clear();
original = "original image.tif";
newImage(original, "8-bit ramp", 8, 4, 1);
background = "background";
newImage(background, "16-bit ramp", 8, 4, 1);
Ext.CLIJ2_push(original);
Ext.CLIJ2_push(background);
Ext.CLIJ2_getDimensions(original, width, height, depth);
Ext.CLIJ2_create2D(result, width, height, 8);
close("*");

opencl_code =
"float value_original = READ_IMAGE(original, sampler, POS_original_INSTANCE(x, y, z, 0)).x;\n" +
"float value_background = READ_IMAGE(background, sampler, POS_background_INSTANCE(x, y, z, 0)).x;\n" +
"float value_result = value_original + value_background * 0.005;\n" +
"WRITE_IMAGE(result, POS_result_INSTANCE(x, y, z, 0), CONVERT_result_PIXEL_TYPE(value_result));\n";
parameters = newArray(6);
parameters[0] = "result";
parameters[1] = result;
parameters[2] = "original";
parameters[3] = original;
parameters[4] = "background";
parameters[5] = background;
Ext.CLIJ2_invalidateKernelCache();
Ext.CLIJ2_customOperation(opencl_code, "", parameters);
show(result);
// ImageJ's ramps: 0 32 64 ... and 0 8192 16384 ...; 32 + 40.96, 64 + 81.92, 96 + 122.88, then 255
// expect: 0 72 145 218 255 255 255 255

// a function, the same image as source and destination, reading beyond the edge
Ext.CLIJ2_customOperation("float left = brighter(READ_IMAGE(a, sampler, POS_a_INSTANCE(x - 1, y, z, 0)).x);" +
    "WRITE_IMAGE(b, POS_b_INSTANCE(x, y, z, 0), CONVERT_b_PIXEL_TYPE(left)); // the last line",
    "inline float brighter(float value) {\n    return value + 1.5;\n}\n", newArray("a", original, "b", result));
show(result);
// expect: 1 1 33 65 97 129 161 193
Ext.CLIJx_customOperation("WRITE_IMAGE(i, POS_i_INSTANCE(x, y, z, 0), CONVERT_i_PIXEL_TYPE(-READ_IMAGE(i, sampler, POS_i_INSTANCE(x, y, z, 0)).x + 100));",
    "", newArray("i", result));
show(result);
// expect: 99 99 67 35 3 0 0 0

// the sum of a stack along z, written to a plane; extents as constants
Ext.CLIJ2_create3D(stack, 5, 2, 3, 32);
Ext.CLIJ2_customOperation("WRITE_IMAGE(s, POS_s_INSTANCE(x, y, z, 0), x + 10.0f * y + 100.0f * z);", "", newArray("s", stack));
Ext.CLIJ2_create2D(sum, 5, 2, 16);
code = "float values[GET_IMAGE_DEPTH(s)];\n" +
    "for (int i = 0; i < GET_IMAGE_DEPTH(s); i++) values[i] = READ_IMAGE(s, sampler, POS_s_INSTANCE(x, y, i, 0)).x;\n" +
    "float all = 0;\n" +
    "for (int i = 0; i < GET_IMAGE_DEPTH(s); i++) all += values[i];\n" +
    "WRITE_IMAGE(p, POS_p_INSTANCE(x, y, 0, 0), CONVERT_p_PIXEL_TYPE(all));";
Ext.CLIJ2_customOperation(code, "", newArray("s", stack, "p", sum));
show(sum);
// expect: 300 303 306 309 312

// CLIJx's older command: images are named image1 and image2, the code computes the position itself
opencl_code = "" +
  "const int x = get_global_id(0);" +
  "const int y = get_global_id(1);" +
  "const int2 pos = (int2)(x, y);" +
  "float value = READ_IMAGE(image1, sampler, pos).x;\n" +
  "value = value - 100;\n" +
  "WRITE_IMAGE(image2, pos, CONVERT_image2_PIXEL_TYPE(value));";
Ext.CLIJx_customBinaryOperation(original, result, opencl_code);
show(result);
// expect: 0 0 0 0 28 60 92 124

// the compiler's message and the line of the code; everything else stays unchanged
Ext.CLIJ2_customOperation("float value = 1;\nWRITE_IMAGE(r, POS_r_INSTANCE(x, y, z, 0), valu);", "", newArray("r", result));

function show(image) {
    Ext.CLIJ2_pull(image);
    line = "";
    for (x = 0; x < getWidth(); x++)
        line = line + " " + getPixel(x, 0);
    print(substring(line, 1));
    close();
}
// error: CLIJ2_customOperation: operation_code does not compile; line 2:
// error: 'valu'
