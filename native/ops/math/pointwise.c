/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations whose result at a pixel depends only on that pixel. Each is one expression, and the engine runs chains of
 * them in one pass. Images are a, b; numbers s, t; the position X, Y, Z (see op.h).
 */
#include "op.h"

#define POINTWISE(name_, category_, numeric_, traits_, roundings_, expression_, summary_, params_, ...)                \
    {                                                                                                                  \
        .name = #name_, .category = category_, .numeric = numeric_, .traits = traits_, .roundings = roundings_,        \
        .expression = expression_, .summary = summary_, params_, DRUA_ALIASES(__VA_ARGS__)                             \
    }

#define IN DRUA_IMAGE_IN("source", "image to read")
#define IN1 DRUA_IMAGE_IN("source1", "first image")
#define IN2                         DRUA_IMAGE_IN("source2", "second image; if it is smaller, its border is repeated")
#define OUT DRUA_IMAGE_OUT("destination", "result")
#define OUT_MASK                   DRUA_IMAGE_OUT("destination", "mask: 1 where the comparison holds, else 0")
#define OUT_FLOAT DRUA_IMAGE_OUT("destination", "result, float32", .type = DRUA_FLOAT32)
#define SCALAR(name, doc, default_) DRUA_NUMBER(name, doc, .default_value = default_)
#define GREY(name, doc, default_)   DRUA_NUMBER(name, doc, .unit = "grey value", .default_value = default_)
#define ONE DRUA_PARAMS(IN, OUT)
#define ONE_FLOAT DRUA_PARAMS(IN, OUT_FLOAT)
#define TWO DRUA_PARAMS(IN1, IN2, OUT)
#define ONE_MASK DRUA_PARAMS(IN, OUT_MASK)
#define TWO_MASK DRUA_PARAMS(IN1, IN2, OUT_MASK)
#define TWO_FLOAT DRUA_PARAMS(IN1, IN2, OUT_FLOAT)
#define ONE_CONSTANT DRUA_PARAMS(IN, OUT_MASK, GREY("constant", "grey value to compare with", 0))
#define CHANGED DRUA_IMAGE_INOUT("source", "image to change")
#define VALUE GREY("value", "new grey value", 0)

/* ---- arithmetic */
DRUA_OP(absolute) = POINTWISE(absolute, "math", DRUA_EXACT, 0, 0, "fabs(a)", "Turns negative values positive.", ONE,
                              "CLIJ2/CLIJx/CLIJ absolute: source, &destination");
DRUA_OP(absolute_difference) = POINTWISE(absolute_difference, "math", DRUA_EXACT, 0, 0, "fabs(a - b)",
                                         "Shows how much two images differ, as a positive number.", TWO,
                                         "CLIJ2 absoluteDifference: source1, source2, &destination");
DRUA_OP(squared_difference) = POINTWISE(squared_difference, "math", DRUA_EXACT, 0, 0, "(a - b) * (a - b)",
                                        "Squares the difference of two images.", TWO,
                                        "CLIJ2 squaredDifference: source1, source2, &destination");
DRUA_OP(add_image_and_scalar) = POINTWISE(add_image_and_scalar, "math", DRUA_EXACT, 0, 0, "a + s",
                                          "Adds a number to every pixel.",
                                          DRUA_PARAMS(IN, OUT, GREY("scalar", "number to add", 1)),
                                          "CLIJ2/CLIJx/CLIJ addImageAndScalar: source, &destination, scalar");
DRUA_OP(add_images) = POINTWISE(
    add_images, "math", DRUA_EXACT, 0, 0, "a + b", "Adds two images.", TWO,
    "CLIJ2/CLIJx/CLIJ addImages: source1, source2, &destination",
    "CLIJxt addImages: source1, source2, &destination, ~tile_width, ~tile_height, ~tile_depth, ~margin_width, "
    "~margin_height, "
    "~margin_depth");
DRUA_OP(add_images_weighted) =
    POINTWISE(add_images_weighted, "math", DRUA_EXACT, 0, 0, "a * s + b * t", "Adds two images, each times a factor.",
              DRUA_PARAMS(IN1, IN2, OUT, SCALAR("factor1", "factor of the first image", 1),
                          SCALAR("factor2", "factor of the second image", 1)),
              "CLIJ2/CLIJx/CLIJ addImagesWeighted: source1, source2, &destination, factor1, factor2");
DRUA_OP(subtract_images) =
    POINTWISE(subtract_images, "math", DRUA_EXACT, 0, 0, "a - b",
              "Subtracts the second image from the first; in integer images negative results become 0.", TWO,
              "CLIJ2/CLIJx/CLIJ subtractImages: source1, source2, &destination");
DRUA_OP(subtract_image_from_scalar) = POINTWISE(subtract_image_from_scalar, "math", DRUA_EXACT, 0, 0, "s - a",
                                                "Subtracts every pixel from a number.",
                                                DRUA_PARAMS(IN, OUT, GREY("scalar", "number to subtract from", 0)),
                                                "CLIJ2/CLIJx subtractImageFromScalar: source, &destination, scalar");
DRUA_OP(multiply_images) = POINTWISE(multiply_images, "math", DRUA_EXACT, 0, 0, "a * b", "Multiplies two images.", TWO,
                                     "CLIJ2/CLIJx/CLIJ multiplyImages: source1, source2, &destination");
DRUA_OP(multiply_image_and_scalar) =
    POINTWISE(multiply_image_and_scalar, "math", DRUA_EXACT, 0, 0, "a * s", "Multiplies every pixel by a number.",
              DRUA_PARAMS(IN, OUT, DRUA_NUMBER("scalar", "factor", .default_value = 1, .example = 2)),
              "CLIJ2/CLIJx/CLIJ multiplyImageAndScalar: source, &destination, scalar");
DRUA_OP(multiply_image_and_coordinate) =
    POINTWISE(multiply_image_and_coordinate, "math", DRUA_EXACT, 0, 0, "a * IF(s == 0.0f, X, IF(s == 1.0f, Y, Z))",
              "Multiplies every pixel by its position along one axis.",
              DRUA_PARAMS(IN, OUT, DRUA_INTEGER("dimension", "axis: 0 is x, 1 is y, 2 is z", DRUA_RANGE(0, 2))),
              "CLIJ2/CLIJx multiplyImageAndCoordinate: source, &destination, dimension");
DRUA_OP(multiply_stack_with_plane) =
    POINTWISE(multiply_stack_with_plane, "math", DRUA_EXACT, 0, 0, "a * b",
              "Multiplies every slice of a stack by the same plane.",
              DRUA_PARAMS(DRUA_IMAGE_IN("source", "stack"),
                          DRUA_IMAGE_IN("plane", "plane; only the first slice of a stack is used"), OUT),
              "CLIJ2/CLIJx/CLIJ multiplyStackWithPlane: source, plane, &destination");
DRUA_OP(divide_images) = POINTWISE(divide_images, "math", DRUA_EXACT, 0, 0, "DIVIDE(a, b)",
                                   "Divides the first image by the second.", TWO_FLOAT,
                                   "CLIJ2/CLIJx divideImages: source1, source2, &destination",
                                   "CLIJ divideImages: source1, source2, &destination:source");
DRUA_OP(divide_scalar_by_image) = POINTWISE(divide_scalar_by_image, "math", DRUA_EXACT, 0, 0, "DIVIDE(s, a)",
                                            "Divides a number by every pixel.",
                                            DRUA_PARAMS(IN, OUT_FLOAT, SCALAR("scalar", "number to divide", 1)),
                                            "CLIJ2/CLIJx divideScalarByImage: source, &destination, scalar");
DRUA_OP(maximum_images) = POINTWISE(maximum_images, "math", DRUA_EXACT, 0, 0, "fmax(a, b)",
                                    "Takes the larger of two pixels.", TWO,
                                    "CLIJ2/CLIJx/CLIJ maximumImages: source1, source2, &destination");
DRUA_OP(minimum_images) = POINTWISE(minimum_images, "math", DRUA_EXACT, 0, 0, "fmin(a, b)",
                                    "Takes the smaller of two pixels.", TWO,
                                    "CLIJ2/CLIJx/CLIJ minimumImages: source1, source2, &destination");
DRUA_OP(maximum_image_and_scalar) = POINTWISE(maximum_image_and_scalar, "math", DRUA_EXACT, 0, 0, "fmax(a, s)",
                                              "Raises pixels below a number to that number.",
                                              DRUA_PARAMS(IN, OUT, GREY("scalar", "smallest value that stays", 0)),
                                              "CLIJ2/CLIJx/CLIJ maximumImageAndScalar: source, &destination, scalar");
DRUA_OP(minimum_image_and_scalar) = POINTWISE(minimum_image_and_scalar, "math", DRUA_EXACT, 0, 0, "fmin(a, s)",
                                              "Lowers pixels above a number to that number.",
                                              DRUA_PARAMS(IN, OUT, GREY("scalar", "largest value that stays", 0)),
                                              "CLIJ2/CLIJx/CLIJ minimumImageAndScalar: source, &destination, scalar");
DRUA_OP(power) = POINTWISE(power, "math", DRUA_DEVICE, 0, 33, "(s.s0 == 1.0f ? a : pow(a, s))",
                           "Raises every pixel to a power.",
                           DRUA_PARAMS(IN, OUT_FLOAT, SCALAR("exponent", "exponent", 1)),
                           "CLIJ2/CLIJx power: source, &destination, exponent",
                           "CLIJ power: source, &destination:source, exponent");
DRUA_OP(power_images) = POINTWISE(power_images, "math", DRUA_DEVICE, 0, 33, "pow(a, b)",
                                  "Raises each pixel of the first image to the power given by the second.", TWO_FLOAT,
                                  "CLIJ2/CLIJx powerImages: source1, source2, &destination");
DRUA_OP(exponential) = POINTWISE(exponential, "math", DRUA_DEVICE, 0, 9, "exp(a)",
                                 "Takes e to the power of every pixel.", ONE_FLOAT,
                                 "CLIJ2/CLIJx exponential: source, &destination");
DRUA_OP(logarithm) = POINTWISE(logarithm, "math", DRUA_DEVICE, 0, 9, "log(a)",
                               "Takes the natural logarithm of every pixel.", ONE_FLOAT,
                               "CLIJ2/CLIJx logarithm: source, &destination");
DRUA_OP(sine) = POINTWISE(sine, "math", DRUA_DEVICE, 0, 9, "sin(a)", "Takes the sine of every pixel, in radians.",
                          ONE_FLOAT, "CLIJ2/CLIJx sinus: source, &destination");
DRUA_OP(cosine) = POINTWISE(cosine, "math", DRUA_DEVICE, 0, 9, "cos(a)", "Takes the cosine of every pixel, in radians.",
                            ONE_FLOAT, "CLIJ2/CLIJx cosinus: source, &destination");
DRUA_OP(invert) = POINTWISE(invert, "math", DRUA_EXACT, 0, 0, "-a",
                            "Changes the sign of every pixel (not 255 minus the pixel).", ONE_FLOAT,
                            "CLIJ2/CLIJx invert: source, &destination", "CLIJ invert: source, &destination:source");
DRUA_OP(undefined_to_zero) = POINTWISE(undefined_to_zero, "math", DRUA_EXACT, 0, 0, "IF(isfinite(a), a, 0.0f)",
                                       "Replaces NaN and infinity with 0.", ONE,
                                       "CLIJ2 undefinedToZero: source, &destination");
DRUA_OP(replace_intensity) = POINTWISE(
    replace_intensity, "math", DRUA_EXACT, DRUA_KEEPS_LABELS, 0, "IF(a == s, t, a)",
    "Replaces one grey value or label with another.",
    DRUA_PARAMS(IN, OUT, GREY("value_to_replace", "value to look for", 0), GREY("value_replacement", "new value", 0)),
    "CLIJ2/CLIJx replaceIntensity: source, &destination, value_to_replace, value_replacement");
DRUA_OP(replace_pixels_if_zero) = POINTWISE(replace_pixels_if_zero, "math", DRUA_EXACT, 0, 0, "IF(a != 0.0f, a, b)",
                                            "Fills pixels that are 0 from a second image.", TWO,
                                            "CLIJ2 replacePixelsIfZero: source1, source2, &destination");
DRUA_OP(extrema) = POINTWISE(extrema, "math", DRUA_EXACT, 0, 0, "IF(fabs(a) > fabs(b), a, b)",
                             "Takes the one of two pixels that is farther from 0.", TWO,
                             "CLIJx extrema: source1, source2, &destination");

DRUA_OP(sign) = POINTWISE(sign, "math", DRUA_EXACT, 0, 0, "IF(a > 0.0f, 1.0f, IF(a < 0.0f, -1.0f, a))",
                          "Keeps only the sign of every pixel: -1, 0 or 1.", ONE,
                          "CLIJx presign: source, &destination");
DRUA_OP(modulo_images) = POINTWISE(
    modulo_images, "math", DRUA_EXACT, 0, 0, "fmod(a, b)",
    "Takes the remainder of a division of the first image by the second; it has the sign of the first.", TWO, NULL);
DRUA_OP(replace_undefined) = POINTWISE(replace_undefined, "math", DRUA_EXACT, 0, 0,
                                       "IF(isnan(a), s, IF(isinf(a), IF(a > 0.0f, t, u), a))",
                                       "Replaces NaN and both infinities with numbers.",
                                       DRUA_PARAMS(IN, OUT, GREY("nan", "value for NaN", 0),
                                                   GREY("positive_infinity", "value for infinity", 0),
                                                   GREY("negative_infinity", "value for -infinity", 0)),
                                       NULL);

/* ---- comparisons: 1 where true, else 0 */
#define COMPARISON(name_, operator_, words_, camel_)                                                                   \
    POINTWISE(name_, "comparison", DRUA_EXACT, DRUA_SOURCE_EXTENT, 0, "IF(a " operator_ " b, 1.0f, 0.0f)",             \
              "Marks pixels of the first image that are " words_ " those of the second.", TWO_MASK,                    \
              "CLIJ2/CLIJx " camel_ ": source1, source2, &destination")
#define COMPARISON_WITH(name_, operator_, words_, camel_)                                                              \
    POINTWISE(name_, "comparison", DRUA_EXACT, DRUA_SOURCE_EXTENT, 0, "IF(a " operator_ " s, 1.0f, 0.0f)",             \
              "Marks pixels that are " words_ " a number.", ONE_CONSTANT,                                              \
              "CLIJ2/CLIJx " camel_ "Constant: source, &destination, constant")
DRUA_OP(greater) = COMPARISON(greater, ">", "larger than", "greater");
DRUA_OP(greater_constant) = COMPARISON_WITH(greater_constant, ">", "larger than", "greater");
DRUA_OP(greater_or_equal) = COMPARISON(greater_or_equal, ">=", "larger than or equal to", "greaterOrEqual");
DRUA_OP(greater_or_equal_constant) = COMPARISON_WITH(greater_or_equal_constant, ">=", "larger than or equal to",
                                                     "greaterOrEqual");
DRUA_OP(smaller) = COMPARISON(smaller, "<", "smaller than", "smaller");
DRUA_OP(smaller_constant) = COMPARISON_WITH(smaller_constant, "<", "smaller than", "smaller");
DRUA_OP(smaller_or_equal) = COMPARISON(smaller_or_equal, "<=", "smaller than or equal to", "smallerOrEqual");
DRUA_OP(smaller_or_equal_constant) = COMPARISON_WITH(smaller_or_equal_constant, "<=", "smaller than or equal to",
                                                     "smallerOrEqual");
DRUA_OP(equal) = COMPARISON(equal, "==", "equal to", "equal");
DRUA_OP(equal_constant) = COMPARISON_WITH(equal_constant, "==", "equal to", "equal");
DRUA_OP(not_equal) = COMPARISON(not_equal, "!=", "different from", "notEqual");
DRUA_OP(not_equal_constant) = COMPARISON_WITH(not_equal_constant, "!=", "different from", "notEqual");
DRUA_OP(different) = POINTWISE(different, "comparison", DRUA_EXACT, DRUA_SOURCE_EXTENT, 0,
                               "IF(fabs(a - b) > s, 1.0f, 0.0f)",
                               "Marks pixels where two images differ by more than a tolerance.",
                               DRUA_PARAMS(IN1, IN2, OUT_MASK,
                                           GREY("tolerance", "largest difference that counts as equal", 0)),
                               "CLIJ2/CLIJx different: source1, source2, &destination, tolerance");
DRUA_OP(similar) = POINTWISE(similar, "comparison", DRUA_EXACT, DRUA_SOURCE_EXTENT, 0,
                             "IF(fabs(a - b) <= s, 1.0f, 0.0f)",
                             "Marks pixels where two images differ by no more than a tolerance.",
                             DRUA_PARAMS(IN1, IN2, OUT_MASK,
                                         GREY("tolerance", "largest difference that counts as equal", 0)),
                             "CLIJ2/CLIJx similar: source1, source2, &destination, tolerance");
DRUA_OP(within_intensity_range) =
    POINTWISE(within_intensity_range, "comparison", DRUA_EXACT, DRUA_SOURCE_EXTENT, 0,
              "IF((a > s) & (a < t), 1.0f, 0.0f)", "Marks pixels between two grey values, both excluded.",
              DRUA_PARAMS(IN, DRUA_IMAGE_OUT("destination", "mask, uint8", .type = DRUA_UINT8),
                          DRUA_NUMBER("above_intensity", "grey value below the range", .unit = "grey value",
                                      .default_value = 0, .example = 40),
                          DRUA_NUMBER("below_intensity", "grey value above the range", .unit = "grey value",
                                      .default_value = 1, .example = 120)),
              "CLIJ2/CLIJx withinIntensityRange: source, &destination, above_intensity, below_intensity");
DRUA_OP(out_of_intensity_range) =
    POINTWISE(out_of_intensity_range, "comparison", DRUA_EXACT, 0, 0, "IF((a < s) | (a > t), 1.0f, 0.0f)",
              "Marks pixels below a smallest or above a largest grey value.",
              DRUA_PARAMS(IN, OUT_MASK,
                          DRUA_NUMBER("minimum", "smallest grey value in the range", .unit = "grey value",
                                      .default_value = 0, .example = 40),
                          DRUA_NUMBER("maximum", "largest grey value in the range", .unit = "grey value",
                                      .default_value = 1, .example = 120)),
              "CLIJ2/CLIJx outOfIntensityRange: source, &destination, minimum, maximum");
DRUA_OP(threshold) = POINTWISE(threshold, "threshold", DRUA_EXACT, 0, 0, "IF(a >= s, 1.0f, 0.0f)",
                               "Marks pixels at or above a grey value.",
                               DRUA_IN_MENU(DRUA_PARAMS(IN, OUT_MASK,
                                                        GREY("threshold", "smallest grey value that is marked", 1))),
                               "CLIJ2/CLIJx/CLIJ threshold: source, &destination, threshold");
DRUA_OP(local_threshold) = POINTWISE(local_threshold, "threshold", DRUA_EXACT, 0, 0, "IF(a >= b, 1.0f, 0.0f)",
                                     "Marks pixels at or above a threshold that another image gives pixel by pixel.",
                                     DRUA_PARAMS(IN, DRUA_IMAGE_IN("threshold", "image of thresholds"), OUT_MASK),
                                     "CLIJ2/CLIJx/CLIJ localThreshold: source, threshold, &destination");

/* ---- masks and binary logic: nonzero is true */
DRUA_OP(binary_and) = POINTWISE(binary_and, "binary", DRUA_EXACT, 0, 0, "IF((a != 0.0f) & (b != 0.0f), 1.0f, 0.0f)",
                                "Marks pixels that are marked in both images.", TWO_MASK,
                                "CLIJ2/CLIJx/CLIJ binaryAnd: source1, source2, &destination",
                                "CLIJ2/CLIJx binaryIntersection: source1, source2, &destination");
DRUA_OP(binary_or) = POINTWISE(binary_or, "binary", DRUA_EXACT, 0, 0, "IF((a != 0.0f) | (b != 0.0f), 1.0f, 0.0f)",
                               "Marks pixels that are marked in either image.", TWO_MASK,
                               "CLIJ2/CLIJx/CLIJ binaryOr: source1, source2, &destination",
                               "CLIJ2/CLIJx binaryUnion: source1, source2, &destination");
DRUA_OP(binary_xor) = POINTWISE(binary_xor, "binary", DRUA_EXACT, 0, 0, "IF((a != 0.0f) ^ (b != 0.0f), 1.0f, 0.0f)",
                                "Marks pixels that are marked in just one of the images.", TWO_MASK,
                                "CLIJ2/CLIJx/CLIJ binaryXOr: source1, source2, &destination");
DRUA_OP(binary_not) = POINTWISE(binary_not, "binary", DRUA_EXACT, 0, 0, "IF(a == 0.0f, 1.0f, 0.0f)",
                                "Marks pixels that are not marked.", ONE_MASK,
                                "CLIJ2/CLIJx/CLIJ binaryNot: source, &destination");
DRUA_OP(binary_subtract) = POINTWISE(binary_subtract, "binary", DRUA_EXACT, 0, 0, "IF(b == 0.0f, a, 0.0f)",
                                     "Keeps the first image where the second is not marked.", TWO,
                                     "CLIJ2/CLIJx binarySubtract: source1, source2, &destination");
DRUA_OP(mask) = POINTWISE(mask, "binary", DRUA_EXACT, DRUA_KEEPS_LABELS, 0, "IF(b != 0.0f, a, 0.0f)",
                          "Keeps an image inside a mask and sets it to 0 outside.",
                          DRUA_PARAMS(IN, DRUA_IMAGE_IN("mask", "mask; nonzero is inside"), OUT),
                          "CLIJ2/CLIJx/CLIJ mask: source, mask, &destination",
                          "CLIJ2/CLIJx/CLIJ maskStackWithPlane: source, mask, &destination");

/* ---- conversions */
DRUA_OP(convert_uint8) = POINTWISE(convert_uint8, "image", DRUA_EXACT, 0, 0, "a",
                                   "Converts to 8 bit: fractions are truncated, values limited to 0 to 255.",
                                   DRUA_PARAMS(IN, DRUA_IMAGE_OUT("destination", "8-bit image", .type = DRUA_UINT8)),
                                   "CLIJ2/CLIJx/CLIJ convertUInt8: source, &destination");
DRUA_OP(convert_uint16) = POINTWISE(convert_uint16, "image", DRUA_EXACT, 0, 0, "a",
                                    "Converts to 16 bit: fractions are truncated, values limited to 0 to 65535.",
                                    DRUA_PARAMS(IN, DRUA_IMAGE_OUT("destination", "16-bit image", .type = DRUA_UINT16)),
                                    "CLIJ2/CLIJx/CLIJ convertUInt16: source, &destination");
DRUA_OP(convert_float) = POINTWISE(convert_float, "image", DRUA_EXACT, 0, 0, "a", "Converts to 32-bit floating point.",
                                   ONE_FLOAT, "CLIJ2/CLIJx/CLIJ convertFloat: source, &destination");

/* ---- changes of an image in place */
DRUA_OP(absolute_in_place) = POINTWISE(absolute_in_place, "math", DRUA_EXACT, 0, 0, "fabs(a)",
                                       "Turns negative values of an image positive, in place.", DRUA_PARAMS(CHANGED),
                                       "CLIJx absoluteInplace: source");
DRUA_OP(set) = POINTWISE(set, "image", DRUA_EXACT, 0, 0, "s", "Sets every pixel to one grey value.",
                         DRUA_PARAMS(CHANGED, VALUE), "CLIJ2/CLIJx/CLIJ set: source, value");
DRUA_OP(local_id) =
    POINTWISE(local_id, "image", DRUA_EXACT, 0, 0, "fmod(X, 4.0f) + 4.0f * fmod(Y, 4.0f) + 16.0f * fmod(Z, 4.0f)",
              "Numbers the pixels of each block of 4 x 4 x 4 from 0 to 63: first along x, then y, then z.", ONE,
              "CLIJx localID: source, &destination");
DRUA_OP(set_ramp_x) = POINTWISE(set_ramp_x, "image", DRUA_EXACT, 0, 0, "X", "Sets every pixel to its x position.",
                                DRUA_PARAMS(CHANGED), "CLIJ2/CLIJx setRampX: source");
DRUA_OP(set_ramp_y) = POINTWISE(set_ramp_y, "image", DRUA_EXACT, 0, 0, "Y", "Sets every pixel to its y position.",
                                DRUA_PARAMS(CHANGED), "CLIJ2/CLIJx setRampY: source");
DRUA_OP(set_ramp_z) = POINTWISE(set_ramp_z, "image", DRUA_EXACT, 0, 0, "Z", "Sets every pixel to its z position.",
                                DRUA_PARAMS(CHANGED), "CLIJ2/CLIJx setRampZ: source");
DRUA_OP(set_where_x_equals_y) = POINTWISE(set_where_x_equals_y, "image", DRUA_EXACT, 0, 0, "IF(X == Y, s, a)",
                                          "Sets pixels on the diagonal.", DRUA_PARAMS(CHANGED, VALUE),
                                          "CLIJ2/CLIJx setWhereXequalsY: source, value");
DRUA_OP(set_where_x_greater_than_y) = POINTWISE(set_where_x_greater_than_y, "image", DRUA_EXACT, 0, 0,
                                                "IF(X > Y, s, a)", "Sets pixels above the diagonal.",
                                                DRUA_PARAMS(CHANGED, VALUE),
                                                "CLIJ2/CLIJx setWhereXgreaterThanY: source, value");
DRUA_OP(set_where_x_smaller_than_y) = POINTWISE(set_where_x_smaller_than_y, "image", DRUA_EXACT, 0, 0,
                                                "IF(X < Y, s, a)", "Sets pixels below the diagonal.",
                                                DRUA_PARAMS(CHANGED, VALUE),
                                                "CLIJ2/CLIJx setWhereXsmallerThanY: source, value");
