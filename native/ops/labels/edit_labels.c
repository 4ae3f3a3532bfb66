/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps, removes or merges the labels that a text names. */
#include "labels.h"

#include <stdlib.h>
#include <string.h>

enum { KEEP, REMOVE, MERGE }; /* as in kernels/labels/edit_labels.cl */
enum { MOST_RANGES = 4096 };

/* Labels first to last. */
typedef struct range {
    uint32_t first, last;
} range;

/* Reads a label from a text and moves `at` past it. Returns 0 if the text has no label there. */
static uint32_t read_label(const char **at)
{
    char *end;
    const bool is_number = **at >= '0' && **at <= '9';
    const unsigned long long label = is_number ? strtoull(*at, &end, 10) : 0;
    if (label == 0 || label > UINT32_MAX)
        return 0;
    *at = end;
    return (uint32_t)label;
}

/* Reads labels and ranges such as "3, 8-12". Returns their number. */
static int read_ranges(drua_plan *p, range ranges[MOST_RANGES])
{
    static const char between[] = ", \t\r\n";
    const char *text = plan_text(p, "which");
    int count = 0;
    for (const char *at = text + strspn(text, between); *at; at += strspn(at, between)) {
        range r = {read_label(&at), 0};
        r.last = r.first;
        if (r.first && *at == '-') {
            at++;
            r.last = read_label(&at);
        }
        if (r.first == 0 || r.last < r.first || (*at && !strchr(between, *at))) {
            plan_fail(p, "which must be labels from 1 to 4294967295 such as \"3, 8-12\", got \"%s\"", text);
            return 0;
        }
        if (count == MOST_RANGES) {
            plan_fail(p, "which has more than %d labels and ranges; use excludeLabels with a vector", MOST_RANGES);
            return 0;
        }
        ranges[count++] = r;
    }
    if (count == 0)
        plan_fail(p, "which must be labels from 1 to 4294967295 such as \"3, 8-12\", got an empty text");
    return count;
}

static void edit_labels(drua_plan *p, int edit)
{
    range *ranges = plan_host_memory(p, MOST_RANGES * sizeof *ranges);
    const int count = ranges ? read_ranges(p, ranges) : 0;
    if (plan_failed(p))
        return;
    const uint32_t largest = labels_largest(p, "source");
    const drua_view numbers = plan_scratch_bytes(p, 4 * ((uint64_t)largest + 1));
    LAUNCH(p, "number_edited", LINE((int64_t)largest + 1, 64), TABLE(ranges, (uint64_t)count * sizeof *ranges),
           INT(count), INT(edit), INT(ranges[0].first), INT(largest), POINTER(numbers));
    labels_gather(p, plan_image(p, "source"), numbers, largest);
}

static void plan_keep(drua_plan *p)
{
    edit_labels(p, KEEP);
}

static void plan_remove(drua_plan *p)
{
    edit_labels(p, REMOVE);
}

static void plan_merge(drua_plan *p)
{
    edit_labels(p, MERGE);
}

#define EDITION(name_, plan_, summary_, which_, default_, result_)                                                     \
    {                                                                                                                  \
        .name = #name_, .category = "labels", .menu = true, .summary = summary_,                                       \
        .source = "a table of new numbers; labels that the image lacks are ignored", .numeric = DRUA_EXACT,            \
        .launch = plan_,                                                                                               \
        DRUA_PARAMS(                                                                                                   \
            DRUA_IMAGE_IN("source", "label map"), DRUA_LABELS_OUT("destination", result_, .by_tiles = true),           \
            DRUA_TEXT("which", which_ ", with commas or spaces, such as \"3, 8-12\"", .default_text = default_))       \
    }

DRUA_OP(keep_labels) = EDITION(keep_labels, plan_keep, "Keeps the labels of a list and removes all others.",
                               "labels to keep", "1", "label map of the kept labels, with their numbers");
DRUA_OP(remove_labels) = EDITION(remove_labels, plan_remove, "Removes the labels of a list.", "labels to remove", "1",
                                 "label map without the removed labels; the other labels keep their numbers");
DRUA_OP(merge_labels) = EDITION(merge_labels, plan_merge, "Gives all labels of a list the number of the first one.",
                                "labels to merge; the first one gives the number", "1, 2",
                                "label map; labels that are not in the list keep their numbers");
