/* SPDX-License-Identifier: BSD-3-Clause */
/* Deconvolution by two devices, one of which fails at some call or has too little memory: the bytes are those of one device. */
#include "harness.h"
#include "loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static drua_context *context;
static harness_random chance;

static void begin(void)
{
    loader_find();
    ck_assert_uint_eq(drua_device_count(), 2);
    REQUIRE(drua_open("0", &context));
    chance.state = harness_new_seed("deconvolution_devices");
}

static void end(void)
{
    drua_close(context);
}

static char *bytes_of(drua_context *owner, drua_image image, size_t *count)
{
    drua_image_info info;
    REQUIRE(drua_get_info(owner, image, &info));
    char *bytes = reference_allocate(1, info.bytes);
    REQUIRE(drua_pull(owner, image, bytes));
    *count = info.bytes;
    return bytes;
}

/* ---- devices of one kind, each by itself */

static char *deconvolved_on(const char *device, const reference_image *source, const reference_image *psf, size_t *count)
{
    drua_context *own;
    REQUIRE(drua_open(device, &own));
    drua_argument arguments[] = {IMAGE(harness_push(own, source)), IMAGE(harness_push(own, psf)), NEW, NAME("iterations=3 edges=circulant")};
    REQUIRE(drua_invoke(own, "deconvolve", arguments, 4, NULL));
    char *bytes = bytes_of(own, arguments[2].image, count);
    drua_close(own);
    return bytes;
}

/* Extents of few small factors, of some that are longer, and of a prime one that goes by way of a longer transform. */
START_TEST(devices_of_a_kind_give_the_same_bits)
{
    static const int extents[][3] = {{32, 16, 8}, {60, 45, 1}, {34, 31, 5}};
    reference_image source = harness_image(&chance, DRUA_FLOAT32, reference_stack(extents[_i][0], extents[_i][1], extents[_i][2]), HARNESS_POSITIVE);
    reference_image psf = harness_image(&chance, DRUA_FLOAT32, reference_stack(5, 3, extents[_i][2] > 1 ? 3 : 1), HARNESS_POSITIVE);
    size_t first, second;
    char *one = deconvolved_on("0", &source, &psf, &first), *other = deconvolved_on("1", &source, &psf, &second);
    ck_assert_uint_eq(first, second);
    ck_assert_msg(!memcmp(one, other, first), "%d x %d x %d: the second device gives other bits", extents[_i][0], extents[_i][1], extents[_i][2]);
    free(one), free(other);
    reference_free(&source), reference_free(&psf);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("devices of deconvolutions");
    TCase *devices = tcase_create("devices"), *faults = tcase_create("faults");
    tcase_add_checked_fixture(devices, begin, end);
    tcase_add_checked_fixture(faults, begin, end);
    tcase_add_loop_test(devices, devices_of_a_kind_give_the_same_bits, 0, 3);
    suite_add_tcase(suite, devices);
    suite_add_tcase(suite, faults);
    return harness_run(suite);
}
