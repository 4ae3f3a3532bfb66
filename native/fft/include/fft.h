/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms of real float32 images, in place. An image of w x h x d lies in rows of 2 (w / 2 + 1) floats, of
 * which the transform leaves w / 2 + 1 complex numbers: the half spectrum, x = 0 ... w / 2. Any extent, also 1 and
 * primes. Called under the context's lock; nothing waits but the first use of an extent, which tests what it made.
 */
#ifndef DRUA_FFT_H
#define DRUA_FFT_H

#include "device.h"

/** The plans of one device. */
typedef struct drua_fft drua_fft;

drua_status drua_fft_open(drua_device *device, drua_fft **fft);
void drua_fft_close(drua_fft *fft);

/** Where it is kept which library is the fastest for a kind of extents (a word) of so many pixels, by its number. */
typedef struct drua_fft_memory {
    int (*recall)(void *payload, const char *kind, int64_t pixels);     /* -1: not known */
    void (*keep)(void *payload, const char *kind, int64_t pixels, int number);
    void *payload;
    int64_t least;      /* pixels: less is over before its time is worth knowing */
} drua_fft_memory;

/**
 * Without it the first library that passes its test is used; with it GPUs measure, once for a kind: a plan begins with
 * what is compiled soonest, and what may be faster is compiled meanwhile and compared by drua_fft_prepare.
 */
void drua_fft_remember(drua_fft *fft, drua_fft_memory memory);

/** Which libraries transform which extents, by their numbers. */
enum { DRUA_FFT_CHOICES = 12 };
typedef struct drua_fft_choices {
    drua_shape shapes[DRUA_FFT_CHOICES];
    int numbers[DRUA_FFT_CHOICES];
    int count;
} drua_fft_choices;

/** What the plans are made of now; NULL: there are none. */
drua_fft_choices drua_fft_chosen(const drua_fft *fft);

/**
 * From here on those libraries serve and nothing is compared, so that several devices of a kind give the same bits; for
 * other extents the first one that passes its test. Borrowed; NULL: each device chooses for itself again.
 */
void drua_fft_follow(drua_fft *fft, const drua_fft_choices *choices);

/** Device memory that the tables of kept plans take. */
uint64_t drua_fft_kept_bytes(const drua_fft *fft);

/** Whether any library of transforms is here. */
bool drua_fft_is_there(void);

/** The smallest number of at least `least` without prime factors above 7. */
int64_t drua_fft_extent(int64_t least);

/** How a real image of that extent lies before the transform, and its half spectrum after. */
drua_layout drua_fft_image(drua_shape shape);
drua_layout drua_fft_spectrum(drua_shape shape);

/**
 * Makes and tests what forward, inverse and convolve need, while memory is free for the test. Only here another library
 * may take the place of the one that was there: between this call and an operation's end all is done by the same one.
 */
drua_status drua_fft_prepare(drua_fft *fft, drua_shape shape, bool convolution);

drua_status drua_fft_forward(drua_fft *fft, drua_shape shape, drua_buffer *work);

/** Scaled, so that it undoes forward. The spectrum is overwritten. */
drua_status drua_fft_inverse(drua_fft *fft, drua_shape shape, drua_buffer *work);

/** to = inverse(forward(from) * kernel), or with the kernel's conjugate, which correlates. `from` may be `to`. */
drua_status drua_fft_convolve(drua_fft *fft, drua_shape shape, drua_buffer *from, drua_buffer *kernel, drua_buffer *to,
                              bool correlate);

/**
 * Convolutions that follow each other, with the caller's work between two of them in the same kernel; see plan_fft_join
 * in plan.h. `rows` transforms the rows of an image. `columns` does the rest of a convolution but for the transform of
 * rows back. The kernel of `join`, below kernels/specialized, does that one, then the caller's work, then transforms
 * rows again. Its constants stand before those of the transform, its arguments after the work image, the roots of unity
 * and the scale. `ahead`: a thread begins to compile it, and it is not launched. drua_fft_joins: whether the plan can,
 * after drua_fft_prepare; not while a candidate may replace it, as such kernels take longest to compile.
 */
bool drua_fft_joins(drua_fft *fft, drua_shape shape);
drua_status drua_fft_rows(drua_fft *fft, drua_shape shape, drua_buffer *from, drua_buffer *to);
drua_status drua_fft_columns(drua_fft *fft, drua_shape shape, drua_buffer *work, drua_buffer *kernel, bool correlate);
drua_status drua_fft_join(drua_fft *fft, drua_shape shape, drua_buffer *work, const char *kernel, const char *constants,
                          const drua_arg *arguments, bool ahead);

/** Who does the transforms of that extent, and what was refused: "VkFFT 1.2.26, joined passes". Valid until the next
 * call. */
const char *drua_fft_note(drua_fft *fft, drua_shape shape);

#endif
