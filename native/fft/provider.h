/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interface between fft.c and a library of transforms. Images with a width above 1 are real. Images of width 1 are
 * transformed in place as complex numbers.
 */
#ifndef DRUA_FFT_PROVIDER_H
#define DRUA_FFT_PROVIDER_H

#include "arguments.h"
#include "fft.h"
#include "handles.h"

typedef struct fft_provider {
    const char *name;       /* name in DRUA_FFT */
    int number;             /* number by which the fastest library is remembered */
    bool is_quick; /* transforms are made quickly, so measuring costs little */
    bool is_ours;           /* its kernels are sent like all others of the engine */
    const char *(*version)(void);
    bool (*is_here)(void);                  /* NULL: it is built in */
    /* Whether the library supports this extent on this device at all. */
    bool (*serves)(const drua_device *device, drua_shape shape);
    /* `convolves`: make_convolution follows, so its programs may start compiling. `later`: no caller waits for it. */
    drua_status (*make)(drua_device *device, drua_shape shape, bool convolves, bool later, void **state);
    /* returns whether all programs that were begun are compiled; NULL: the library cannot be a candidate */
    bool (*is_ready)(void *state);
    void (*discard)(void *state);
    uint64_t (*kept_bytes)(void *state, bool on_host); /* of its buffers until discard; may be NULL */
    drua_status (*transform)(void *state, drua_buffer *work, bool inverse);
    /* NULL, or a function that may fail. Without a convolution, the transforms are sent one by one. */
    drua_status (*make_convolution)(void *state);
    drua_status (*convolve)(void *state, drua_buffer *from, drua_buffer *kernel, drua_buffer *to, bool correlate);
    /* Parts of a convolution, see fft.h. All may be NULL. */
    drua_status (*rows)(void *state, drua_buffer *from, drua_buffer *to);
    drua_status (*columns)(void *state, drua_buffer *work, drua_buffer *kernel, bool correlate);
    drua_status (*join)(void *state, drua_buffer *work, const char *kernel, const char *constants,
                        const drua_arg *arguments, bool ahead);
} fft_provider;

#define VIEW(buffer, layout) ARG(((drua_view){buffer, layout}))
#define BUFFER(buffer_) POINTER(((drua_view){.buffer = (buffer_)}))

/* Layout of the half spectrum of an image that has the layout drua_fft_image. */
drua_layout drua_fft_spectrum(drua_shape shape);

/* Whether all prime factors are at most 13. For other extents, libraries compute the transform by a longer one. */
bool fft_is_smooth(int64_t extent);

/* Ends with NULL; in the order of trust. */
extern const fft_provider *const fft_providers[];
extern const fft_provider fft_built_in, fft_vkfft, fft_clfft;

#endif
