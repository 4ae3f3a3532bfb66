/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pixel features for classification. A text lists the features as words; each word names a filter, whose result becomes
 * one slice of the stack.
 */
#include "plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LETTERS = 32, MAX_FEATURES = 1000 };

/* The parts of a word "name=number". The name is in lower case; a missing number is 0. */
typedef struct feature {
    char name[MAX_LETTERS];
    double number;
} feature;

static const char blanks[] = " \t\r\n";

/* Reads the next word of the list. Returns false at the end of the list or after a failure. */
static bool next_feature(drua_plan *p, const char **text, feature *f)
{
    *text += strspn(*text, blanks);
    const size_t length = strcspn(*text, blanks), name = strcspn(*text, "= \t\r\n");
    char number[MAX_LETTERS] = "0", *end = number;
    if (!length || plan_failed(p))
        return false;
    if (name >= MAX_LETTERS || length - name > MAX_LETTERS) {
        plan_fail(p, "features: '%.*s' is not a feature; the page of generateFeatureStack lists all features",
                  (int)(length < 60 ? length : 60), *text);
        return false;
    }
    for (size_t i = 0; i <= name; i++)
        f->name[i] = (char)(i < name ? tolower((unsigned char)(*text)[i]) : 0);
    if (name < length) {
        memcpy(number, *text + name + 1, length - name - 1);
        number[length - name - 1] = 0;
    }
    f->number = strtod(number, &end);
    if (end == number || *end || !(f->number >= 0 && f->number <= 1000))
        plan_fail(p, "features: the number of '%.*s' must be 0 to 1000", (int)length, *text);
    *text += length;
    return !plan_failed(p);
}

static void stack_shape(drua_plan *p, drua_shape *shape)
{
    const char *text = plan_text(p, "features");
    feature f;
    int64_t count = 0;
    while (next_feature(p, &text, &f))
        count++;
    if (count < 1 || count > MAX_FEATURES)
        plan_fail(p, "features must name 1 to %d features such as \"original gaussianblur=1\", got %lld", MAX_FEATURES,
                  (long long)count);
    *shape = (drua_shape){shape->width, shape->height, count, 3};
}

/*
 * Applies one feature's filter to an image. All filters work in 2D. The number is a radius in pixels, or the standard
 * deviation of a Gaussian blur that precedes the filter.
 */
static drua_operand make_feature(drua_plan *p, drua_operand image, const feature *f)
{
    static const struct {
        const char *name, *operation;
        enum { ALONE, BOX, GAUSSIAN, BLURRED } kind;
    } known[] = {{"original", "copy", ALONE},
                 {"gradientx", "gradient_x", ALONE},
                 {"gradienty", "gradient_y", ALONE},
                 {"gaussianblur", "gaussian_blur", GAUSSIAN},
                 {"minimum", "minimum_box", BOX},
                 {"maximum", "maximum_box", BOX},
                 {"mean", "mean_box", BOX},
                 {"entropy", "entropy_box", BOX},
                 {"laplacianofgaussian", "laplace_box", BLURRED},
                 {"sobelofgaussian", "sobel", BLURRED}};
    const drua_operand none = NUMBER(0);
    drua_operand n = NUMBER(f->number);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *operation = known[i].operation;
        if (strcmp(known[i].name, f->name))
            continue;
        switch (known[i].kind) {
        case ALONE: return CALL(p, operation, DRUA_FLOAT32, image);
        case BOX: n = NUMBER(plan_whole_number(p, "features", f->number)); /* fall through */
        case GAUSSIAN: return CALL(p, operation, DRUA_FLOAT32, image, n, n, none);
        default: return CALL(p, operation, DRUA_FLOAT32, CALL(p, "gaussian_blur", DRUA_FLOAT32, image, n, n, none));
        }
    }
    plan_fail(p, "features: '%s' is not a feature; the page of generateFeatureStack lists all features", f->name);
    return image;
}

static void build_stack(drua_plan *p)
{
    const drua_shape of = plan_shape(p, "source");
    const drua_operand plane = CALL(p, "crop", DRUA_NO_TYPE, plan_operand(p, "source"), NUMBER(0), NUMBER(0), NUMBER(0),
                                    NUMBER((double)of.width), NUMBER((double)of.height), NUMBER(1));
    const drua_operand image = CALL(p, "convert_float", DRUA_FLOAT32, plane);
    const char *text = plan_text(p, "features");
    feature f;
    drua_operand stack = image;
    for (int count = 0; next_feature(p, &text, &f); count++) {
        const drua_operand slice = make_feature(p, image, &f);
        stack = count ? CALL(p, "concatenate_stacks", DRUA_FLOAT32, stack, slice) : slice;
    }
    if (!plan_failed(p))
        plan_return(p, "destination", stack);
}

DRUA_OP(generate_feature_stack) = {
    .name = "generate_feature_stack",
    .category = "classification",
    .summary = "Filters a plane in several ways, as features for pixel classification. Each word makes one slice.",
    .source = "original, gaussianBlur=sigma, laplacianOfGaussian=sigma, sobelOfGaussian=sigma, gradientX, gradientY, "
              "minimum=radius, maximum=radius, mean=radius, entropy=radius; radii are those of boxes; words may be in "
              "upper or lower case",
    DRUA_PARAMS(DRUA_IMAGE_IN("source", "plane; only the first slice of a stack is used"),
                DRUA_IMAGE_OUT("destination", "feature stack", .shape = stack_shape, .type = DRUA_FLOAT32),
                DRUA_TEXT("features", "words such as gaussianBlur=2, separated by spaces",
                          .default_text = "original gaussianblur=1 sobelofgaussian=1")),
    DRUA_ALIASES("CLIJx generateFeatureStack: source, destination, features"),
    .numeric = DRUA_DEVICE,
    .build = build_stack,
};
