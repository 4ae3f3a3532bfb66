/* SPDX-License-Identifier: BSD-3-Clause */
/* What a library of transforms must do for fft.c. Extents of which x is above 1 are real; where x is 1, complex in
 * place. */
#ifndef DRUA_FFT_PROVIDER_H
#define DRUA_FFT_PROVIDER_H

#include "arguments.h"
#include "fft.h"
#include "handles.h"

typedef struct fft_provider {
    const char *name;       /* as DRUA_FFT names it */
    int number;             /* by which the fastest one is remembered */
    bool is_quick;          /* to make plans, so that measuring it costs little */
    bool is_ours;           /* its kernels are sent as all others of the engine are */
    const char *(*version)(void);
    bool (*is_here)(void);                  /* NULL: it is built in */
    /* Whether it can be used on this device for this extent at all. */
    bool (*serves)(const drua_device *device, drua_shape shape);
    /* `convolves`: make_convolution follows, so what that compiles may begin. `later`: nobody waits for it. */
    drua_status (*make)(drua_device *device, drua_shape shape, bool convolves, bool later, void **state);
    bool (*is_ready)(void *state);          /* all that is begun is compiled; NULL: it can be no candidate */
    void (*discard)(void *state);
    uint64_t (*kept_bytes)(void *state);    /* in buffers of the device, for as long as the plan lives; may be NULL */
    drua_status (*transform)(void *state, drua_buffer *work, bool inverse);
    /* May be NULL, or fail to be made: then the transforms are sent one by one. */
    drua_status (*make_convolution)(void *state);
    drua_status (*convolve)(void *state, drua_buffer *from, drua_buffer *kernel, drua_buffer *to, bool correlate);
    /* May be NULL, all of them: the parts of a convolution, see fft.h. */
    drua_status (*rows)(void *state, drua_buffer *from, drua_buffer *to);
    drua_status (*columns)(void *state, drua_buffer *work, drua_buffer *kernel, bool correlate);
    drua_status (*join)(void *state, drua_buffer *work, const char *kernel, const char *constants,
                        const drua_arg *arguments, bool ahead);
} fft_provider;

#define VIEW(buffer, layout) ARG(((drua_view){buffer, layout}))
#define BUFFER(buffer_) POINTER(((drua_view){.buffer = (buffer_)}))

/* Whether prime factors up to 13 suffice, so that no transform goes by way of a longer one. */
bool fft_is_smooth(int64_t extent);

/* Ends with NULL; in the order of trust. */
extern const fft_provider *const fft_providers[];
extern const fft_provider fft_built_in, fft_vkfft, fft_clfft;

#endif
