/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests which of several records of a block is valid. Clocks of the processes that write the records must not matter.
 */
#include "block_files.h"
#include "error.h"
#include "file.h"
#include "journal.h"
#include "pass_results.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 3, BLOCK = 1 };

static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static void add_record(journal *j, block_state state, uint32_t attempt)
{
    REQUIRE(journal_add(j, &(block_record){.block = BLOCK, .state = state, .attempt = attempt}));
}

/*
 * Writes two records through one journal and two through a second one, as two processes would, and checks which record
 * is valid.
 */
static void expect_record(const block_record expected, const block_record records[4])
{
    char folder[BLOCK_PATH_SIZE];
    journal_state state;
    journal *both[2];
    block_folder_make();
    block_folder_path("plan.json.journal", folder);
    for (int i = 0; i < 2; i++)
        REQUIRE(journal_open(folder, hash, &both[i]));
    for (int i = 0; i < 4; i++)
        if (records[i].attempt)
            add_record(both[i / 2], records[i].state, records[i].attempt);
    for (int i = 0; i < 2; i++)
        journal_close(both[i]);
    REQUIRE(journal_read(folder, hash, BLOCKS, &state));
    ck_assert_int_eq(state.blocks[BLOCK].state, expected.state);
    ck_assert_uint_eq(state.blocks[BLOCK].attempt, expected.attempt);
    ck_assert_int_eq(state.done, expected.state == BLOCK_DONE);
    journal_state_free(&state);
    block_folder_remove();
}

static block_record record(block_state state, uint32_t attempt)
{
    return (block_record){.state = state, .attempt = attempt};
}

START_TEST(the_last_attempt_counts)
{
    const block_record done = record(BLOCK_DONE, 1), lost = record(BLOCK_LOST, 1), again = record(BLOCK_DONE, 2),
                       lost_again = record(BLOCK_LOST, 2);
    expect_record(done, (const block_record[4]){done});
    expect_record(lost, (const block_record[4]){done, lost});
    expect_record(lost, (const block_record[4]){lost, {0}, done});
    expect_record(again, (const block_record[4]){done, lost, again});
    expect_record(again, (const block_record[4]){again, {0}, done, lost});
    expect_record(again, (const block_record[4]){lost, again, lost, done});
    expect_record(lost_again, (const block_record[4]){lost_again, done, lost, again});
}
END_TEST

/*
 * Two processes with different versions of a compressor write the same block in one attempt. Either process may have
 * written last, so the files of both are accepted.
 */
START_TEST(files_of_either_process_count)
{
    char folder[BLOCK_PATH_SIZE];
    journal_state state;
    journal *both[2];
    const uint32_t sums[] = {1, 2, 3};
    block_folder_make();
    block_folder_path("plan.json.journal", folder);
    for (int i = 0; i < 2; i++) {
        REQUIRE(journal_open(folder, hash, &both[i]));
        REQUIRE(journal_add(
            both[i], &(block_record){.block = BLOCK, .state = BLOCK_DONE, .attempt = 1, .crc = sums[i], .bytes = 10}));
        journal_close(both[i]);
    }
    for (int merged = 0; merged < 2; merged++) {
        REQUIRE(journal_read(folder, hash, BLOCKS, &state));
        ck_assert_int_eq(state.done, 1);
        for (int i = 0; i < 3; i++)
            ck_assert_int_eq(journal_knows(&state, BLOCK, &sums[i], 10), i < 2);
        ck_assert(journal_knows(&state, BLOCK, NULL, 10) && !journal_knows(&state, BLOCK, NULL, 11));
        REQUIRE(journal_merge(folder, hash, &state));
        journal_state_free(&state);
    }
    REQUIRE(journal_open(folder, hash, &both[0]));
    add_record(both[0], BLOCK_DONE, 2);
    journal_close(both[0]);
    REQUIRE(journal_read(folder, hash, BLOCKS, &state));
    ck_assert(!journal_knows(&state, BLOCK, &sums[0], 10) && !journal_knows(&state, BLOCK, &sums[1], 10));
    journal_state_free(&state);
    block_folder_remove();
}
END_TEST

/* Several processes finish one plan at once: each of them merges the records while others read these. */
static void *read_and_merge(void *folder)
{
    enum { TURNS = 300 };
    intptr_t missing = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        journal_state state;
        REQUIRE(journal_read(folder, hash, BLOCKS, &state));
        missing += state.done != BLOCKS;
        REQUIRE(journal_merge(folder, hash, &state));
        journal_state_free(&state);
    }
    return (void *)missing;
}

START_TEST(records_survive_merging_by_several)
{
    enum { MERGERS = 3 };
    pthread_t mergers[MERGERS];
    char folder[BLOCK_PATH_SIZE];
    journal *one;
    block_folder_make();
    block_folder_path("plan.json.journal", folder);
    REQUIRE(journal_open(folder, hash, &one));
    for (int64_t i = 0; i < BLOCKS; i++)
        REQUIRE(journal_add(one, &(block_record){.block = i, .state = BLOCK_DONE, .attempt = 1}));
    journal_close(one);
    for (int i = 0; i < MERGERS; i++)
        ck_assert_int_eq(pthread_create(&mergers[i], NULL, read_and_merge, folder), 0);
    for (int i = 0; i < MERGERS; i++) {
        void *missing;
        ck_assert_int_eq(pthread_join(mergers[i], &missing), 0);
        ck_assert_msg(!missing, "records were missing %d times", (int)(intptr_t)missing);
    }
    block_folder_remove();
}
END_TEST

static bool note_any_entry(const char *name, void *any)
{
    *(bool *)any |= strcmp(name, ".") && strcmp(name, "..");
    return true;
}

/* A link to itself cannot be listed, even by root; a link to nothing resembles a disk that is not mounted. */
START_TEST(a_folder_that_cannot_be_listed_is_not_empty)
{
    static const struct {
        const char *target;
        drua_status expected;
    } links[] = {{"plan.json.journal", DRUA_E_ARGUMENT}, {"nothing", DRUA_E_AWAY}};
    char folder[BLOCK_PATH_SIZE], name[256] = "old";
    block_folder_make();
    block_folder_path("plan.json.journal", folder);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        journal_state state;
        pass_results *results;
        bool any = false;
        ck_assert_int_eq(symlink(links[i].target, folder), 0);
        ck_assert_int_eq(drua_folder_list(folder, note_any_entry, &any), links[i].expected);
        ck_assert_ptr_nonnull(strstr(drua_error_text(), folder));
        ck_assert(journal_exists(folder));
        ck_assert_int_eq(journal_read(folder, hash, BLOCKS, &state), links[i].expected);
        journal_state_free(&state);
        ck_assert_int_eq(pass_results_open(folder, hash, BLOCKS, &results), links[i].expected);
        pass_results_close(results);
        ck_assert(drua_file_find_unknown(folder, drua_file_is_ordinary, name));
        ck_assert_str_eq(name, "");
        ck_assert_int_eq(unlink(folder), 0);
    }
    ck_assert_int_eq(drua_folder_list(folder, note_any_entry, NULL), DRUA_OK);
    ck_assert(!journal_exists(folder));
    block_folder_remove();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("journal");
    TCase *tests = tcase_create("journal");
    tcase_add_test(tests, the_last_attempt_counts);
    tcase_add_test(tests, files_of_either_process_count);
    tcase_add_test(tests, records_survive_merging_by_several);
    tcase_add_test(tests, a_folder_that_cannot_be_listed_is_not_empty);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
