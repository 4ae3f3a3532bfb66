/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses transforms from text, and implements the operations that apply a single matrix. */
#include "matrix.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- text: tokens transform the content, so the matrix from result to source is a product of their inverses */

typedef enum token_kind { CENTER, BACK, SCALE, ROTATE, TRANSLATE, SHEAR } token_kind;

enum { X = 0, Y, Z, EVERY };

static const struct token {
    const char *name;
    token_kind kind;
    int axis, by;
    bool plane;         /* also valid for 2D images */
} tokens[] = {
    {"center", CENTER, 0, 0, true},         {"-center", BACK, 0, 0, true},
    {"scale", SCALE, EVERY, 0, true},       {"scalex", SCALE, X, 0, true},
    {"scaley", SCALE, Y, 0, true},          {"scalez", SCALE, Z, 0, false},
    {"rotate", ROTATE, Z, 0, true},         {"rotatex", ROTATE, X, 0, false},
    {"rotatey", ROTATE, Y, 0, false},       {"rotatez", ROTATE, Z, 0, false},
    {"translatex", TRANSLATE, X, 0, true},  {"translatey", TRANSLATE, Y, 0, true},
    {"translatez", TRANSLATE, Z, 0, false}, {"shearxy", SHEAR, X, Y, true},
    {"shearxz", SHEAR, X, Z, false},        {"shearyx", SHEAR, Y, X, false},
    {"shearyz", SHEAR, Y, Z, false},        {"shearzx", SHEAR, Z, X, false},
    {"shearzy", SHEAR, Z, Y, false},
};

static matrix token_matrix(const struct token *t, double value, drua_shape shape)
{
    const double flat = shape.dimension == 3 ? value : 1;
    switch (t->kind) {
    case CENTER: return matrix_from_middle(shape);
    case BACK: return matrix_to_middle(shape);
    case SCALE:
        return t->axis == EVERY ? matrix_scaling(1 / value, 1 / value, 1 / flat)
                                : matrix_scaling(t->axis == X ? 1 / value : 1, t->axis == Y ? 1 / value : 1,
                                                 t->axis == Z ? 1 / value : 1);
    case ROTATE: return matrix_rotation(t->axis, -value);
    case TRANSLATE:
        return matrix_translation(t->axis == X ? value : 0, t->axis == Y ? value : 0, t->axis == Z ? value : 0);
    case SHEAR: return matrix_shear(t->axis, t->by, value);
    }
    return matrix_identity();
}

static const struct token *find_token(const char *text, size_t length, int dimension)
{
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        if (strlen(tokens[i].name) == length && !strncasecmp(tokens[i].name, text, length) &&
            (tokens[i].plane || dimension == 3))
            return &tokens[i];
    return NULL;
}

/*
 * Reads "matrix=" and the rows of a matrix, separated by commas: 2 x 3 numbers for a plane, 3 x 4 for a stack. The
 * matrix maps positions in the result to positions in the source. Returns whether the token contains exactly these
 * numbers.
 */
static bool read_matrix(const char *token, size_t length, int dimension, matrix *m)
{
    static const char start[] = "matrix=";
    const char *next = token + sizeof start - 1, *const token_end = token + length;
    *m = matrix_identity();
    if (length < sizeof start || strncasecmp(token, start, sizeof start - 1))
        return false;
    for (int row = 0; row < dimension; row++)
        for (int i = 0; i <= dimension; i++) {
            const bool last = row == dimension - 1 && i == dimension;
            char *end;
            const double value = strtod(next, &end);
            if (end == next || !isfinite(value) || (last ? end != token_end : *end != ','))
                return false;
            m->at[row][i == dimension ? 3 : i] = value;
            next = end + 1;
        }
    return true;
}

/* Returns the product of a text's tokens, such as "-center rotate=30 center", for an image of that shape. */
static matrix parse_transform(drua_plan *p, const char *text, drua_shape shape)
{
    matrix m = matrix_identity();
    while (*(text += strspn(text, " \t\r\n"))) {
        const size_t length = strcspn(text, " \t\r\n"), name = strcspn(text, "= \t\r\n");
        matrix given;
        if (read_matrix(text, length, shape.dimension, &given)) {
            m = matrix_product(m, given);
            text += length;
            continue;
        }
        const struct token *t = find_token(text, name, shape.dimension);
        const bool valued = t && t->kind != CENTER && t->kind != BACK;
        char *end = (char *)text + length;
        const double value = valued && text[name] == '=' ? strtod(text + name + 1, &end) : 0;
        if (!t || end != text + length || (valued && length < name + 2) || !isfinite(value)) {
            plan_fail(p,
                      "transform holds '%.*s'; a %s takes center, -center, scale[XY%s]=f, rotate%s=degrees, "
                      "translate[XY%s]=pixels, shearXY%s=f, matrix=%s numbers, separated by spaces",
                      (int)length, text, shape.dimension == 3 ? "stack" : "plane", shape.dimension == 3 ? "Z" : "",
                      shape.dimension == 3 ? "[XYZ]" : "", shape.dimension == 3 ? "Z" : "",
                      shape.dimension == 3 ? " (and XZ, YX, YZ, ZX, ZY)" : "", shape.dimension == 3 ? "12" : "6");
            break;
        }
        m = matrix_product(m, token_matrix(t, value, shape));
        text += length;
    }
    return m;
}

/* ---- operations */

#define SOURCE DRUA_IMAGE_IN("source", "image to transform")
#define DESTINATION DRUA_IMAGE_OUT("destination", "transformed image; 0 outside the transformed source")
#define TRANSFORM(name_, function, summary_, params_, ...)                                                             \
    {                                                                                                                  \
        .name = #name_, .category = "geometry", .summary = summary_, .numeric = DRUA_EXACT,                            \
        .source = "linear interpolation between pixel centres", .launch = plan_##function,                             \
        .parts = parts_of_##function, .region = region_of_##function, .steps = steps_of_##function, params_,           \
        DRUA_ALIASES(__VA_ARGS__)                                                                                      \
    }
/* Defines the plan, parts, region and steps callbacks of an operation from its matrix function. */
#define BY_MATRIX(function)                                                                                            \
    static void plan_##function(drua_plan *p)                                                                          \
    {                                                                                                                  \
        matrix_resample(p, matrix_of_##function(p), true);                                                             \
    }                                                                                                                  \
    static void parts_of_##function(drua_plan *p, drua_parts *parts)                                                   \
    {                                                                                                                  \
        matrix_parts(p, parts, matrix_of_##function(p));                                                               \
    }                                                                                                                  \
    static void region_of_##function(drua_plan *p, const drua_box *made, drua_box *read)                               \
    {                                                                                                                  \
        matrix_region(matrix_of_##function(p), made, read);                                                            \
    }                                                                                                                  \
    static void steps_of_##function(drua_plan *p, double steps[3][3])                                                  \
    {                                                                                                                  \
        matrix_steps(matrix_of_##function(p), steps);                                                                  \
    }

static drua_shape whole_source(drua_plan *p)
{
    int64_t origin[3];
    return plan_whole_shape(p, "source", origin);
}

#define ANGLE(axis, example_)                                                                                          \
    DRUA_NUMBER("angle_" axis, "angle about " axis, .unit = "degree", .default_value = 0, .example = example_)
#define SHIFT(axis, example_)                                                                                          \
    DRUA_NUMBER("translate_" axis, "how far the content moves towards 0 along " axis, .unit = "pixel",                 \
                .default_value = 0, .example = example_)
#define FACTOR(axis)                                                                                                   \
    DRUA_NUMBER("factor_" axis, "factor along " axis "; above 1 enlarges", .default_value = 1, .example = 0.8)

static matrix matrix_of_affine(drua_plan *p)
{
    matrix m = parse_transform(p, plan_text(p, "transform"), whole_source(p));
    return plan_flag(p, "inverse") ? matrix_inverse(m) : m;
}

BY_MATRIX(affine)

#define AFFINE(prefix, name, destination, inverse)                                                                     \
    prefix " " name ": source, " destination ", transform, inverse=" inverse

DRUA_OP(affine_transform) = TRANSFORM(
    affine_transform, affine,
    "Moves, rotates, scales and shears an image as a text describes, such as \"-center rotate=30 center\".",
    DRUA_PARAMS(SOURCE, DESTINATION,
                DRUA_TEXT("transform",
                          "center, -center, scale=f, rotate=degrees, translateX=pixels, shearXY=f, "
                          "matrix=numbers row by row, ...",
                          .example_text = "-center rotate=30 scale=0.8 center"),
                DRUA_BOOLEAN("inverse", "whether to apply the inverse")),
    AFFINE("CLIJ2/CLIJx", "affineTransform2D", "&destination", "0"),
    AFFINE("CLIJ2/CLIJx", "affineTransform3D", "&destination", "0"),
    AFFINE("CLIJ2", "affineTransform", "&destination", "0"), AFFINE("CLIJx", "affineTransform", "&destination", "1"),
    AFFINE("CLIJ", "affineTransform2D", "destination", "0"), AFFINE("CLIJ", "affineTransform3D", "destination", "0"),
    AFFINE("CLIJ", "affineTransform", "destination", "0"));

/* A 2D image stays in its plane. Only stacks are translated along z, rotated about x and y, and scaled along z. */
static double for_stacks(drua_plan *p, const char *name, double of_planes)
{
    return plan_shape(p, "source").dimension == 3 ? plan_number(p, name) : of_planes;
}

static matrix matrix_of_translate(drua_plan *p)
{
    return matrix_translation(plan_number(p, "translate_x"), plan_number(p, "translate_y"),
                              for_stacks(p, "translate_z", 0));
}

BY_MATRIX(translate)

DRUA_OP(translate) = TRANSFORM(translate, translate,
                               "Moves an image's content. Shifts by whole pixels copy the pixel values exactly.",
                               DRUA_IN_MENU(DRUA_PARAMS(SOURCE, DESTINATION, SHIFT("x", 10.5), SHIFT("y", -20.25),
                                                        SHIFT("z", 1.5))),
                               "CLIJ2/CLIJx translate2D: source, &destination, translate_x, translate_y, translate_z=0",
                               "CLIJ2/CLIJx translate3D: source, &destination, translate_x, translate_y, translate_z",
                               "CLIJ translate2D: source, destination, translate_x, translate_y, translate_z=0",
                               "CLIJ translate3D: source, destination, translate_x, translate_y, translate_z");

static matrix about_middle(drua_plan *p, matrix m, bool middle)
{
    drua_shape shape = whole_source(p);
    return middle ? matrix_product(matrix_to_middle(shape), matrix_product(m, matrix_from_middle(shape))) : m;
}

typedef struct turns {
    matrix x, y, z;
} turns;

static turns read_rotation(drua_plan *p)
{
    return (turns){matrix_rotation(X, -for_stacks(p, "angle_x", 0)), matrix_rotation(Y, -for_stacks(p, "angle_y", 0)),
                   matrix_rotation(Z, -plan_number(p, "angle_z"))};
}

static matrix matrix_of_rotate(drua_plan *p)
{
    turns by = read_rotation(p);
    return about_middle(p, matrix_product(by.z, matrix_product(by.y, by.x)), plan_flag(p, "around_center"));
}

BY_MATRIX(rotate)

DRUA_OP(rotate) = TRANSFORM(
    rotate, rotate, "Rotates an image about its axes, x first; positive angles about z rotate clockwise on the screen.",
    DRUA_IN_MENU(DRUA_PARAMS(SOURCE, DESTINATION, ANGLE("x", 10), ANGLE("y", 20), ANGLE("z", 30),
                             DRUA_BOOLEAN("around_center", "whether to rotate about the centre instead of the corner",
                                          .default_value = 1))),
    "CLIJ2/CLIJx rotate2D: source, &destination, angle_x=0, angle_y=0, angle_z, around_center",
    "CLIJ2/CLIJx rotate3D: source, &destination, angle_x, angle_y, angle_z, around_center",
    "CLIJ rotate2D: source, destination, angle_x=0, angle_y=0, angle_z, around_center",
    "CLIJ rotate3D: source, destination, angle_x, angle_y, angle_z, around_center");

/* The content is rotated about z first. */
static matrix matrix_of_rigid(drua_plan *p)
{
    turns by = read_rotation(p);
    matrix turned = matrix_product(by.x, matrix_product(by.y, by.z));
    return about_middle(p, matrix_product(matrix_of_translate(p), turned), true);
}

BY_MATRIX(rigid)

DRUA_OP(rigid_transform) = TRANSFORM(
    rigid_transform, rigid, "Moves an image's content and rotates it about its centre.",
    DRUA_PARAMS(SOURCE, DESTINATION, SHIFT("x", 10.5), SHIFT("y", -20.25), SHIFT("z", 1.5), ANGLE("x", 10),
                ANGLE("y", 20), ANGLE("z", 30)),
    "CLIJ2/CLIJx rigidTransform: source, &destination, translate_x, translate_y, translate_z, angle_x, angle_y, "
    "angle_z");

static matrix matrix_of_scale(drua_plan *p)
{
    matrix m = matrix_scaling(1 / plan_number(p, "factor_x"), 1 / plan_number(p, "factor_y"),
                              1 / for_stacks(p, "factor_z", 1));
    return about_middle(p, m, plan_flag(p, "to_center"));
}

BY_MATRIX(scale)

static matrix matrix_of_scale_evenly(drua_plan *p)
{
    const double f = 1 / plan_number(p, "factor");
    matrix m = matrix_scaling(f, f, plan_shape(p, "source").dimension == 3 ? f : 1);
    return about_middle(p, m, plan_flag(p, "to_center"));
}

BY_MATRIX(scale_evenly)

#define TO_CENTER                                                                                                      \
    DRUA_BOOLEAN("to_center", "whether the middle stays in place instead of the corner", .default_value = 1)

DRUA_OP(scale) = TRANSFORM(scale, scale, "Enlarges or shrinks an image's content; the image keeps its size.",
                           DRUA_PARAMS(SOURCE, DESTINATION, FACTOR("x"), FACTOR("y"), FACTOR("z"), TO_CENTER),
                           "CLIJ2/CLIJx scale: source, &destination, factor_x, factor_y, factor_z, to_center",
                           "CLIJ2/CLIJx scale2D: source, &destination, factor_x, factor_y, factor_z=1, to_center",
                           "CLIJ2/CLIJx scale3D: source, &destination, factor_x, factor_y, factor_z, to_center");
DRUA_OP(scale_evenly) = TRANSFORM(
    scale_evenly, scale_evenly,
    "Enlarges or shrinks an image's content by one factor along all axes; the image keeps its size.",
    DRUA_IN_MENU(DRUA_PARAMS(SOURCE, DESTINATION,
                             DRUA_NUMBER("factor", "factor; above 1 enlarges", .default_value = 1, .example = 0.8),
                             TO_CENTER)),
    "CLIJ scale: source, destination, factor, to_center", "CLIJ scale2D: source, destination, factor, to_center",
    "CLIJ scale3D: source, destination, factor, to_center");
