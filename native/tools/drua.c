/* SPDX-License-Identifier: BSD-3-Clause */
/* drua devices | describe | version | bench: what the engine is, what it runs on and how fast. */
#include <drua/drua.h>

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list_devices(void)
{
    size_t count = drua_device_count();
    for (size_t i = 0; i < count; i++) {
        drua_device_info info;
        if (drua_device_describe(i, &info) == DRUA_OK)
            printf("%zu  %s (%s, %s, %.1f GB, %s)\n", i, info.name, info.platform, info.is_gpu ? "GPU" : "processor",
                   (double)info.global_memory / 1e9, info.version);
    }
    if (count)
        return 0;
    drua_context *context;
    if (drua_open(NULL, &context) == DRUA_OK)
        drua_close(context);
    fprintf(stderr, "%s\n", drua_error_message());
    return 1;
}

int main(int count, char **arguments)
{
    const char *verb = count > 1 ? arguments[1] : "";
    if (!strcmp(verb, "devices"))
        return list_devices();
    if (!strcmp(verb, "describe")) {
        fputs(drua_describe(), stdout);
        return 0;
    }
    if (!strcmp(verb, "version")) {
        puts(drua_version());
        return 0;
    }
    if (!strcmp(verb, "bench")) {
        int scale = count > 3 ? atoi(arguments[3]) : 1;
        if (count > 2 && !strcmp(arguments[2], "engine"))
            return drua_bench_engine(NULL, scale > 0 ? scale : 1);
        if (count > 2 && !strcmp(arguments[2], "chains"))
            return drua_bench_chains(NULL, scale > 0 ? scale : 1);
        return drua_bench(NULL, count > 2 && *arguments[2] ? arguments[2] : NULL, scale > 0 ? scale : 1);
    }
    fprintf(stderr, "usage: drua devices | describe | version | bench [PART OF A NAME | chains | engine [DIVISOR OF THE SIZES]]\n");
    return 2;
}
