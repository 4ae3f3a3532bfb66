/* SPDX-License-Identifier: BSD-3-Clause */
#include "volume_rotations.h"

#include <stdlib.h>

enum { CUBE_ROTATIONS = 24 };

/*
 * Spacing of the small rotations, as the tangent of half of the angle. Small rotations form a body-centred cubic
 * lattice around each rotation of a cube. With this spacing, any rotation is at most 21 degrees from one of the 648;
 * Karney 2007 describes such sets.
 */
static const double lattice = 0.168;

typedef struct quaternion {
    double w, x, y, z;
} quaternion;

static quaternion product_of(quaternion a, quaternion b)
{
    return (quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static volume_map rotation_of(quaternion q)
{
    const double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, s = 2 / n;
    return (volume_map){
        {{1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.z * q.w), s * (q.x * q.z + q.y * q.w), 0},
         {s * (q.x * q.y + q.z * q.w), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.x * q.w), 0},
         {s * (q.x * q.z - q.y * q.w), s * (q.y * q.z + q.x * q.w), 1 - s * (q.x * q.x + q.y * q.y), 0}}};
}

/* The rotations of a cube: quaternions with one, two or four parts of equal size. The first moves nothing. */
static void list_cube_rotations(quaternion rotations[CUBE_ROTATIONS])
{
    int count = 0;
    for (int k = 0; k < 81; k++) {
        const int parts[4] = {k / 27 % 3, k / 9 % 3, k / 3 % 3, k % 3}; /* 0, 1 and 2 mean 0, 1 and -1 */
        int used = 0, first = 0;
        for (int i = 0; i < 4; i++) {
            first = used == 0 ? parts[i] : first;
            used += parts[i] != 0;
        }
        if (first == 1 && used != 3) /* a quaternion and its negative are the same rotation */
            rotations[count++] = (quaternion){parts[0] - 3 * (parts[0] == 2), parts[1] - 3 * (parts[1] == 2),
                                              parts[2] - 3 * (parts[2] == 2), parts[3] - 3 * (parts[3] == 2)};
    }
}

int volume_list_rotations(volume_map rotations[VOLUME_ROTATION_COUNT])
{
    quaternion cube[CUBE_ROTATIONS];
    int count = 0;
    list_cube_rotations(cube);
    for (int k = 0; k < 125; k++) {
        const int x = k % 5 - 2, y = k / 5 % 5 - 2, z = k / 25 - 2, odd = abs(x % 2);
        if (abs(y % 2) != odd || abs(z % 2) != odd || abs(x) + abs(y) + abs(z) > 4)
            continue;
        const quaternion small = {1, lattice * x, lattice * y, lattice * z};
        for (int i = 0; i < CUBE_ROTATIONS; i++)
            rotations[count++] = rotation_of(product_of(cube[i], small));
    }
    return count;
}
