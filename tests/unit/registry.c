/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks every descriptor and command of the registry, and compares the commands with those of CLIJ2. */
#include "harness.h"

#include "error.h"
#include "absent.h"
#include "registry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

START_TEST(no_fault)
{
    ck_assert_msg(!drua_registry_fault(), "%s", drua_registry_fault());
}
END_TEST

static bool is_snake(const char *name)
{
    return islower((unsigned char)*name) && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static void check_param(const drua_op *op, const drua_param *p)
{
    ck_assert_msg(p->name && is_snake(p->name), "%s: parameter name '%s'", op->name, p->name);
    ck_assert_msg(p->doc && *p->doc, "%s.%s: no documentation", op->name, p->name);
    ck_assert_msg(!p->has_range || p->minimum <= p->maximum, "%s.%s: empty range", op->name, p->name);
    ck_assert_msg((p->kind == DRUA_KIND_CHOICE) == (p->choices != NULL), "%s.%s: choices and kind", op->name, p->name);
    if (p->choices && p->default_text) {
        bool found = false;
        for (const char *const *c = p->choices; *c; c++)
            found = found || !strcmp(*c, p->default_text);
        ck_assert_msg(found, "%s.%s: the default '%s' is not a choice", op->name, p->name, p->default_text);
    }
}

START_TEST(every_operation_is_documented)
{
    for (const drua_op *const *at = drua_op_table; *at; at++) {
        const drua_op *op = *at;
        ck_assert_msg(is_snake(op->name), "operation name '%s'", op->name);
        ck_assert_msg(op->summary && strlen(op->summary) > 10 && op->summary[strlen(op->summary) - 1] == '.',
                      "%s: summary '%s'", op->name, op->summary);
        ck_assert_msg(op->category && *op->category, "%s: no category", op->name);
        ck_assert_msg(op->param_count <= 30, "%s: %zu parameters", op->name, op->param_count);
        for (size_t i = 0; i < op->param_count; i++) {
            check_param(op, &op->params[i]);
            ck_assert_msg(drua_find_param(op, op->params[i].name) == (int)i, "%s: two parameters are called %s",
                          op->name, op->params[i].name);
        }
        ck_assert_ptr_eq(drua_find_op(op->name), op);
        ck_assert_ptr_eq(drua_op_table[drua_op_number(op)], op);
    }
    ck_assert_ptr_null(drua_find_op("no_such_operation"));
    ck_assert_ptr_null(drua_find_op(""));
}
END_TEST

/* A pixelwise operation, or one that declares the boxes that it reads, must not require all pixels on the device. */
START_TEST(who_may_need_all_pixels)
{
    for (const drua_op *const *op = drua_op_table; *op; op++) {
        const drua_op *o = *op;
        ck_assert_msg(!(o->traits & DRUA_WHOLE) || !(o->expression || o->region || o->view),
                      "%s: DRUA_WHOLE with a way to run in parts", o->name);
        ck_assert_msg(!(o->traits & DRUA_WHOLE) || strcmp(o->category, "projection"), "%s: a projection runs in parts",
                      o->name);
        for (size_t i = 0; i < o->param_count; i++) {
            ck_assert_msg(!o->params[i].whole || o->params[i].kind == DRUA_KIND_IMAGE_IN, "%s.%s: whole", o->name,
                          o->params[i].name);
            ck_assert_msg(!o->params[i].by_tiles || o->params[i].kind == DRUA_KIND_IMAGE_OUT, "%s.%s: by_tiles",
                          o->name, o->params[i].name);
            ck_assert_msg(!o->params[i].by_tiles || !o->params[i].partial, "%s.%s: by_tiles and partial", o->name,
                          o->params[i].name);
        }
    }
}
END_TEST

START_TEST(first_input_is_the_first_given)
{
    const drua_op op = {DRUA_PARAMS(DRUA_NUMBER("factor", ""), DRUA_IMAGE_IN("a", ""), DRUA_IMAGE_IN("b", ""))};
    ck_assert_int_eq(drua_first_input(&op, (const bool[]){true, true, true}), 1);
    ck_assert_int_eq(drua_first_input(&op, (const bool[]){true, false, true}), 2);
    ck_assert_int_eq(drua_first_input(&op, (const bool[]){true, false, false}), -1);
}
END_TEST

START_TEST(every_command_is_found)
{
    size_t count = drua_command_count();
    ck_assert_uint_gt(count, 200);
    for (size_t i = 0; i < count; i++) {
        const drua_command_entry *entry = drua_command_at(i);
        ck_assert_ptr_eq(drua_find_command(entry->name), entry);
        for (size_t k = 0; k < entry->argument_count; k++) {
            const drua_command_argument *a = &entry->arguments[k];
            ck_assert_msg(a->param >= -1 && a->param < (int)entry->op->param_count, "%s: argument %zu", entry->name, k);
            ck_assert_msg(a->name && *a->name, "%s: argument %zu has no name", entry->name, k);
            ck_assert_msg(a->param >= 0 || (!a->fixed && !a->by_reference), "%s: %s is ignored", entry->name, a->name);
            if (a->by_reference)
                ck_assert_msg(drua_kind_is_output(entry->op->params[a->param].kind) ||
                                  entry->op->params[a->param].kind == DRUA_KIND_IMAGE_INOUT,
                              "%s: %s is by reference and no output", entry->name, a->name);
            for (size_t other = 0; other < k; other++)
                ck_assert_msg(a->param < 0 || entry->arguments[other].param != a->param, "%s: %s twice", entry->name,
                              a->name);
        }
        for (size_t k = 0; k < entry->result_count; k++)
            ck_assert_int_eq(entry->op->params[entry->results[k].param].kind, DRUA_KIND_NUMBER_OUT);
    }
    ck_assert_ptr_null(drua_command_at(count));
    ck_assert_ptr_null(drua_find_command("CLIJ2_noSuchCommand"));
    ck_assert_ptr_null(drua_find_command(""));
}
END_TEST

/* Every operation can be called as Drua_ plus its own name with all its parameters. */
START_TEST(own_commands)
{
    const drua_command_entry *entry = drua_find_command("Drua_gaussianBlur");
    ck_assert_ptr_nonnull(entry);
    ck_assert_str_eq(entry->op->name, "gaussian_blur");
    ck_assert_uint_eq(entry->argument_count, entry->op->param_count);
    ck_assert(!entry->arguments[0].by_reference && entry->arguments[1].by_reference);
    ck_assert_ptr_nonnull(drua_find_command("Drua_setWhereXEqualsY"));
}
END_TEST

START_TEST(alias_grammar)
{
    const drua_command_entry *fixed = drua_find_command("CLIJ2_gaussianBlur2D");
    ck_assert_ptr_nonnull(fixed);
    ck_assert_uint_eq(fixed->argument_count, 5);
    ck_assert(fixed->arguments[4].fixed && fixed->arguments[4].number == 0);
    ck_assert(fixed->arguments[1].by_reference && !fixed->arguments[0].by_reference);

    const drua_command_entry *ignored = drua_find_command("CLIJxt_addImages");
    ck_assert_ptr_nonnull(ignored);
    ck_assert_uint_eq(ignored->argument_count, 9);
    ck_assert_int_eq(ignored->arguments[3].param, -1);
    ck_assert_str_eq(ignored->arguments[3].name, "tile_width");

    const drua_command_entry *typed = drua_find_command("CLIJ_power");
    ck_assert_ptr_nonnull(typed);
    ck_assert(typed->arguments[1].type_of_source && !typed->arguments[1].by_reference);
    ck_assert(!drua_find_command("CLIJ2_power")->arguments[1].type_of_source);
}
END_TEST

START_TEST(misspelt_commands)
{
    ck_assert_ptr_nonnull(strstr(drua_similar_commands("CLIJ2_gausianBlur3D"), "CLIJ2_gaussianBlur3D"));
    ck_assert_str_eq(drua_similar_commands("somethingEntirelyDifferent"), "");
}
END_TEST

/* In a macro, an image is a text: its name. */
static char macro_kind(const drua_command_entry *entry, const drua_command_argument *a)
{
    if (a->param < 0)
        return 'N';
    drua_kind kind = entry->op->params[a->param].kind;
    if (drua_kind_is_image(kind))
        return 'I';
    if (drua_kind_is_text(kind) || kind == DRUA_KIND_TEXT_OUT)
        return 'S';
    return kind == DRUA_KIND_ARRAY_IN || kind == DRUA_KIND_IMAGES ? 'A' : 'N';
}

static void signature(const drua_command_entry *entry, char *text, size_t size)
{
    size_t length = 0;
    *text = 0;
    for (size_t i = 0; i < entry->argument_count && length + 4 < size; i++)
        if (!entry->arguments[i].fixed)
            length +=
                (size_t)snprintf(text + length, size - length, "%s%s%c", length ? " " : "",
                                 entry->arguments[i].by_reference ? "&" : "", macro_kind(entry, &entry->arguments[i]));
}

/* A name without an image (a window, a name to release) is a text in the registry and an image in CLIJ2. */
static bool same_signature(const drua_command_entry *entry, const char *ours, const char *theirs)
{
    bool host = entry->op->traits & DRUA_HOST;
    for (; *ours && *theirs; ours++, theirs++)
        if (*ours != *theirs && !(host && strchr("IS", *ours) && strchr("IS", *theirs)))
            return false;
    return *ours == *theirs;
}

/* CLIJ2 declares fewer arguments than these commands read, so no macro can call them in CLIJ2 (docs/differences.md). */
static bool is_mended(const char *command)
{
    static const char *const names[] = {"_outOfIntensityRange", "_minimumZProjectionThresholdedBounded",
                                        "_generateDistanceMatrixAlongAxis"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(strchr(command, '_'), names[i]))
            return true;
    return false;
}

/* Every command of CLIJ2 exists in Drua, or has a hint about its replacement. */
START_TEST(commands_have_the_signatures_of_clij2)
{
    FILE *file = fopen(TEST_DATA "/commands.tsv", "r");
    ck_assert_ptr_nonnull(file);
    char line[512], ours[512];
    size_t known = 0, wrong = 0, unknown = 0;
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *theirs = strchr(line, '\t');
        ck_assert_ptr_nonnull(theirs);
        *theirs++ = 0;
        const drua_command_entry *entry = drua_find_command(line);
        if (!entry) {
            unknown += !drua_absent_advice(line);
            printf(drua_absent_advice(line) ? "" : "there is no %s\n", line);
            continue;
        }
        known++;
        signature(entry, ours, sizeof ours);
        if (!same_signature(entry, ours, theirs) && !is_mended(line)) {
            printf("%s: CLIJ2 takes '%s', ours '%s'\n", line, theirs, ours);
            wrong++;
        }
    }
    fclose(file);
    printf("%zu commands of CLIJ2 are known\n", known);
    ck_assert_uint_gt(known, 1000);
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(unknown, 0);
}
END_TEST

/*
 * Commands of public macros that CLIJ2's list lacks: extendLabelsWithMaximumRadius, which CLIJx by mistake registers as
 * a second CLIJx_absolute; former commands of CLIJ and CLIJ2; and commands of CLIJx's extensions that Drua has.
 */
static bool is_older(const char *name)
{
    static const char *const older[] = {"CLIJ2_shrinkLabels",
                                        "CLIJ_blur3DFast",
                                        "CLIJ_dilateBoxIJ",
                                        "CLIJ_erodeBoxIJ",
                                        "CLIJ_extendLabelsWithMaximumRadius",
                                        "CLIJx_extendLabelsWithMaximumRadius",
                                        "CLIJx_imageJ2MedianBox",
                                        "CLIJx_imageJ3DSuiteConnectedComponentsLabeling",
                                        "CLIJx_imageJFillHoles",
                                        "CLIJx_imageJWatershed",
                                        "CLIJx_morphoLibJAreaMap",
                                        "CLIJx_morphoLibJAverageThicknessMap",
                                        "CLIJx_morphoLibJChamferDistanceMap",
                                        "CLIJx_morphoLibJCircularityMap",
                                        "CLIJx_morphoLibJClassicWatershed",
                                        "CLIJx_morphoLibJConnectedComponentsLabeling",
                                        "CLIJx_morphoLibJConvexAreaMap",
                                        "CLIJx_morphoLibJConvexityMap",
                                        "CLIJx_morphoLibJDilateLabels",
                                        "CLIJx_morphoLibJDistanceToLabelBorderMap",
                                        "CLIJx_morphoLibJEllipseElongationMap",
                                        "CLIJx_morphoLibJEllipseMajorAxisLengthMap",
                                        "CLIJx_morphoLibJEllipseMinorAxisLengthMap",
                                        "CLIJx_morphoLibJEllipseOrientationMap",
                                        "CLIJx_morphoLibJEllipsoidMajorAxisLengthMap",
                                        "CLIJx_morphoLibJEllipsoidMinorAxisLengthMap",
                                        "CLIJx_morphoLibJEllipsoidSecondMajorAxisLengthMap",
                                        "CLIJx_morphoLibJEulerNumber3DMap",
                                        "CLIJx_morphoLibJEulerNumberMap",
                                        "CLIJx_morphoLibJExtendedMaxima",
                                        "CLIJx_morphoLibJExtendedMinima",
                                        "CLIJx_morphoLibJFillHoles",
                                        "CLIJx_morphoLibJFloodFillComponentsLabeling",
                                        "CLIJx_morphoLibJGeodesicDiameterMap",
                                        "CLIJx_morphoLibJGeodesicElongationMap",
                                        "CLIJx_morphoLibJInscribedBallRadiusMap",
                                        "CLIJx_morphoLibJInscribedDiscRadiusMap",
                                        "CLIJx_morphoLibJKeepLargestRegion",
                                        "CLIJx_morphoLibJMarkerControlledWatershed",
                                        "CLIJx_morphoLibJMaximumFeretAngleMap",
                                        "CLIJx_morphoLibJMaximumFeretMap",
                                        "CLIJx_morphoLibJMeanBreadthMap",
                                        "CLIJx_morphoLibJMorphologicalSegmentationLabelBorderImage",
                                        "CLIJx_morphoLibJMorphologicalSegmentationLabelObjectImage",
                                        "CLIJx_morphoLibJPerimeterMap",
                                        "CLIJx_morphoLibJRemoveLargestRegion",
                                        "CLIJx_morphoLibJSphericityMap",
                                        "CLIJx_morphoLibJSurfaceAreaMap",
                                        "CLIJx_morphoLibJTortuosityMap",
                                        "CLIJx_morphoLibJVolumeMap",
                                        "CLIJx_simpleITKBinaryFillhole",
                                        "CLIJx_simpleITKConnectedComponent",
                                        "CLIJx_simpleITKHMaxima",
                                        "CLIJx_simpleITKMedian",
                                        "CLIJx_simpleITKMedianProjection"};
    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        if (!strcmp(name, older[i]))
            return true;
    return false;
}

/* Whether the list lacks one of the commands that an alias ("PREFIX/PREFIX name: arguments") declares. */
static bool is_unknown(const char *alias, const char *list)
{
    const size_t prefixes = strcspn(alias, " "), name = strcspn(alias + prefixes + 1, ":");
    char command[256], wanted[260];
    bool unknown = false;
    for (size_t from = 0; from < prefixes; from += strcspn(alias + from, "/ ") + 1) {
        snprintf(command, sizeof command, "%.*s_%.*s", (int)strcspn(alias + from, "/ "), alias + from, (int)name,
                 alias + prefixes + 1);
        snprintf(wanted, sizeof wanted, "\n%s\t", command);
        if (strncmp(command, "Drua_", 5) && !strstr(list, wanted) && !is_older(command)) {
            printf("CLIJ2 has no command %s\n", command);
            unknown = true;
        }
    }
    return unknown;
}

/* CLIJ2's list contains every command that a descriptor declares for CLIJ2, except those of is_older. */
START_TEST(commands_are_those_of_clij2)
{
    FILE *file = fopen(TEST_DATA "/commands.tsv", "r");
    ck_assert_ptr_nonnull(file);
    static char text[1 << 17];
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    size_t declared = 0, unknown = 0;
    for (const drua_op *const *op = drua_op_table; *op; op++)
        for (const char *const *alias = (*op)->aliases; alias && *alias; alias++) {
            declared++;
            unknown += is_unknown(*alias, text);
        }
    ck_assert_uint_gt(declared, 500);
    ck_assert_uint_eq(unknown, 0);
}
END_TEST

START_TEST(commands_that_cannot_be_here)
{
    ck_assert_ptr_null(drua_absent_advice("CLIJ2_copy"));
    ck_assert_ptr_null(drua_absent_advice("morphoLibJ"));
    ck_assert_str_eq(drua_absent_advice("CLIJx_imageJ3DSuiteSegment"),
                     "the 3D ImageJ Suite is not part of Drua: pull the image, run the 3D ImageJ Suite, and push its "
                     "result");
    ck_assert_str_eq(drua_similar_commands("CLIJx_morphoLibJSphericity"),
                     "; MorphoLibJ is not part of Drua: pull the image, run MorphoLibJ, and push its result");
    for (const drua_absent *absent = drua_absent_table; absent->begins; absent++)
        for (size_t i = 0; i < drua_command_count(); i++) {
            const char *name = strchr(drua_command_at(i)->name, '_') + 1;
            char command[256];
            snprintf(command, sizeof command, "CLIJx_%s", name);
            ck_assert_msg(strncmp(name, absent->begins, strlen(absent->begins)) || is_older(command), "%s exists",
                          name);
        }
}
END_TEST

/* Every prefix is accepted before a name. */
START_TEST(every_prefix)
{
    const drua_command_entry *theirs = drua_find_command("CLIJ2_gaussianBlur2D"),
                             *same = drua_find_command("Drua_gaussianBlur2D");
    ck_assert_ptr_nonnull(same);
    ck_assert_ptr_eq(same->op, theirs->op);
    ck_assert_uint_eq(same->argument_count, theirs->argument_count);
    const drua_command_entry *ours = drua_find_command("CLIJ2_eSRRF");
    ck_assert_ptr_nonnull(ours);
    ck_assert_str_eq(ours->op->name, "esrrf");
}
END_TEST

static size_t passed(const drua_command_entry *entry)
{
    size_t count = 0;
    for (size_t k = 0; k < entry->argument_count; k++)
        count += !entry->arguments[k].fixed;
    return count;
}

/* Whether two signatures of as many arguments run the same operation with the same parameters and values. */
static bool means_the_same(const drua_command_entry *a, const drua_command_entry *b)
{
    if (a->op != b->op || a->argument_count != b->argument_count || a->result_count != b->result_count)
        return false;
    for (size_t k = 0; k < a->argument_count; k++) {
        const drua_command_argument *one = &a->arguments[k], *two = &b->arguments[k];
        if (one->param != two->param || one->fixed != two->fixed || (one->fixed && one->number != two->number))
            return false;
    }
    return true;
}

/* A macro passes each argument before it is known which signature the line has, so kinds must agree by position. */
static void check_kinds_agree(const drua_command_entry *a, const drua_command_entry *b)
{
    size_t i = 0, k = 0;
    for (; i < a->argument_count && k < b->argument_count; i++, k++) {
        while (i < a->argument_count && a->arguments[i].fixed)
            i++;
        while (k < b->argument_count && b->arguments[k].fixed)
            k++;
        if (i == a->argument_count || k == b->argument_count)
            return;
        const bool is_text = strchr("IS", macro_kind(a, &a->arguments[i])) != NULL,
                   other_is_text = strchr("IS", macro_kind(b, &b->arguments[k])) != NULL;
        ck_assert_msg(is_text == other_is_text, "%s: kinds of argument %zu", a->name, i);
        ck_assert_msg(a->arguments[i].by_reference == b->arguments[k].by_reference, "%s: argument %zu", a->name, i);
    }
}

/*
 * A line with the prefix CLIJ2_ means the same with the prefix Drua_. A line with CLIJx_ or CLIJ_ means it too, unless
 * CLIJ2 has a command of that name and number of arguments with another meaning.
 */
START_TEST(drua_commands_take_the_arguments_of_clij)
{
    static const char *const prefixes[] = {"CLIJ2", "CLIJx", "CLIJ", "CLIJxt"};
    size_t names = 0, more = 0;
    for (size_t i = 0; i < drua_command_count(); i++) {
        const drua_command_entry *own = drua_command_at(i), *theirs[4] = {NULL};
        char name[256];
        if (strncmp(own->name, "Drua_", 5))
            continue;
        names++;
        more += own->other != NULL;
        for (int k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "%s_%s", prefixes[k], own->name + 5);
            theirs[k] = drua_find_command(name);
            const drua_command_entry *chosen = own;
            if (!theirs[k])
                continue;
            ck_assert_msg(drua_choose_signature(&chosen, passed(theirs[k])) == DRUA_OK, "%s", name);
            bool same = means_the_same(chosen, theirs[k]);
            for (int before = 0; before < k; before++)
                same |= theirs[before] && passed(theirs[before]) == passed(theirs[k]) &&
                        means_the_same(chosen, theirs[before]);
            ck_assert_msg(same, "%s means something else than %s", own->name, name);
            ck_assert_str_eq(chosen->name, own->name);
            check_kinds_agree(own, chosen);
        }
    }
    ck_assert_uint_gt(names, 800);
    ck_assert_uint_gt(more, 40);
}
END_TEST

START_TEST(wrong_number_of_arguments)
{
    const drua_command_entry *sobel = drua_find_command("Drua_sobel"), *given = sobel,
                             *blur = drua_find_command("CLIJ2_gaussianBlur2D");
    ck_assert_int_eq(drua_choose_signature(&given, 1), DRUA_E_ARGUMENT);
    ck_assert_ptr_eq(given, sobel);
    ck_assert_str_eq(drua_error_text(),
                     "takes 3 arguments (source, destination, slice_by_slice) or 2 (source, destination), got 1");
    ck_assert_int_eq(drua_choose_signature(&blur, 5), DRUA_E_ARGUMENT);
    ck_assert_str_eq(drua_error_text(), "takes 4 arguments (source, destination, sigma_x, sigma_y), got 5");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("registry");
    TCase *tests = tcase_create("registry");
    tcase_add_test(tests, who_may_need_all_pixels);
    tcase_add_test(tests, no_fault);
    tcase_add_test(tests, every_operation_is_documented);
    tcase_add_test(tests, first_input_is_the_first_given);
    tcase_add_test(tests, every_command_is_found);
    tcase_add_test(tests, own_commands);
    tcase_add_test(tests, alias_grammar);
    tcase_add_test(tests, misspelt_commands);
    tcase_add_test(tests, commands_have_the_signatures_of_clij2);
    tcase_add_test(tests, commands_are_those_of_clij2);
    tcase_add_test(tests, commands_that_cannot_be_here);
    tcase_add_test(tests, every_prefix);
    tcase_add_test(tests, drua_commands_take_the_arguments_of_clij);
    tcase_add_test(tests, wrong_number_of_arguments);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
