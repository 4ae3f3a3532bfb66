/* SPDX-License-Identifier: BSD-3-Clause */
/* A process ends while kernels are compiled ahead, by a compiler whose tables are undone at exit (DRUA_TABLES). */
#include "loader.h"

#include "harness.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum way { CLOSED, PREPARED, PREPARED_AND_CLOSED, PREPARED_AND_USED, WAYS };

static void wait_for_builds(bool under_way)
{
    for (int i = 0; i < 60000 && (loader.builds() > 0) != under_way; i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* The process' status: 0 if all is as due. */
static int end(enum way way)
{
    const float pixels[] = {1, 2, 3, 4};
    loader_find();
    drua_context *context = harness_open();
    drua_argument blur[] = {NEW, NEW, NUMBER(1), NUMBER(1), NUMBER(0)};
    blur[0].kind = DRUA_ARG_IMAGE;
    REQUIRE(drua_push(context, (drua_shape){2, 2, 1, 2}, DRUA_FLOAT32, pixels, &blur[0].image));
    wait_for_builds(true);
    if (!loader.builds())
        return 2;
    if (way != CLOSED)
        drua_prepare_exit();
    if (way != CLOSED && loader.builds())
        return 3;
    if (way == PREPARED_AND_USED) {
        const drua_status status = drua_invoke(context, "gaussian_blur", blur, 5, NULL), sent = status == DRUA_OK ? drua_sync(context) : status;
        if (sent != DRUA_E_CANCELLED || loader.builds())
            return 4;
    }
    if (way == CLOSED || way == PREPARED_AND_CLOSED)
        drua_close(context);
    return 0;
}

START_TEST(while_compiling)
{
    setenv("DRUA_TABLES", "1", 1);
    setenv("DRUA_AHEAD", "0.05", 1);
    const pid_t child = fork();
    if (!child)
        exit(end((enum way)_i));
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "way %d: status %x", _i, (unsigned)status);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exits");
    TCase *tests = tcase_create("exits");
    tcase_add_loop_test(tests, while_compiling, 0, WAYS);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
