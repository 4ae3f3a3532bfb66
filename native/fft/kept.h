/* SPDX-License-Identifier: BSD-3-Clause */
/* The cached transforms of fft.c, for the files that make, test and use them. */
#ifndef DRUA_FFT_KEPT_H
#define DRUA_FFT_KEPT_H

#include "provider.h"

enum { FFT_KEPT = DRUA_FFT_CHOICES };

typedef struct fft_kept {
    drua_shape shape;
    const fft_provider *provider;
    void *state;
    const fft_provider *candidate; /* may be faster, and is measured once its programs are compiled; NULL: none */
    void *candidate_state;
    bool convolves; /* convolutions will be requested */
    bool convolution_tried, fused;
    uint64_t last_use;
    /*
     * number of the provider that was requested when the transform was made, even if it refused and another provider is
     * used; -1: none
     */
    int requested_provider;
    bool measured;
    char refused[256];
} fft_kept;

struct drua_fft {
    drua_device *device;
    fft_kept kept[FFT_KEPT];
    uint64_t uses;
    drua_fft_memory memory;
    char note[512];
};

#define LAUNCH_FFT(fft, name, nx, ny, nz, gx, gy, ...)                                                                 \
    drua_device_launch((fft)->device, name, GRID(nx, ny, nz, gx, gy, 1),                                               \
                       (const drua_arg[]){__VA_ARGS__, {.kind = DRUA_LAUNCH_END}})

/*
 * Whether the environment variable DRUA_FFT has the value `what`. "steps" launches the passes of a convolution one by
 * one, for comparison. "builtin", "vkfft" or "clfft" names the provider. "measure" takes the fastest provider for each
 * extent, regardless of how long it takes to create the transforms.
 */
bool fft_wants(const char *what);

/* One pixel, which is its own transform. */
bool fft_is_point(drua_shape shape);

/* Bytes of the work image of a transform. */
uint64_t fft_work_bytes(drua_shape shape);

drua_status fft_transform(drua_fft *fft, fft_kept *kept, drua_buffer *work, bool inverse);

/* The provider's own convolution, with all buffers on the device. */
drua_status fft_convolve_at_once(drua_fft *fft, fft_kept *kept, drua_buffer *from, drua_buffer *kernel, drua_buffer *to,
                                 bool correlate);
drua_status fft_convolve_in_steps(drua_fft *fft, fft_kept *kept, drua_buffer *from, drua_buffer *kernel,
                                  drua_buffer *to, bool correlate);

/* Fails if the transform, or its fused convolution, is wrong. */
drua_status fft_test(drua_fft *fft, fft_kept *kept, bool convolution);

/* Fills the work image with the test image, which measurements use, too. */
drua_status fft_fill_test_image(drua_fft *fft, drua_shape shape, drua_buffer *work);

/* Number of the provider that is requested for this extent; -1: none. */
int fft_requested_provider(const drua_fft_request *request);

/* Creates the transform with a provider that accepts it, and possibly a candidate that could be faster. */
drua_status fft_make(const drua_fft_request *request, fft_kept *kept);

/* Measures the provider and the candidate, once the candidate's programs are compiled, and keeps the faster one. */
drua_status fft_autotune(const drua_fft_request *request, fft_kept *kept);

/* Whether a failure is the provider's: a lack of memory or a lost device is not. */
bool fft_is_refusal(const drua_fft *fft, drua_status status);
void fft_note_refusal(fft_kept *kept, const fft_provider *provider);

#endif
