/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms and convolutions, with the small kernels before, between and after those of a provider. */
#include "kept.h"

#include "error.h"

/* Clears the unused second number of each pair in rows of width 1. */
static drua_status make_real(drua_fft *fft, drua_shape s, drua_buffer *work)
{
    if (s.width > 1)
        return DRUA_OK;
    return LAUNCH_FFT(fft, "fft_make_real", s.height, s.depth, 1, 32, 1, VIEW(work, drua_fft_spectrum(s)));
}

static drua_status multiply_spectra(drua_fft *fft, drua_shape s, drua_buffer *work, drua_buffer *kernel, bool conjugate)
{
    return LAUNCH_FFT(fft, "fft_multiply", s.width / 2 + 1, s.height, s.depth, 32, 4, VIEW(work, drua_fft_spectrum(s)),
                      VIEW(kernel, drua_fft_spectrum(s)), INT(conjugate));
}

/*
 * Launches a kernel of Drua before or after a library's kernels, because the engine orders transfers only by its own
 * kernels.
 */
static drua_status touch_buffers(drua_fft *fft, const fft_kept *p, drua_buffer *a, drua_buffer *b, drua_buffer *c)
{
    if (p->provider->is_ours)
        return DRUA_OK;
    return LAUNCH_FFT(fft, "fft_touch", 1, 1, 1, 1, 1, BUFFER(a), BUFFER(b), BUFFER(c));
}

/*
 * If a provider fails, Drua does not know when its last kernels complete. It therefore waits for the device before it
 * frees their buffers.
 */
static drua_status end_sending(drua_fft *fft, drua_status status)
{
    const drua_handles handles = drua_device_handles(fft->device);
    if (status != DRUA_OK)
        handles.cl->clFinish(handles.queue);
    return status;
}

drua_status fft_transform(drua_fft *fft, fft_kept *p, drua_buffer *work, bool inverse)
{
    if (!inverse)
        DRUA_TRY(make_real(fft, p->shape, work));
    if (fft_is_point(p->shape))
        return DRUA_OK;
    DRUA_TRY(drua_buffer_pin(work));
    drua_status status = touch_buffers(fft, p, work, work, work);
    if (status == DRUA_OK)
        status = p->provider->transform(p->state, work, inverse);
    if (status == DRUA_OK)
        status = touch_buffers(fft, p, work, work, work);
    drua_buffer_unpin(work);
    return end_sending(fft, status);
}

drua_status fft_convolve_at_once(drua_fft *fft, fft_kept *p, drua_buffer *from, drua_buffer *kernel, drua_buffer *to,
                                 bool correlate)
{
    drua_buffer *const buffers[] = {from, kernel, to};
    int pinned = 0;
    drua_status status = DRUA_OK;
    while (status == DRUA_OK && pinned < 3)
        if ((status = drua_buffer_pin(buffers[pinned])) == DRUA_OK)
            pinned++;
    if (status == DRUA_OK)
        status = touch_buffers(fft, p, from, kernel, to);
    if (status == DRUA_OK)
        status = p->provider->convolve(p->state, from, kernel, to, correlate);
    if (status == DRUA_OK)
        status = touch_buffers(fft, p, from, kernel, to);
    while (pinned > 0)
        drua_buffer_unpin(buffers[--pinned]);
    return end_sending(fft, status);
}

static drua_status copy_image(drua_fft *fft, drua_shape s, drua_buffer *from, drua_buffer *to)
{
    const drua_layout all = drua_fft_spectrum(s);
    if (from == to)
        return DRUA_OK;
    return LAUNCH_FFT(fft, "fft_copy", all.width / 2, s.height, s.depth, 32, 4, VIEW(from, all), VIEW(to, all));
}

drua_status fft_convolve_in_steps(drua_fft *fft, fft_kept *p, drua_buffer *from, drua_buffer *kernel, drua_buffer *to,
                                  bool correlate)
{
    DRUA_TRY(copy_image(fft, p->shape, from, to));
    DRUA_TRY(fft_transform(fft, p, to, false));
    DRUA_TRY(multiply_spectra(fft, p->shape, to, kernel, correlate));
    return fft_transform(fft, p, to, true);
}
