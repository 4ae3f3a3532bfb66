/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests registration: movies with known transforms, results that StackReg and its Python version made (../shared), and
 * the mapping of each kind of transform against a spline that is solved directly.
 */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 10, XX = 1, CORRELATION = 7, RESIDUAL, OVERLAP };

static drua_context *context;
static harness_random chance;

static void open_context(void)
{
    context = harness_open();
    chance.state = harness_new_seed("property_registration");
}

static void close_context(void)
{
    drua_close(context);
}

/* ---- results of others */

#define FOREIGN TEST_DATA "/../../../shared/foreign/pystackreg/pc12-"

static bool is_there(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file;
}

static drua_image read_file(const char *path)
{
    drua_argument arguments[] = {NAME(path), NEW};
    REQUIRE(drua_invoke(context, "read", arguments, 2, NULL));
    return arguments[1].image;
}

/* StackReg's movie, registered by StackReg, is the same to one grey level of up to 22,936. */
START_TEST(results_are_those_of_stackreg)
{
    static const char *const modes[][2] = {{"translation", "translation"},
                                           {"rigid_body", "rigid-body"},
                                           {"scaled_rotation", "scaled-rotation"},
                                           {"affine", "affine"}};
    char path[400];
    snprintf(path, sizeof path, "%sreg-%s.tif", FOREIGN, modes[_i][1]);
    if (!is_there(path)) {
        printf("%s is not there: not compared\n", path);
        return;
    }
    drua_argument arguments[] = {IMAGE(read_file(FOREIGN "unreg.tif")), NEW, NAME(modes[_i][0]), NAME("previous")};
    REQUIRE(drua_invoke(context, "register_stack", arguments, 4, NULL));
    reference_image mine = harness_pull(context, arguments[1].image), theirs = harness_pull(context, read_file(path));
    ck_assert_uint_eq(reference_count(&mine), reference_count(&theirs));
    double most = 0;
    size_t apart = 0;
    for (size_t i = 0; i < reference_count(&mine); i++) {
        const double difference = fabs(mine.pixels[i] - theirs.pixels[i]);
        most = fmax(most, difference);
        apart += difference > 1;
    }
    printf("%s: differs from StackReg by at most %g grey levels; more than one: %zu pixels\n", modes[_i][0], most, apart);
    ck_assert_double_le(most, 1);
    reference_free(&mine);
    reference_free(&theirs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("registration");
    TCase *tests = tcase_create("registration");
    tcase_add_checked_fixture(tests, open_context, close_context);
    tcase_add_loop_test(tests, results_are_those_of_stackreg, 0, 4);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
