/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference versions of operations that move pixels: copies, crops, mirrors, resampling through a matrix. */
#include "reference.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void reference_copy(const reference_image *source, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, reference_at(source, x, y, z));
}

void reference_copy_slice(const reference_image *source, int64_t slice, reference_image *output)
{
    if (source->shape.dimension == 2 && output->shape.dimension == 3)
        reference_paste(source, 0, 0, slice, output);
    else if (source->shape.dimension == 3 && output->shape.dimension == 2)
        reference_crop(source, 0, 0, slice, output);
    else
        reference_copy(source, output);
}

void reference_paste(const reference_image *source, int64_t x0, int64_t y0, int64_t z0, reference_image *output)
{
    REFERENCE_EACH_PIXEL(source->shape, x, y, z)
        reference_put(output, x + x0, y + y0, z + z0, reference_at(source, x, y, z));
}

void reference_crop(const reference_image *source, int64_t x0, int64_t y0, int64_t z0, reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z, reference_at(source, x + x0, y + y0, z + z0));
}

void reference_flip(const reference_image *source, bool flip_x, bool flip_y, bool flip_z, reference_image *output)
{
    const drua_shape s = source->shape;
    REFERENCE_EACH_PIXEL(output->shape, x, y, z)
        reference_put(output, x, y, z,
                      reference_at(source, flip_x ? s.width - 1 - x : x, flip_y ? s.height - 1 - y : y,
                                   flip_z ? s.depth - 1 - z : z));
}

void reference_transpose(const reference_image *source, reference_axis first, reference_axis second,
                         reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        int64_t position[3] = {x, y, z};
        const int64_t kept = position[first];
        position[first] = position[second];
        position[second] = kept;
        reference_put(output, x, y, z, reference_at(source, position[0], position[1], position[2]));
    }
}

/* ---------------------------------------------------------------- matrices */

static reference_matrix identity(void)
{
    return (reference_matrix){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

static reference_matrix translation(double x, double y, double z)
{
    return (reference_matrix){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
}

static reference_matrix scaling(double x, double y, double z)
{
    return (reference_matrix){{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}}};
}

/* A right-handed rotation about an axis, which moves the next axis toward the one after it (x, y, z, x, ...). */
static reference_matrix rotation(reference_axis axis, double degrees)
{
    const double radians = degrees / 180 * acos(-1);
    const int from = (axis + 1) % 3, to = (axis + 2) % 3;
    reference_matrix m = identity();
    m.at[from][from] = cos(radians);
    m.at[from][to] = -sin(radians);
    m.at[to][from] = sin(radians);
    m.at[to][to] = cos(radians);
    return m;
}

static reference_matrix shear(reference_axis changed, reference_axis by, double factor)
{
    reference_matrix m = identity();
    m.at[changed][by] = factor;
    return m;
}

static reference_matrix product(const reference_matrix *left, const reference_matrix *right)
{
    reference_matrix m;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            m.at[row][column] = column == 3 ? left->at[row][3] : 0;
            for (int k = 0; k < 3; k++)
                m.at[row][column] += left->at[row][k] * right->at[k][column];
        }
    return m;
}

/* The matrix of one token; the identity for an unknown token. Matrices map output to source, hence 1 / f and -a. */
static reference_matrix token_matrix(const char *name, double value, drua_shape size, int dimension)
{
    const bool stack = dimension == 3;
    const int64_t cx = size.width / 2, cy = size.height / 2, cz = stack ? size.depth / 2 : 0;
    if (strcmp(name, "center") == 0)
        return translation(-(double)cx, -(double)cy, -(double)cz);
    if (strcmp(name, "-center") == 0)
        return translation((double)cx, (double)cy, (double)cz);
    if (strcmp(name, "scale") == 0)
        return scaling(1 / value, 1 / value, stack ? 1 / value : 1);
    if (strcmp(name, "scalex") == 0)
        return scaling(1 / value, 1, 1);
    if (strcmp(name, "scaley") == 0)
        return scaling(1, 1 / value, 1);
    if (strcmp(name, "rotate") == 0)
        return rotation(REFERENCE_Z, -value);
    if (strcmp(name, "translatex") == 0)
        return translation(value, 0, 0);
    if (strcmp(name, "translatey") == 0)
        return translation(0, value, 0);
    if (strcmp(name, "shearxy") == 0)
        return shear(REFERENCE_X, REFERENCE_Y, value);
    if (!stack)
        return identity();
    if (strcmp(name, "scalez") == 0)
        return scaling(1, 1, 1 / value);
    if (strcmp(name, "rotatex") == 0)
        return rotation(REFERENCE_X, -value);
    if (strcmp(name, "rotatey") == 0)
        return rotation(REFERENCE_Y, -value);
    if (strcmp(name, "rotatez") == 0)
        return rotation(REFERENCE_Z, -value);
    if (strcmp(name, "translatez") == 0)
        return translation(0, 0, value);
    if (strcmp(name, "shearxz") == 0)
        return shear(REFERENCE_X, REFERENCE_Z, value);
    if (strcmp(name, "shearyx") == 0)
        return shear(REFERENCE_Y, REFERENCE_X, value);
    if (strcmp(name, "shearyz") == 0)
        return shear(REFERENCE_Y, REFERENCE_Z, value);
    if (strcmp(name, "shearzx") == 0)
        return shear(REFERENCE_Z, REFERENCE_X, value);
    if (strcmp(name, "shearzy") == 0)
        return shear(REFERENCE_Z, REFERENCE_Y, value);
    return identity();
}

reference_matrix reference_affine_matrix(const char *transform, drua_shape source, int dimension)
{
    reference_matrix matrix = identity();
    while (*transform) {
        char name[64] = "";
        size_t length = strcspn(transform, " ");
        for (size_t i = 0; i < length && i + 1 < sizeof name; i++)
            name[i] = (char)tolower((unsigned char)transform[i]);
        double value = 0;
        char *equals = strchr(name, '=');
        if (equals) {
            *equals = '\0';
            value = strtod(equals + 1, NULL);
        }
        const reference_matrix token = token_matrix(name, value, source, dimension);
        matrix = product(&matrix, &token);
        transform += length + strspn(transform + length, " ");
    }
    return matrix;
}

/* Cramer's rule for the columns x, y, z; then the translation. */
reference_matrix reference_inverse(const reference_matrix *matrix)
{
    reference_matrix inverse = identity();
    double cofactors[3][3], determinant = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            const int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
            cofactors[row][column] = matrix->at[r1][c1] * matrix->at[r2][c2] - matrix->at[r1][c2] * matrix->at[r2][c1];
        }
    for (int column = 0; column < 3; column++)
        determinant += matrix->at[0][column] * cofactors[0][column];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            inverse.at[row][column] = cofactors[column][row] / determinant;
            inverse.at[row][3] -= inverse.at[row][column] * matrix->at[column][3];
        }
    }
    return inverse;
}

/* ---------------------------------------------------------------- resampling */

static double pixel_or_zero(const reference_image *image, int64_t x, int64_t y, int64_t z)
{
    const drua_shape s = image->shape;
    const bool inside = x >= 0 && x < s.width && y >= 0 && y < s.height && z >= 0 && z < s.depth;
    return inside ? reference_at(image, x, y, z) : 0;
}

/* Linear interpolation; pixel (0, 0, 0) lies at position (0, 0, 0). */
static double interpolated(const reference_image *image, double x, double y, double z)
{
    const int64_t x0 = (int64_t)floor(x), y0 = (int64_t)floor(y), z0 = (int64_t)floor(z);
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        const int64_t cx = x0 + (corner & 1), cy = y0 + (corner >> 1 & 1), cz = z0 + (corner >> 2 & 1);
        const double weight = (1 - fabs(x - (double)cx)) * (1 - fabs(y - (double)cy)) * (1 - fabs(z - (double)cz));
        sum += weight * pixel_or_zero(image, cx, cy, cz);
    }
    return sum;
}

void reference_affine_transform(const reference_image *source, const reference_matrix *matrix,
                                reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        const double centre[4] = {(double)x + 0.5, (double)y + 0.5, (double)z + 0.5, 1};
        double position[3];
        for (int row = 0; row < 3; row++) {
            position[row] = -0.5;
            for (int k = 0; k < 4; k++)
                position[row] += matrix->at[row][k] * centre[k];
        }
        reference_put_snapped(output, x, y, z, interpolated(source, position[0], position[1], position[2]));
    }
}

void reference_warp(const reference_image *source, const reference_image *const vectors[3], reference_image *output)
{
    REFERENCE_EACH_PIXEL(output->shape, x, y, z) {
        double position[3] = {(double)x, (double)y, (double)z};
        for (int axis = 0; axis < 3; axis++)
            position[axis] += vectors[axis] ? reference_at(vectors[axis], x, y, z) : 0;
        const bool inside = reference_is_inside(source->shape, (int64_t)floor(position[0] + 0.5),
                                                (int64_t)floor(position[1] + 0.5), (int64_t)floor(position[2] + 0.5));
        reference_put_snapped(output, x, y, z,
                              inside ? interpolated(source, position[0], position[1], position[2]) : 0);
    }
}

void reference_translate(const reference_image *source, double x, double y, double z, reference_image *output)
{
    const reference_matrix matrix = translation(x, y, z);
    reference_affine_transform(source, &matrix, output);
}
