/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

const drua_type harness_types[] = {DRUA_UINT8,  DRUA_INT8,  DRUA_UINT16,  DRUA_INT16,
                                   DRUA_UINT32, DRUA_INT32, DRUA_FLOAT32, DRUA_NO_TYPE};

void harness_refused(drua_status expected, drua_status got, const char *call, const char *const *parts)
{
    const char *sentence = drua_error_message();
    ck_assert_msg(got == expected, "%s gave status %d, expected %d: %s", call, (int)got, (int)expected, sentence);
    ck_assert_msg(*sentence && !strchr(sentence, '\n'), "%s: not one line: '%s'", call, sentence);
    for (; *parts; parts++)
        ck_assert_msg(strstr(sentence, *parts), "%s: no '%s' in '%s'", call, *parts, sentence);
}

/* ---- random numbers (splitmix64) */

uint64_t harness_new_seed(const char *what)
{
    const char *given = getenv("DRUA_SEED");
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec;
    seed %= 1000000007u;
    printf("%s: DRUA_SEED=%" PRIu64 "\n", what, seed);
    fflush(stdout);
    return seed;
}

uint32_t harness_next(harness_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}

int harness_below(harness_random *random, int limit)
{
    return (int)(harness_next(random) % (uint32_t)limit);
}

/* ---- images */

static double grey(harness_random *random, drua_type type)
{
    switch (type) {
    case DRUA_UINT8: return harness_below(random, 8) ? harness_below(random, 60) : harness_below(random, 256);
    case DRUA_INT8: return harness_below(random, 256) - 128;
    case DRUA_UINT16: return harness_below(random, 8) ? harness_below(random, 600) : harness_below(random, 65536);
    case DRUA_INT16: return harness_below(random, 4000) - 2000;
    case DRUA_UINT32: return harness_below(random, 100000);
    case DRUA_INT32: return harness_below(random, 200000) - 100000;
    case DRUA_FLOAT32: return (harness_below(random, 16000) - 8000) / 32.0;
    case DRUA_NO_TYPE: break;
    }
    return 0;
}

static double special(harness_random *random)
{
    const double numbers[] = {NAN, INFINITY, -INFINITY, 1e20, -1e20, 0, -0.0, 1, 255.99999};
    return numbers[harness_below(random, (int)(sizeof numbers / sizeof *numbers))];
}

/* Pixels of a cell of 3 x 2 x 2 share one value, so that neighbouring pixels form blobs. */
static double blob_value(const uint32_t *cells, int64_t x, int64_t y, int64_t z)
{
    const uint32_t cell = cells[(x / 3 * 31 + y / 2 * 17 + z / 2 * 7) % 61];
    return cell % 3 ? 0 : 1 + cell / 3 % 7;
}

reference_image harness_image(harness_random *random, drua_type type, drua_shape shape, harness_content content)
{
    reference_image image = reference_make(type, shape);
    uint32_t cells[61];
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        cells[i] = harness_next(random);
    size_t at = 0;
    REFERENCE_EACH_PIXEL(shape, x, y, z) {
        double value = 0;
        switch (content) {
        case HARNESS_SPECIAL:
            value = type == DRUA_FLOAT32 && !harness_below(random, 6) ? special(random) : grey(random, type);
            break;
        case HARNESS_POSITIVE: value = 1 + fabs(grey(random, type)); break;
        case HARNESS_GREY: value = grey(random, type); break;
        case HARNESS_BINARY: value = blob_value(cells, x, y, z) != 0; break;
        case HARNESS_LABELS: value = cells[0] % 16 ? blob_value(cells, x, y, z) : 0; break;
        case HARNESS_INDICES: value = harness_below(random, (int)shape.width); break;
        case HARNESS_SHIFTS: value = harness_below(random, 25) / 4.0 - 3; break;
        case HARNESS_SPOTS: value = !harness_below(random, 23); break;
        }
        image.pixels[at++] = reference_store(type, value);
    }
    return image;
}

drua_image harness_push(drua_context *context, const reference_image *image)
{
    void *memory = reference_allocate(reference_count(image), reference_type_size(image->type));
    reference_to_memory(image, memory);
    drua_image handle = 0;
    drua_status status = drua_push(context, image->shape, image->type, memory, &handle);
    free(memory);
    REQUIRE(status);
    return handle;
}

drua_image harness_push_movie(drua_context *context, harness_random *random, drua_shape shape, drua_type type)
{
    reference_image movie = reference_make(type, shape);
    for (size_t i = 0; i < reference_count(&movie); i++)
        movie.pixels[i] = harness_below(random, type == DRUA_UINT8 ? 256 : 60000);
    const drua_image image = harness_push(context, &movie);
    reference_free(&movie);
    return image;
}

drua_image harness_line(drua_context *context, const float *numbers, int count)
{
    drua_image handle = 0;
    REQUIRE(drua_push(context, reference_plane(count, 1), DRUA_FLOAT32, numbers, &handle));
    return handle;
}

reference_image harness_pull(drua_context *context, drua_image image)
{
    drua_image_info info;
    REQUIRE(drua_get_info(context, image, &info));
    void *memory = reference_allocate(1, info.bytes);
    drua_status status = drua_pull(context, image, memory);
    reference_image pulled =
        status == DRUA_OK ? reference_from_memory(info.type, info.shape, memory) : (reference_image){0};
    free(memory);
    REQUIRE(status);
    return pulled;
}

double harness_first(drua_context *context, drua_image image)
{
    reference_image pulled = harness_pull(context, image);
    double first = pulled.pixels[0];
    reference_free(&pulled);
    return first;
}

drua_context *harness_open(void)
{
    drua_context *context = NULL;
    REQUIRE(drua_open(NULL, &context));
    const char *note = drua_context_note(context);
    ck_assert_msg(!note || !*note, "DRUA_DEVICE names another device: %s", note);
    return context;
}

void harness_as_gpu(void)
{
    setenv("DRUA_AS_GPU", "1", 1);
    setenv("DRUA_CACHE", "off", 1);
    setenv("DRUA_AHEAD", "0", 1);
}

/* ---- JSON */

static const char *blank(const char *c)
{
    return c + strspn(c, " \t\r\n");
}

static bool string(const char **c)
{
    const char *at = *c;
    if (*at++ != '"')
        return false;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            return false;
        if (*at != '\\')
            continue;
        at++;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4)
            at += 4;
        else if (!*at || !strchr("\"\\/bfnrt", *at))
            return false;
    }
    *c = at + 1;
    return true;
}

static bool parse_value(const char **c);

/* Skips the members up to the closing bracket; members of objects have keys. */
static bool members(const char **c, char close)
{
    *c = blank(*c + 1);
    if (**c == close)
        return (*c)++, true;
    for (;;) {
        if (close == '}') {
            *c = blank(*c);
            if (!string(c))
                return false;
            *c = blank(*c);
            if (*(*c)++ != ':')
                return false;
        }
        if (!parse_value(c))
            return false;
        *c = blank(*c);
        if (**c == close)
            return (*c)++, true;
        if (*(*c)++ != ',')
            return false;
    }
}

static bool word(const char **c, const char *expected)
{
    bool found = strncmp(*c, expected, strlen(expected)) == 0;
    if (found)
        *c += strlen(expected);
    return found;
}

static bool parse_value(const char **c)
{
    *c = blank(*c);
    if (**c == '{')
        return members(c, '}');
    if (**c == '[')
        return members(c, ']');
    if (**c == '"')
        return string(c);
    if (**c == '-' || isdigit((unsigned char)**c)) {
        char *end;
        strtod(*c, &end);
        bool number = end != *c && strspn(*c, "0123456789+-.eE") == (size_t)(end - *c);
        *c = end;
        return number;
    }
    return word(c, "true") || word(c, "false") || word(c, "null");
}

const char *harness_json_fault(const char *text)
{
    const char *c = text;
    if (!parse_value(&c))
        return c;
    c = blank(c);
    return *c ? c : NULL;
}

/* ---- samples */

bool harness_is_wanted(const char *operation, const char *category)
{
    const char *only = getenv("DRUA_ONLY");
    return !only || !strcmp(only, operation) || !strcmp(only, category);
}

int harness_sample(void)
{
    const char *every = getenv("DRUA_SAMPLE");
    return every && atoi(every) > 1 && !getenv("DRUA_ONLY") ? atoi(every) : 1;
}

static int64_t sample_seed(void)
{
    static int64_t seed = -1;
    if (seed < 0)
        seed = (int64_t)harness_new_seed("sample");
    return seed;
}

/* Returns whether the item belongs to the part that DRUA_PART=k/n names. */
static bool is_of_part(int item)
{
    const char *part = getenv("DRUA_PART");
    int which, parts;
    return !part || getenv("DRUA_ONLY") ||
           (sscanf(part, "%d/%d", &which, &parts) == 2 && parts > 0 && item % parts == which);
}

bool harness_is_sampled(int item)
{
    const int every = harness_sample();
    return every == 1 ? is_of_part(item) : item % every == (int)(sample_seed() % every);
}

int harness_round(void)
{
    const int every = harness_sample();
    return every == 1 ? 0 : (int)(sample_seed() / every % every);
}

void harness_add(TCase *tests, const TTest *test, int runs)
{
    static int number;
    for (int i = 0; i < runs; i++)
        if (harness_is_sampled(number++))
            tcase_add_loop_test(tests, test, i, i + 1);
}

int harness_shares(void)
{
    enum { SHARES = 10 };
    return getenv("DRUA_SAMPLE") || getenv("DRUA_PART") || getenv("DRUA_ONLY") ? 1 : SHARES;
}

bool harness_takes(int item, int share)
{
    return harness_is_sampled(item) && item % harness_shares() == share;
}

void harness_make_folder(char path[HARNESS_FOLDER])
{
    snprintf(path, HARNESS_FOLDER, "/tmp/drua-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(path));
}

char *harness_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file, "there is no file %s", path);
    fseek(file, 0, SEEK_END);
    const long bytes = ftell(file);
    char *text = reference_allocate((size_t)bytes + 1, 1);
    rewind(file);
    ck_assert_uint_eq(fread(text, 1, (size_t)bytes, file), (size_t)bytes);
    fclose(file);
    return text;
}

/* Forked tests share this counter with the process that started them. */
static atomic_int *skips;

void harness_skip(const char *reason, ...)
{
    va_list arguments;
    va_start(arguments, reason);
    printf("skipped: ");
    vprintf(reason, arguments);
    printf("\n");
    va_end(arguments);
    (*skips)++;
}

int harness_run(Suite *suite)
{
    enum { SKIPPED = 77 };
    skips = mmap(NULL, sizeof *skips, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (skips == MAP_FAILED)
        abort();
    /* line buffering: a forked test that fails must not print buffered text again */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : *skips ? SKIPPED : 0;
}
