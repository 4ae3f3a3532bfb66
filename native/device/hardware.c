/* SPDX-License-Identifier: BSD-3-Clause */
#include "hardware.h"

#include <stdio.h>
#include <stdlib.h>

static const drua_hardware nvidia = {"NVIDIA", "nvidia-opencl-icd"}, amd = {"AMD", "rocm-opencl-icd"},
                           intel = {"Intel", "intel-opencl-icd"};

static FILE *open_below(const char *root, const char *file)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s%s", root, file);
    return length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
}

/* Cards report their vendor's number on the PCI bus; the first card that Linux may compute with is renderD128. */
static const drua_hardware *vendor_of_card(const char *root, int card)
{
    char path[64], text[16] = "";
    snprintf(path, sizeof path, "/sys/class/drm/renderD%d/device/vendor", card);
    FILE *file = open_below(root, path);
    if (!file)
        return NULL;
    const char *line = fgets(text, sizeof text, file);
    fclose(file);
    switch (line ? strtol(line, NULL, 16) : 0) {
    case 0x10de: return &nvidia;
    case 0x1002: return &amd;
    case 0x8086: return &intel;
    default: return NULL;
    }
}

const drua_hardware *drua_hardware_gpu(const char *root)
{
    enum { FIRST_CARD = 128, CARDS = 16 };
    /* exists in containers, which hide the cards */
    FILE *in_container = open_below(root, "/proc/driver/nvidia/version");
    if (in_container) {
        fclose(in_container);
        return &nvidia;
    }
    const drua_hardware *found = NULL;
    for (int card = FIRST_CARD; card < FIRST_CARD + CARDS; card++) {
        const drua_hardware *vendor = vendor_of_card(root, card);
        if (vendor && (!found || found == &intel)) /* a separate GPU is preferred to one in the CPU */
            found = vendor;
    }
    return found;
}
