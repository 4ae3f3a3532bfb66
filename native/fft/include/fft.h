/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms of real float32 images, in place. An image of w x h x d has rows of 2 (w / 2 + 1) floats. The
 * transform leaves w / 2 + 1 complex numbers in each row: the half spectrum, x = 0 ... w / 2. Any extent is allowed,
 * also 1 and primes. Callers hold the context's lock. Only the first use of an extent waits, because it tests the
 * transform.
 */
#ifndef DRUA_FFT_H
#define DRUA_FFT_H

#include "device.h"

/** The transforms of one device. */
typedef struct drua_fft drua_fft;

drua_status drua_fft_open(drua_device *device, drua_fft **fft);
void drua_fft_close(drua_fft *fft);

/** Callbacks that remember which library is the fastest for a kind of extents (a word) and about this many pixels. */
typedef struct drua_fft_memory {
    /* returns the library's number; -1: not known */
    int (*recall)(void *payload, const char *kind, int64_t pixels);
    void (*keep)(void *payload, const char *kind, int64_t pixels, int number);
    void *payload;
    int64_t min; /* pixels; smaller transforms are too short to be measured */
} drua_fft_memory;

/**
 * Sets the memory of fastest libraries. Without it, a transform uses the first library that passes its test. With it,
 * GPUs measure once per kind: a transform begins with the library that compiles fastest. Libraries that may run faster
 * are compiled meanwhile, and drua_fft_prepare compares them.
 */
void drua_fft_remember(drua_fft *fft, drua_fft_memory memory);

/** Libraries for certain extents, by number. */
enum { DRUA_FFT_CHOICES = 12 };
typedef struct drua_fft_choices {
    drua_shape shapes[DRUA_FFT_CHOICES];
    int numbers[DRUA_FFT_CHOICES];
    int count;
} drua_fft_choices;

/** The library of each extent that was transformed. */
drua_fft_choices drua_fft_chosen(const drua_fft *fft);

/** A request for transforms of one extent. */
typedef struct drua_fft_request {
    drua_fft *fft;
    drua_shape shape;
    /**
     * Libraries to use without comparing any, so that devices of one model give bit-identical results. Extents that the
     * list lacks use the first library that passes its test. NULL: free choice.
     */
    const drua_fft_choices *choices;
} drua_fft_request;

/** Memory of the tables of kept transforms, on the device or on the host. For tests. */
uint64_t drua_fft_kept_bytes(const drua_fft *fft, bool on_host);

/** Whether any library of transforms is available. */
bool drua_fft_is_available(void);

/** The smallest number of at least `min` without prime factors above 7. */
int64_t drua_fft_extent(int64_t min);

/** Layout of a real image of that extent before the transform. */
drua_layout drua_fft_image(drua_shape shape);

/**
 * Makes and tests what forward, inverse and convolve need while memory is free for the test. Only this function may
 * replace one library by another, so one library does everything from this call to the end of an operation.
 */
drua_status drua_fft_prepare(const drua_fft_request *request, bool convolution);

drua_status drua_fft_forward(const drua_fft_request *request, drua_buffer *work);

/** The inverse transform, scaled so that it undoes drua_fft_forward. Overwrites the spectrum. */
drua_status drua_fft_inverse(const drua_fft_request *request, drua_buffer *work);

/** to = inverse(forward(from) * kernel). With `correlate` it uses the conjugate of the kernel. `from` may be `to`. */
drua_status drua_fft_convolve(const drua_fft_request *request, drua_buffer *from, drua_buffer *kernel, drua_buffer *to,
                              bool correlate);

/**
 * Convolutions in sequence, in which one kernel also does the caller's work between two of them; see plan_fft_join in
 * plan.h. `rows` transforms the rows of an image. `columns` does the rest of a convolution except the inverse transform
 * of the rows. The kernel of `join`, below kernels/specialized, does that transform, then the caller's work, then the
 * forward transform of the rows. Its constants precede those of the transform, and its arguments follow the work image,
 * the roots of unity and the scale. `ahead`: starts to compile it in the background without launching it. After
 * drua_fft_prepare, drua_fft_joins returns whether the library of this extent can do this. It returns false while
 * another library may replace this one, because the kernels of `join` take longest to compile.
 */
bool drua_fft_joins(const drua_fft_request *request);
drua_status drua_fft_rows(const drua_fft_request *request, drua_buffer *from, drua_buffer *to);
drua_status drua_fft_columns(const drua_fft_request *request, drua_buffer *work, drua_buffer *kernel, bool correlate);
drua_status drua_fft_join(const drua_fft_request *request, drua_buffer *work, const char *kernel, const char *constants,
                          const drua_arg *arguments, bool ahead);

/**
 * The library for that extent, and the libraries that were refused: "VkFFT 1.2.26, fused passes". Valid until the next
 * call.
 */
const char *drua_fft_note(drua_fft *fft, drua_shape shape);

#endif
