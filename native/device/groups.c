/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes of work-groups. Drivers limit them for the device and along each axis, and further for kernels that need many
 * registers. The results of some kernels depend on the group size; for all others, it only affects speed.
 */
#include "internal.h"

#include "error.h"
#include "sources.h"

#include <string.h>

/* A macro of Drua's kernels whose text refers to work-groups. */
typedef struct macro {
    const char *name;
    size_t length;
} macro;

enum { MAX_MACROS = 128 };

static macro macros[MAX_MACROS];
static size_t macro_count;

static bool contains_word(const char *from, const char *end, const char *word, size_t length, bool whole)
{
    for (const char *at = from; (size_t)(end - at) >= length; at++)
        if (!memcmp(at, word, length) &&
            (!whole || ((at == from || !drua_is_in_name(at[-1])) && !drua_is_in_name(at[length]))))
            return true;
    return false;
}

static bool is_about_groups(const char *from, const char *end)
{
    static const char *const words[] = {"get_local_", "get_group_id",         "get_num_groups",
                                        "barrier(",   "reqd_work_group_size", "local "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (contains_word(from, end, words[i], strlen(words[i]), false))
            return true;
    for (size_t i = 0; i < macro_count; i++)
        if (contains_word(from, end, macros[i].name, macros[i].length, true))
            return true;
    return false;
}

static bool is_known(const char *name, size_t length)
{
    for (size_t i = 0; i < macro_count; i++)
        if (macros[i].length == length && !memcmp(macros[i].name, name, length))
            return true;
    return false;
}

static void find_macros_in(const char *text)
{
    static const char mark[] = "#define ";
    for (const char *at = strstr(text, mark); at && macro_count < MAX_MACROS; at = strstr(at, mark)) {
        const char *name = at + sizeof mark - 1, *end = name;
        const size_t length = strcspn(name, "( \n");
        while (*end && !(*end == '\n' && end[-1] != '\\'))
            end++;
        if (is_about_groups(name + length, end) && !is_known(name, length))
            macros[macro_count++] = (macro){name, length};
        at = end;
    }
}

/* Macros may use other macros. */
static void find_macros(void)
{
    size_t before;
    do {
        before = macro_count;
        for (const drua_source *s = drua_sources; s->family; s++)
            find_macros_in(s->text);
    } while (macro_count > before);
}

/*
 * Whether a kernel's result depends on its work-group. A kernel from a file ends at the first brace at the start of a
 * line; a generated kernel is its whole text.
 */
static bool has_groups(const drua_kernel *kernel)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_macros);
    const char *from = kernel->text ? kernel->text : kernel->name, *end = kernel->text ? NULL : strstr(from, "\n}");
    return is_about_groups(from, end ? end : from + strlen(from));
}

/* Returns a limit; a value that the driver does not report limits nothing. */
static size_t limit_or_none(cl_int code, size_t limit)
{
    return code == CL_SUCCESS && limit > 0 ? limit : SIZE_MAX;
}

/* NVIDIA's driver reports 256 for kernels that do not declare a group size, but runs them in larger groups. */
static bool tells_less_than_it_runs(const drua_device *device)
{
    return strstr(device->info.platform, "NVIDIA") != NULL;
}

void drua_kernel_ask_limit(const drua_device *device, drua_kernel *kernel, int variant)
{
    size_t max = 0;
    const cl_int code = device->cl->clGetKernelWorkGroupInfo(kernel->handle[variant], device->id,
                                                             CL_KERNEL_WORK_GROUP_SIZE, sizeof max, &max, NULL);
    kernel->max_items[variant] = tells_less_than_it_runs(device) ? SIZE_MAX : limit_or_none(code, max);
}

void drua_device_ask_axes(drua_device *device)
{
    size_t max[8] = {0};
    const cl_int code = device->cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof max, max, NULL);
    for (int i = 0; i < 3; i++)
        device->max_along[i] = limit_or_none(code, max[i]);
}

static size_t items_of(const int32_t group[3])
{
    return (size_t)group[0] * (size_t)group[1] * (size_t)group[2];
}

static bool allows_group(const drua_device *device, const drua_kernel *kernel, int variant, const int32_t group[3])
{
    for (int i = 0; i < 3; i++)
        if ((size_t)group[i] > device->max_along[i])
            return false;
    return items_of(group) <= kernel->max_items[variant];
}

drua_status drua_kernel_fit_group(const drua_device *device, const drua_kernel *kernel, int variant, int32_t group[3])
{
    if (allows_group(device, kernel, variant, group))
        return DRUA_OK;
    if (has_groups(kernel))
        return drua_fail(DRUA_E_DEVICE,
                         "%s runs at most %zu work-items of kernel %.*s in a group, and %zu x %zu x %zu along its "
                         "axes; the kernel needs %d x %d x %d, "
                         "so use another device",
                         device->info.name, kernel->max_items[variant], (int)kernel->length, kernel->name,
                         device->max_along[0], device->max_along[1], device->max_along[2], (int)group[0], (int)group[1],
                         (int)group[2]);
    for (int i = 0; i < 3; i++)
        while ((size_t)group[i] > device->max_along[i])
            group[i] /= 2;
    for (int i = 2; i >= 0; i--)
        while (group[i] > 1 && items_of(group) > kernel->max_items[variant])
            group[i] /= 2;
    return DRUA_OK;
}
