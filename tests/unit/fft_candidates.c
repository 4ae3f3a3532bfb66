/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GPUs start with the transforms that compile fastest. A candidate, a library that may be faster, is compared with them
 * as soon as its programs are ready.
 */
#include "fourier.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const drua_shape tuned = {12, 10, 9, 3};

static struct {
    /* `is_slow`: the candidate is slower than the built-in lines; otherwise these are made slower */
    bool is_ready, is_slow;
    bool is_wrong;
    drua_status makes, transforms;
    int alive;
} candidate;

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

static const char *candidate_name(void)
{
    return "The candidate";
}

static drua_status make_candidate(drua_device *on, drua_shape shape, bool convolves, bool later, void **state)
{
    ck_assert_msg(later, "a caller would wait for the candidate's programs");
    if (candidate.makes != DRUA_OK)
        return drua_fail(candidate.makes, "no plan");
    const drua_status status = fft_built_in.make(on, shape, convolves, later, state);
    candidate.alive += status == DRUA_OK;
    return status;
}

static void discard_candidate(void *state)
{
    candidate.alive--;
    fft_built_in.discard(state);
}

static bool is_candidate_ready(void *state)
{
    (void)state;
    return candidate.is_ready;
}

/*
 * Replaces the clock with which the engine compares transforms (tests/CMakeLists.txt). Only transforms advance it, so
 * copies take no time and every transform is slower than copies.
 */
static double clock_seconds;

double __wrap_drua_seconds(void);

double __wrap_drua_seconds(void)
{
    return clock_seconds;
}

static drua_status transform_slowly(bool slowly, void *state, drua_buffer *work, bool inverse)
{
    clock_seconds += slowly ? 2 : 1;
    return fft_built_in.transform(state, work, inverse);
}

static drua_status transform_as_lines(void *state, drua_buffer *work, bool inverse)
{
    return transform_slowly(!candidate.is_slow, state, work, inverse);
}

static drua_status transform_as_candidate(void *state, drua_buffer *work, bool inverse)
{
    if (candidate.transforms != DRUA_OK)
        return drua_fail(candidate.transforms, "no memory");
    return candidate.is_wrong ? DRUA_OK : transform_slowly(candidate.is_slow, state, work, inverse);
}

static const fft_provider *before[2];
static fft_provider lines, other;

static void put_slow_lines(void)
{
    lines = fft_built_in;
    lines.transform = transform_as_lines;
    fourier_put(1, &lines);
}

static void open_with_candidate(void)
{
    fourier_open();
    other = (fft_provider){.name = "candidate",
                           .number = 5,
                           .is_quick = true,
                           .is_ours = true,
                           .version = candidate_name,
                           .serves = fft_built_in.serves,
                           .make = make_candidate,
                           .is_ready = is_candidate_ready,
                           .discard = discard_candidate,
                           .transform = transform_as_candidate};
    for (int i = 0; i < 2; i++)
        before[i] = fft_providers[i];
    fourier_put(0, &other);
    put_slow_lines();
    memset(&candidate, 0, sizeof candidate);
    memset(&kept, 0, sizeof kept);
    drua_fft_remember(fourier_fft, (drua_fft_memory){.recall = recall_nothing, .keep = note_kept});
}

static void close_with_candidate(void)
{
    drua_fft_close(fourier_fft);
    ck_assert_int_eq(candidate.alive, 0);
    drua_device_close(fourier_device);
    for (int i = 0; i < 2; i++)
        fourier_put(i, before[i]);
}

static bool measures(void)
{
    return drua_device_get_info(fourier_device)->is_gpu && before[0] && before[1];
}

static void expect_note(const char *part, bool is_present)
{
    const char *note = drua_fft_note(fourier_fft, tuned);
    ck_assert_msg(!strstr(note, part) != is_present, "'%s' is%s in the note '%s'", part, is_present ? " not" : "",
                  note);
}

static void prepare_and_compute(void)
{
    REQUIRE(drua_fft_prepare(FOURIER(fourier_fft, tuned), true));
    fourier_transforms(tuned);
    fourier_convolutions(tuned);
}

/*
 * The built-in FFT is used while the candidate's programs compile. The next preparation compares both and remembers the
 * faster one.
 */
START_TEST(a_candidate_is_compared_when_it_is_ready)
{
    candidate.is_slow = _i;
    if (!measures())
        return;
    for (int round = 0; round < 2; round++) {
        prepare_and_compute();
        expect_note("Drua's built-in FFT, not yet compared with The candidate, fused passes", true);
        ck_assert(!drua_fft_joins(FOURIER(fourier_fft, tuned))); /* fused passes need more programs */
    }
    candidate.is_ready = true;
    fourier_transforms(tuned);
    expect_note("not yet compared", true);      /* not now, because an operation may be running */
    ck_assert_int_eq(kept.count, 0);
    for (int round = 0; round < 2; round++) {
        REQUIRE(drua_fft_prepare(FOURIER(fourier_fft, tuned), true)); /* also prepares the winner's convolution */
        expect_note(candidate.is_slow ? "Drua's built-in FFT, the fastest measured, fused passes"
                                      : "The candidate, the fastest measured, single passes",
                    true);
        ck_assert_int_eq(drua_fft_joins(FOURIER(fourier_fft, tuned)), candidate.is_slow);
        ck_assert_int_eq(kept.count, 1);
        ck_assert_int_eq(kept.number, candidate.is_slow ? fft_built_in.number : other.number);
        ck_assert_int_eq(candidate.alive, !candidate.is_slow);
        prepare_and_compute();
    }
}
END_TEST

/* A candidate whose programs are in the disk cache is ready at once. */
START_TEST(a_candidate_that_is_ready_at_once_is_compared_at_once)
{
    candidate.is_ready = true;
    if (!measures())
        return;
    prepare_and_compute();
    expect_note("The candidate, the fastest measured", true);
    ck_assert_int_eq(kept.number, other.number);
}
END_TEST

/*
 * A note names a candidate that cannot be created, gives wrong results or lacks memory for the measurement. The
 * existing transform stays in use.
 */
START_TEST(a_candidate_that_fails_is_noted)
{
    static const struct {
        drua_status makes, transforms;
        bool is_wrong;
        const char *note;
        int kept;
    } cases[] = {{.makes = DRUA_E_DEVICE, .note = "The candidate: no plan", .kept = 1},
                 {.makes = DRUA_E_MEMORY, .note = "The candidate: no plan", .kept = 1},
                 {.is_wrong = true, .note = "The candidate: its transform is off", .kept = 1},
                 {.transforms = DRUA_E_MEMORY, .note = "The candidate: no memory", .kept = 0}};
    candidate.makes = cases[_i].makes;
    candidate.transforms = cases[_i].transforms;
    candidate.is_wrong = cases[_i].is_wrong;
    if (!measures())
        return;
    prepare_and_compute();
    candidate.is_ready = true;
    prepare_and_compute();
    expect_note("Drua's built-in FFT", true);
    expect_note(cases[_i].note, true);
    expect_note("the fastest measured", cases[_i].kept);
    expect_note("not yet compared", false);
    ck_assert_int_eq(kept.count, cases[_i].kept);
    ck_assert_int_eq(candidate.alive, 0);
}
END_TEST

/* close_with_candidate counts the candidates still alive. */
START_TEST(plans_that_go_take_their_candidates_along)
{
    enum { PLANS = 14, KEPT = 12 };
    if (!measures())
        return;
    for (int i = 0; i < PLANS; i++)
        REQUIRE(drua_fft_prepare(FOURIER(fourier_fft, (drua_shape){8, 6, 2 + i % 3, 3}), false));
    ck_assert_int_eq(candidate.alive, 3);
}
END_TEST

/* Tests the installed library, whose programs compile in the background when no other compilation runs. */
START_TEST(a_library_is_compiled_behind)
{
    drua_fft_remember(fourier_fft, (drua_fft_memory){.recall = recall_nothing, .keep = note_kept});
    memset(&kept, 0, sizeof kept);
    if (!drua_device_get_info(fourier_device)->is_gpu || !fft_providers[0]->is_ready)
        return;
    before[1] = fft_providers[1];
    put_slow_lines();
    prepare_and_compute();
    expect_note("Drua's built-in FFT, not yet compared with VkFFT", true);
    do {
        usleep(1000);
        REQUIRE(drua_fft_prepare(FOURIER(fourier_fft, tuned), true));
    } while (!kept.count);
    expect_note("the fastest measured", true);
    prepare_and_compute();
    const drua_shape unready = {14, 10, 9, 3}; /* its candidate is never compiled */
    REQUIRE(drua_fft_prepare(FOURIER(fourier_fft, unready), true));
    fourier_put(1, before[1]);
}
END_TEST

/* Exit and closing the device do not wait for compilations that have not started. */
START_TEST(ends_with_a_candidate)
{
    const pid_t child = fork();
    if (!child) {
        fourier_open();
        drua_fft_remember(fourier_fft, (drua_fft_memory){.recall = recall_nothing, .keep = note_kept});
        REQUIRE(drua_fft_prepare(FOURIER(fourier_fft, tuned), true));
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
    Suite *suite = suite_create("fft_candidates");
    TCase *candidates = tcase_create("candidates"), *library = tcase_create("library"), *ends = tcase_create("ends");
    fourier_chance.state = harness_new_seed("candidates");
    tcase_add_checked_fixture(candidates, open_with_candidate, close_with_candidate);
    tcase_add_loop_test(candidates, a_candidate_is_compared_when_it_is_ready, 0, 2);
    tcase_add_test(candidates, a_candidate_that_is_ready_at_once_is_compared_at_once);
    tcase_add_loop_test(candidates, a_candidate_that_fails_is_noted, 0, 4);
    tcase_add_test(candidates, plans_that_go_take_their_candidates_along);
    suite_add_tcase(suite, candidates);
    tcase_add_checked_fixture(library, fourier_open, fourier_close);
    tcase_add_test(library, a_library_is_compiled_behind);
    suite_add_tcase(suite, library);
    tcase_add_loop_test(ends, ends_with_a_candidate, 0, 2);
    suite_add_tcase(suite, ends);
    return harness_run(suite);
}
