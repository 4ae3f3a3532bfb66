/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call's thread computes pieces on its own device and collects those that are complete. Each other device has a
 * thread and an engine. All threads take pieces from one queue. The result of a piece does not depend on the device, so
 * any other device can compute a piece that a failing device returned.
 */
#include "spread.h"

#include "alloc.h"
#include "c_locale.h"
#include "clock.h"
#include "device_rates.h"
#include "error.h"
#include "fft.h"
#include "others.h"
#include "request.h"

#include <stdio.h>
#include <string.h>

enum { SENTENCE = 1024, NONE = -1, OWN = 0 };

struct team;

typedef struct helper {
    struct team *team;
    drua_other *other;
    int number; /* index in the rates; the call's own device is OWN */
    pthread_t thread;
    bool runs;
    bool open; /* under the team's lock: its calls can be stopped */
} helper;

typedef struct team {
    drua_spread *work;
    uint64_t kilobytes; /* budget of the other devices; 0: the default */
    helper helpers[DRUA_MAX_CHOSEN];
    int helper_count;
    device_rates rates;
    drua_fft_choices transforms; /* choices of the call's own device; all devices use the same */
    pthread_mutex_t lock; /* protects everything below */
    pthread_cond_t changed;
    int64_t count, next, collected; /* pieces: in total, the next one that is not taken, the next one to collect */
    int64_t returned[DRUA_MAX_CHOSEN]; /* pieces that failed devices have returned */
    int returned_count, held, serving; /* held: pieces being computed; serving: helpers that still take pieces */
    bool *done;
    bool stop;
    drua_status status; /* status of a failure that ends the whole call */
    char sentence[SENTENCE];
    drua_text lines;
} team;

/* ---- the queue; call these under the lock */

static void wait_a_moment(team *t)
{
    enum { MOMENT = 20000000 };
    drua_condition_wait(&t->changed, &t->lock, MOMENT);
}

static int64_t take_piece(team *t, int number)
{
    int64_t piece = NONE;
    const bool returned = t->returned_count > 0;
    if (t->stop || (!returned && (t->next == t->count || t->next >= t->collected + t->work->room)) ||
        rates_leaves(&t->rates, number))
        return NONE;
    piece = returned ? t->returned[--t->returned_count] : t->next++;
    t->held++;
    rates_take(&t->rates, number);
    return piece;
}

/* Returns whether more pieces may come: a device may return a piece that it is computing. */
static bool has_more(const team *t)
{
    return !t->stop && (t->next < t->count || t->returned_count > 0 || t->held > 0);
}

static void add_line(team *t, const char *format, const char *device, const char *why)
{
    drua_text_add(&t->lines, format, device, why);
    drua_text_add(&t->lines, "\n");
}

/* ---- a piece */

/* The longest axis; NONE if none can be divided. */
static int axis_to_cut(const drua_box *box)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box->end[k] - box->first[k] > box->end[axis] - box->first[axis])
            axis = k;
    return box->end[axis] - box->first[axis] > 1 ? axis : NONE;
}

static drua_status do_box(const team *t, drua_engine *engine, int64_t number, const drua_box *box, int *parts)
{
    drua_spread *work = t->work;
    drua_piece piece = {work, *box, number};
    drua_bound bound[DRUA_PLAN_PARAMS] = {{0}};
    drua_box halves[2];
    bound[0].is_set = work->op->param_count > 0;
    bound[0].text = work->text;
    const drua_request request = {.op = work->op, .bound = bound, .state = &piece, .scope.transforms = &t->transforms};
    drua_status status = drua_engine_request(engine, &request);
    const int axis = status == DRUA_E_MEMORY ? axis_to_cut(box) : NONE;
    if (axis == NONE) {
        ++*parts;
        return status;
    }
    drua_box_halve(box, axis, halves);
    for (int i = 0; i < 2; i++)
        DRUA_TRY(do_box(t, engine, number, &halves[i], parts));
    return DRUA_OK;
}

static drua_status do_piece(team *t, drua_engine *engine, int64_t number)
{
    const drua_box box = drua_box_part(&t->work->all, t->work->step, number);
    int parts = 0;
    const drua_status status = do_box(t, engine, number, &box, &parts);
    char text[32];
    if (status != DRUA_OK || parts == 1)
        return status;
    snprintf(text, sizeof text, "%d", parts);
    pthread_mutex_lock(&t->lock);
    add_line(t, "the device %s had too little memory for a piece, which was computed in %s parts",
             drua_device_get_info(engine->device)->name, text);
    pthread_mutex_unlock(&t->lock);
    return status;
}

/* ---- other devices */

/* Call it under the lock. An error that is not a device's fault ends the whole call. */
static void leave_out_device(helper *h, int64_t piece, drua_status status)
{
    team *t = h->team;
    const bool is_its_own = status == DRUA_E_DEVICE || status == DRUA_E_MEMORY || status == DRUA_E_NO_DEVICE;
    if (t->stop)
        return;
    if (t->status == DRUA_OK)
        snprintf(t->sentence, sizeof t->sentence, "%s", drua_error_text());
    if (!is_its_own) {
        t->status = t->status == DRUA_OK ? status : t->status;
        return;
    }
    h->other->failed = true;
    add_line(t, "the device %s is left out: %s", h->other->info.name, drua_error_text());
    if (piece != NONE)
        t->returned[t->returned_count++] = piece;
}

static void *compute_pieces(void *payload)
{
    helper *h = payload;
    team *t = h->team;
    int64_t piece = NONE;
    drua_locale_enter();
    pthread_mutex_lock(&h->other->lock);
    drua_status status = drua_other_open(h->other, t->kilobytes);
    if (status == DRUA_OK)
        drua_device_enter(drua_device_ticket(h->other->device));
    pthread_mutex_lock(&t->lock);
    h->open = status == DRUA_OK;
    while (status == DRUA_OK && has_more(t)) {
        piece = take_piece(t, h->number);
        if (piece == NONE) {
            wait_a_moment(t);
            continue;
        }
        pthread_mutex_unlock(&t->lock);
        status = do_piece(t, &h->other->engine, piece);
        pthread_mutex_lock(&t->lock);
        t->held--;
        if (status != DRUA_OK)
            break;
        t->done[piece] = true;
        piece = NONE;
        rates_done(&t->rates, h->number);
        pthread_cond_broadcast(&t->changed);
    }
    t->serving--;
    if (status != DRUA_OK)
        leave_out_device(h, piece, status);
    rates_leave(&t->rates, h->number, piece != NONE);
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    pthread_mutex_unlock(&h->other->lock);
    drua_locale_leave();
    return NULL;
}

/* Call it under the lock. */
static void start_helper(drua_plan *plan, team *t, size_t index)
{
    helper *h = &t->helpers[t->helper_count++];
    *h = (helper){.team = t, .number = t->helper_count};
    const bool found = drua_others_find(plan->engine, index, &h->other) == DRUA_OK;
    h->runs = found && pthread_create(&h->thread, NULL, compute_pieces, h) == 0;
    t->serving += h->runs;
    if (h->runs)
        return;
    snprintf(t->sentence, sizeof t->sentence, "%s",
             found ? "the system cannot start a thread for it" : drua_error_text());
    add_line(t, "the device %s is left out: %s", found ? h->other->info.name : "that was there before", t->sentence);
    rates_leave(&t->rates, h->number, false);
}

static void start_helpers(drua_plan *plan, team *t, const drua_device_choice *choice)
{
    pthread_mutex_lock(&t->lock);
    for (size_t i = 0; i < choice->count; i++)
        start_helper(plan, t, choice->others[i]);
    pthread_mutex_unlock(&t->lock);
}

static void end_helpers(team *t, bool failed)
{
    pthread_mutex_lock(&t->lock);
    t->stop = true;
    for (int i = 0; i < t->helper_count && failed; i++)
        if (t->helpers[i].open)
            drua_device_cancel(t->helpers[i].other->device);
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    for (int i = 0; i < t->helper_count; i++)
        if (t->helpers[i].runs)
            pthread_join(t->helpers[i].thread, NULL);
}

/* ---- the call's thread */

/* Collects complete pieces, or waits a moment. Call it under the lock, which it releases meanwhile. */
static void collect_or_wait(drua_plan *plan, team *t)
{
    if (t->collected < t->count && t->done[t->collected]) {
        pthread_mutex_unlock(&t->lock);
        if (t->work->collect)
            t->work->collect(plan, t->work, t->collected);
        pthread_mutex_lock(&t->lock);
        t->collected++;
        pthread_cond_broadcast(&t->changed);
    } else {
        wait_a_moment(t);
    }
}

static void fail_alone(drua_plan *plan, const team *t)
{
    plan_try(plan,
             drua_fail(DRUA_E_DEVICE, "all devices of devices=%s have failed; check them, or choose others: %.900s",
                       t->work->devices, t->sentence));
}

static void run_pieces(drua_plan *plan, team *t, bool computes, double from)
{
    pthread_mutex_lock(&t->lock);
    while (t->collected < t->count && plan->status == DRUA_OK) {
        const int64_t piece = computes && !t->done[t->collected] ? take_piece(t, OWN) : NONE;
        if (piece == NONE) {
            collect_or_wait(plan, t);
        } else {
            pthread_mutex_unlock(&t->lock);
            const bool good = plan_try(plan, do_piece(t, plan->engine, piece));
            pthread_mutex_lock(&t->lock);
            t->held--;
            t->done[piece] = good;
            rates_done(&t->rates, OWN);
            pthread_cond_broadcast(&t->changed);
        }
        if (t->status != DRUA_OK)
            plan_try(plan, drua_fail(t->status, "%s", t->sentence));
        else if (!computes && !t->serving && t->collected < t->count && !t->done[t->collected])
            fail_alone(plan, t);
        plan_try(plan, drua_device_check(plan->engine->device));
        plan_progress(plan, from + (1 - from) * t->work->progress(t->work));
    }
    pthread_mutex_unlock(&t->lock);
}

/* Returns the budget of the other devices: that of the call's own device if all have the same model and driver. */
static uint64_t kilobytes_of(const drua_engine *engine, bool alike)
{
    return alike ? drua_device_statistics(engine->device)->budget_bytes >> 10 : 0;
}

drua_status drua_run_spread(drua_plan *plan, drua_spread *work, double from)
{
    drua_device_choice choice;
    DRUA_TRY(drua_device_choose(work->devices, drua_device_get_info(plan->engine->device), &choice));
    const int devices = (int)choice.count + choice.has_own;
    if (work->cut)
        work->cut(plan, work, devices, choice.alike);
    if (plan->status != DRUA_OK)
        return plan->status;
    team *t = drua_alloc(sizeof *t);
    if (!t)
        return drua_fail_memory(sizeof *t);
    t->work = work;
    t->transforms = drua_fft_chosen(plan->engine->fft);
    t->kilobytes = kilobytes_of(plan->engine, choice.alike);
    t->count = drua_box_parts(&work->all, work->step);
    t->done = drua_alloc((size_t)t->count * sizeof *t->done);
    pthread_mutex_init(&t->lock, NULL);
    drua_condition_init(&t->changed);
    rates_open(&t->rates, (int)choice.count + 1, t->count);
    if (!choice.has_own)
        rates_leave(&t->rates, OWN, false);
    if (plan_try(plan, t->done ? DRUA_OK : drua_fail_memory((size_t)t->count * sizeof *t->done)))
        start_helpers(plan, t, &choice);
    run_pieces(plan, t, choice.has_own, from);
    char sentence[SENTENCE];
    drua_copy_start(sentence, plan->status == DRUA_OK ? "" : drua_error_text(), sizeof sentence);
    end_helpers(t, plan->status != DRUA_OK);
    drua_others_drop_failed(plan->engine);
    drua_text_add(&plan->engine->lines, "%s", drua_text_characters(&t->lines));
    if (plan->status != DRUA_OK)
        drua_fail(plan->status, "%s", sentence);
    drua_text_free(&t->lines);
    rates_close(&t->rates);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    drua_free(t->done);
    drua_free(t);
    return plan->status;
}
