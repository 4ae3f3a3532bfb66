/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests a transform before it is used: transforms an image of two points, whose spectrum is known, forward and back. */
#include "kept.h"

#include "error.h"

#include <math.h>

enum { GROUP = 256, GROUPS = 256 };

/* Largest error for amplitudes of 1.5; rounding errors stay below 2e-6 in the longest transforms. */
static const float TOLERANCE = 2e-5f;

typedef struct place {
    int32_t x, y, z;
} place;

static place place_in(drua_shape s, int numerator, int denominator)
{
    return (place){(int32_t)(s.width * numerator / denominator), (int32_t)(s.height * numerator / denominator),
                   (int32_t)(s.depth * numerator / denominator)};
}

static place add_places(drua_shape s, place a, place b, int sign)
{
    return (place){(int32_t)((a.x + sign * b.x + s.width) % s.width),
                   (int32_t)((a.y + sign * b.y + s.height) % s.height),
                   (int32_t)((a.z + sign * b.z + s.depth) % s.depth)};
}

/* Numbers as in kernels/fft/transform.cl. */
typedef enum purpose { FILL, IMAGE, SPECTRUM } purpose;

/* Two points, and the memory that holds them as an image or as a spectrum of an image of this shape. */
typedef struct points {
    drua_shape shape;
    drua_buffer *work;
    place a, b;
} points;

static drua_status send_test(drua_fft *fft, purpose what, const points *of, drua_buffer *results)
{
    const drua_layout l = drua_fft_spectrum(of->shape);
    const place a = of->a, b = of->b;
    return LAUNCH_FFT(fft, "fft_test", GROUPS * GROUP, 1, 1, GROUP, 1, VIEW(of->work, l), INT(what),
                      INT(of->shape.width), INT(a.x), INT(a.y), INT(a.z), INT(b.x), INT(b.y), INT(b.z),
                      LONG(drua_layout_count(&l) / 2), BUFFER(results));
}

drua_status fft_fill_test_image(drua_fft *fft, drua_shape s, drua_buffer *work)
{
    return send_test(fft, FILL, &(points){s, work, place_in(s, 1, 3), place_in(s, 4, 5)}, work);
}

static drua_status judge_errors(drua_fft *fft, drua_buffer *errors, const char *what)
{
    float worst = 0, each[GROUPS];
    drua_view view = {errors, drua_layout_dense((drua_shape){GROUPS, 1, 1, 3}, DRUA_FLOAT32)};
    DRUA_TRY(drua_device_read(fft->device, view, each, sizeof each));
    for (int i = 0; i < GROUPS; i++)
        worst = each[i] > worst || isnan(each[i]) ? each[i] : worst;
    return worst < TOLERANCE ? DRUA_OK : drua_fail(DRUA_E_DEVICE, "its %s is off by %.1e", what, (double)worst);
}

static drua_status check_result(drua_fft *fft, purpose what, const points *expected, drua_buffer *errors,
                                const char *name)
{
    DRUA_TRY(send_test(fft, what, expected, errors));
    return judge_errors(fft, errors, name);
}

static drua_status test_transform(drua_fft *fft, fft_kept *p, drua_buffer *work, drua_buffer *errors)
{
    const drua_shape s = p->shape;
    const points filled = {s, work, place_in(s, 1, 3), place_in(s, 4, 5)};
    DRUA_TRY(fft_fill_test_image(fft, s, work));
    DRUA_TRY(fft_transform(fft, p, work, false));
    DRUA_TRY(check_result(fft, SPECTRUM, &filled, errors, "transform"));
    DRUA_TRY(fft_transform(fft, p, work, true));
    return check_result(fft, IMAGE, &filled, errors, "inverse transform");
}

/* Tests convolution: moves a point by a kernel of two points, and back. */
static drua_status test_convolution(drua_fft *fft, fft_kept *p, drua_buffer **work, drua_buffer *errors)
{
    const drua_shape s = p->shape;
    const place point = place_in(s, 1, 3), a = place_in(s, 1, 7), b = place_in(s, 3, 4);
    const place nowhere = {-1, -1, -1};
    DRUA_TRY(send_test(fft, FILL, &(points){s, work[1], a, b}, errors));
    DRUA_TRY(fft_transform(fft, p, work[1], false));
    for (int correlate = 0; correlate < 2; correlate++) {
        const int sign = correlate ? -1 : 1;
        const points moved = {s, work[2], add_places(s, point, a, sign), add_places(s, point, b, sign)};
        DRUA_TRY(send_test(fft, FILL, &(points){s, work[0], point, nowhere}, errors));
        DRUA_TRY(fft_convolve_at_once(fft, p, work[0], work[1], work[2], correlate));
        DRUA_TRY(check_result(fft, IMAGE, &moved, errors, correlate ? "correlation" : "convolution"));
    }
    return DRUA_OK;
}

drua_status fft_test(drua_fft *fft, fft_kept *p, bool convolution)
{
    enum { LIMIT = 3 };
    drua_buffer *work[LIMIT] = {0}, *errors = NULL;
    drua_status status = drua_buffer_make(fft->device, GROUPS * sizeof(float), &errors);
    for (int i = 0; i < (convolution ? LIMIT : 1) && status == DRUA_OK; i++)
        status = drua_buffer_make(fft->device, fft_work_bytes(p->shape), &work[i]);
    if (status == DRUA_OK)
        status = convolution ? test_convolution(fft, p, work, errors) : test_transform(fft, p, work[0], errors);
    for (int i = 0; i < LIMIT; i++)
        drua_buffer_release(work[i]);
    drua_buffer_release(errors);
    return status;
}
