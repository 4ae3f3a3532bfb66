/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs begin with the transforms that are compiled soonest; a library that may be faster is compared when its programs are there. */
#include "fourier.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const drua_shape rivalled = {12, 10, 9, 3};

static struct {
    bool is_ready, is_slow;     /* slow: slower than the lines, which else are */
    bool is_wrong;
    drua_status makes, transforms;
    int alive;
} rival;

static struct {
    int count, number;
} kept;

static int recall_nothing(void *payload, const char *kind, int64_t pixels)
{
    (void)payload, (void)kind, (void)pixels;
    return -1;
}

static void note_kept(void *payload, const char *kind, int64_t pixels, int number)
{
    (void)payload, (void)kind, (void)pixels;
    kept.count++;
    kept.number = number;
}

static const char *rival_name(void)
{
    return "The rival";
}

static drua_status make_rival(drua_device *on, drua_shape shape, bool convolves, bool later, void **state)
{
    ck_assert_msg(later, "somebody would wait for the rival's programs");
    if (rival.makes != DRUA_OK)
        return drua_fail(rival.makes, "no plan");
    const drua_status status = fft_lines.make(on, shape, convolves, later, state);
    rival.alive += status == DRUA_OK;
    return status;
}

static void discard_rival(void *state)
{
    rival.alive--;
    fft_lines.discard(state);
}

static bool is_rival_ready(void *state)
{
    (void)state;
    return rival.is_ready;
}

static drua_status transform_slowly(bool slowly, void *state, drua_buffer *work, bool inverse)
{
    enum { LONG = 20000 };
    REQUIRE(drua_device_finish(fourier_device));
    if (slowly)
        usleep(LONG);
    return fft_lines.transform(state, work, inverse);
}

static drua_status transform_as_lines(void *state, drua_buffer *work, bool inverse)
{
    return transform_slowly(!rival.is_slow, state, work, inverse);
}

static drua_status transform_as_rival(void *state, drua_buffer *work, bool inverse)
{
    if (rival.transforms != DRUA_OK)
        return drua_fail(rival.transforms, "no memory");
    return rival.is_wrong ? DRUA_OK : transform_slowly(rival.is_slow, state, work, inverse);
}

static const fft_provider *before[2];
static fft_provider lines, other;

static void open_with_rival(void)
{
    fourier_open();
    lines = other = fft_lines;
    lines.transform = transform_as_lines;
    other = (fft_provider){.name = "rival", .number = 5, .is_quick = true, .is_ours = true, .version = rival_name, .serves = fft_lines.serves,
                           .make = make_rival, .is_ready = is_rival_ready, .discard = discard_rival, .transform = transform_as_rival};
    for (int i = 0; i < 2; i++)
        before[i] = fft_providers[i];
    fourier_put(0, &other);
    fourier_put(1, &lines);
    memset(&rival, 0, sizeof rival);
    memset(&kept, 0, sizeof kept);
    drua_fft_remember(fourier_fft, (drua_fft_memory){.recall = recall_nothing, .keep = note_kept});
}

static void close_with_rival(void)
{
    drua_fft_close(fourier_fft);
    ck_assert_int_eq(rival.alive, 0);
    drua_device_close(fourier_device);
    for (int i = 0; i < 2; i++)
        fourier_put(i, before[i]);
}

static bool measures(void)
{
    return drua_device_facts(fourier_device)->is_gpu && before[0] && before[1];
}

static void expect_note(const char *part, bool is_there)
{
    const char *note = drua_fft_note(fourier_fft, rivalled);
    ck_assert_msg(!strstr(note, part) != is_there, "'%s' is%s in the note '%s'", part, is_there ? " not" : "", note);
}

static void prepare_and_compute(void)
{
    REQUIRE(drua_fft_prepare(fourier_fft, rivalled, true));
    fourier_transforms(rivalled);
    fourier_convolutions(rivalled);
}

/* Lines are used while the rival's programs are compiled; the first preparation after that compares, and the faster one is remembered. */
START_TEST(a_rival_is_compared_when_it_is_ready)
{
    rival.is_slow = _i;
    if (!measures())
        return;
    for (int round = 0; round < 2; round++) {
        prepare_and_compute();
        expect_note("Drua's lines, not yet compared with The rival, joined passes", true);
        ck_assert(!drua_fft_joins(fourier_fft, rivalled));      /* which takes more programs */
    }
    rival.is_ready = true;
    fourier_transforms(rivalled);
    expect_note("not yet compared", true);      /* as an operation may be under way */
    ck_assert_int_eq(kept.count, 0);
    for (int round = 0; round < 2; round++) {
        REQUIRE(drua_fft_prepare(fourier_fft, rivalled, true));     /* the winner's convolution, too */
        expect_note(rival.is_slow ? "Drua's lines, the fastest measured, joined passes" : "The rival, the fastest measured, single passes", true);
        ck_assert_int_eq(drua_fft_joins(fourier_fft, rivalled), rival.is_slow);
        ck_assert_int_eq(kept.count, 1);
        ck_assert_int_eq(kept.number, rival.is_slow ? fft_lines.number : other.number);
        ck_assert_int_eq(rival.alive, !rival.is_slow);
        prepare_and_compute();
    }
}
END_TEST

/* Programs that are on disk are there at once. */
START_TEST(a_rival_that_is_ready_at_once_is_compared_at_once)
{
    rival.is_ready = true;
    if (!measures())
        return;
    prepare_and_compute();
    expect_note("The rival, the fastest measured", true);
    ck_assert_int_eq(kept.number, other.number);
}
END_TEST

/* Who cannot be made, is wrong, or has no memory to be measured in, is named, and the plan that is there goes on. */
START_TEST(a_rival_that_fails_is_noted)
{
    static const struct {
        drua_status makes, transforms;
        bool is_wrong;
        const char *note;
        int kept;
    } cases[] = {{.makes = DRUA_E_DEVICE, .note = "The rival: no plan", .kept = 1},
                 {.makes = DRUA_E_MEMORY, .note = "The rival: no plan", .kept = 1},
                 {.is_wrong = true, .note = "The rival: its transform is off", .kept = 1},
                 {.transforms = DRUA_E_MEMORY, .note = "The rival: no memory", .kept = 0}};
    rival.makes = cases[_i].makes;
    rival.transforms = cases[_i].transforms;
    rival.is_wrong = cases[_i].is_wrong;
    if (!measures())
        return;
    prepare_and_compute();
    rival.is_ready = true;
    prepare_and_compute();
    expect_note("Drua's lines", true);
    expect_note(cases[_i].note, true);
    expect_note("the fastest measured", cases[_i].kept);
    expect_note("not yet compared", false);
    ck_assert_int_eq(kept.count, cases[_i].kept);
    ck_assert_int_eq(rival.alive, 0);
}
END_TEST

/* close_with_rival counts those that are left. */
START_TEST(plans_that_go_take_their_rivals_along)
{
    enum { PLANS = 14, KEPT = 12 };
    if (!measures())
        return;
    for (int i = 0; i < PLANS; i++)
        REQUIRE(drua_fft_prepare(fourier_fft, (drua_shape){8, 6, 2 + i % 3, 3}, false));
    ck_assert_int_eq(rival.alive, 3);
}
END_TEST

/* The library that is here, whose programs are compiled when nothing else is. */
START_TEST(a_library_is_compiled_behind)
{
    drua_fft_remember(fourier_fft, (drua_fft_memory){.recall = recall_nothing, .keep = note_kept});
    memset(&kept, 0, sizeof kept);
    if (!drua_device_facts(fourier_device)->is_gpu || !fft_providers[0]->is_ready)
        return;
    prepare_and_compute();
    expect_note("Drua's lines, not yet compared with VkFFT", true);
    do {
        usleep(1000);
        REQUIRE(drua_fft_prepare(fourier_fft, rivalled, true));
    } while (!kept.count);
    expect_note("the fastest measured", true);
    prepare_and_compute();
    REQUIRE(drua_fft_prepare(fourier_fft, (drua_shape){14, 10, 9, 3}, true));   /* whose rival is never compiled */
}
END_TEST

/* An end of the process, or of the device, does not wait for what nobody has begun to compile. */
START_TEST(ends_with_a_rival)
{
    const pid_t child = fork();
    if (!child) {
        fourier_open();
        drua_fft_remember(fourier_fft, (drua_fft_memory){.recall = recall_nothing, .keep = note_kept});
        REQUIRE(drua_fft_prepare(fourier_fft, rivalled, true));
        if (_i)
            fourier_close();
        exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rivals");
    TCase *rivals = tcase_create("rivals"), *library = tcase_create("library"), *ends = tcase_create("ends");
    fourier_chance.state = harness_new_seed("rivals");
    tcase_add_checked_fixture(rivals, open_with_rival, close_with_rival);
    tcase_add_loop_test(rivals, a_rival_is_compared_when_it_is_ready, 0, 2);
    tcase_add_test(rivals, a_rival_that_is_ready_at_once_is_compared_at_once);
    tcase_add_loop_test(rivals, a_rival_that_fails_is_noted, 0, 4);
    tcase_add_test(rivals, plans_that_go_take_their_rivals_along);
    suite_add_tcase(suite, rivals);
    tcase_add_checked_fixture(library, fourier_open, fourier_close);
    tcase_add_test(library, a_library_is_compiled_behind);
    suite_add_tcase(suite, library);
    tcase_add_loop_test(ends, ends_with_a_rival, 0, 2);
    suite_add_tcase(suite, ends);
    return harness_run(suite);
}
