/* SPDX-License-Identifier: BSD-3-Clause */
/* The libraries that are built in. */
#include "provider.h"

const fft_provider *const fft_providers[] = {
#if defined(DRUA_VKFFT)
    &fft_vkfft,
#endif
    &fft_built_in,
#if defined(DRUA_CLFFT)
    &fft_clfft,
#endif
    NULL,
};

bool drua_fft_is_available(void)
{
    for (const fft_provider *const *at = fft_providers; *at; at++)
        if (!(*at)->is_here || (*at)->is_here())
            return true;
    return false;
}
