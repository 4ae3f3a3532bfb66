/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The provider clFFT, a library that is opened if it is installed. The library's plans are global, and other code in
 * the process may use the library. Drua therefore destroys its plans one by one and never tears down the library. clFFT
 * allocates temporary images itself, which no budget counts.
 */
#include "provider.h"

#include "alloc.h"
#include "error.h"
#include "library.h"

#include <clFFT.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#if defined(_WIN32)
static const char *const candidates[] = {"clFFT.dll", NULL};
#elif defined(__APPLE__)
static const char *const candidates[] = {"libclFFT.2.dylib", "libclFFT.dylib", NULL};
#else
static const char *const candidates[] = {"libclFFT.so.2", "libclFFT.so", NULL};
#endif

#define FUNCTIONS(F)                                                                                                   \
    F(clfftSetup) F(clfftGetVersion) F(clfftCreateDefaultPlan) F(clfftDestroyPlan) F(clfftSetPlanPrecision)            \
    F(clfftSetLayout) F(clfftSetResultLocation) F(clfftSetPlanInStride) F(clfftSetPlanOutStride)                       \
    F(clfftSetPlanDistance) F(clfftBakePlan) F(clfftEnqueueTransform)

enum { AXES = 3 };

static struct {
#define F(name) __typeof__(&name) name;
    FUNCTIONS(F)
#undef F
} functions;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

typedef struct clfft_state {
    drua_device *device;
    drua_handles handles;
    clfftPlanHandle forward, inverse;
    bool has_forward, has_inverse;
} clfft_state;

static void load_clfft(void)
{
    void *library = drua_library_open(candidates);
    if (!library)
        return;
#define F(name)                                                                                                        \
    if (!(*(void **)&functions.name = drua_library_find(library, #name)))                                              \
        return;
    FUNCTIONS(F)
#undef F
    const clfftSetupData setup = {.major = clfftVersionMajor, .minor = clfftVersionMinor, .patch = clfftVersionPatch};
    loaded = functions.clfftSetup(&setup) == CLFFT_SUCCESS;
}

static bool is_here(void)
{
    pthread_once(&once, load_clfft);
    return loaded;
}

static const char *clfft_version(void)
{
    static _Thread_local char text[48] = "clFFT";
    cl_uint major, minor, patch;
    if (is_here() && functions.clfftGetVersion(&major, &minor, &patch) == CLFFT_SUCCESS)
        snprintf(text, sizeof text, "clFFT %u.%u.%u", major, minor, patch);
    return text;
}

/*
 * clFFT's kernels number floats or complex numbers with unsigned 32-bit integers; Drua uses at most half of that range.
 */
static bool clfft_serves(const drua_device *device, drua_shape s)
{
    const drua_layout l = drua_fft_image(s);
    (void)device;
    return is_here() && fft_is_smooth(s.width) && fft_is_smooth(s.height) && fft_is_smooth(s.depth) &&
           (double)l.plane * (double)s.depth < INT32_MAX;
}

/*
 * Makes the library's plan for one direction; axes of one pixel are left out. Strides and distances are always given,
 * because the library's defaults are wrong for half spectra.
 */
static clfftStatus make_library_plan(clfft_state *p, drua_shape s, bool inverse, clfftPlanHandle *handle, bool *created)
{
    const drua_layout l = drua_fft_image(s);
    const bool real = s.width > 1;
    const int64_t pairs[AXES] = {1, l.row / 2, l.plane / 2};
    size_t lengths[AXES], in[AXES], out[AXES], axes = 0;
    for (int i = 0; i < AXES; i++)
        if (s.extent[i] > 1) {
            lengths[axes] = (size_t)s.extent[i];
            in[axes] = (size_t)(real && !inverse ? l.stride[i] : pairs[i]);
            out[axes] = (size_t)(real && inverse ? l.stride[i] : pairs[i]);
            axes++;
        }
    const size_t all = (size_t)(l.plane * s.depth);
    const clfftLayout half = real ? CLFFT_HERMITIAN_INTERLEAVED : CLFFT_COMPLEX_INTERLEAVED,
                      full = real ? CLFFT_REAL : CLFFT_COMPLEX_INTERLEAVED;
    clfftStatus status = functions.clfftCreateDefaultPlan(handle, p->handles.context, (clfftDim)axes, lengths);
    *created = status == CLFFT_SUCCESS;
#define THEN(call) status = status == CLFFT_SUCCESS ? functions.call : status
    THEN(clfftSetPlanPrecision(*handle, CLFFT_SINGLE));
    THEN(clfftSetLayout(*handle, inverse ? half : full, inverse ? full : half));
    THEN(clfftSetResultLocation(*handle, CLFFT_INPLACE));
    THEN(clfftSetPlanInStride(*handle, (clfftDim)axes, in));
    THEN(clfftSetPlanOutStride(*handle, (clfftDim)axes, out));
    THEN(clfftSetPlanDistance(*handle, real && !inverse ? all : all / 2, real && inverse ? all : all / 2));
    THEN(clfftBakePlan(*handle, 1, &p->handles.queue, NULL, NULL));
#undef THEN
    return status;
}

static void clfft_discard(void *state)
{
    clfft_state *p = state;
    if (p->has_forward)
        functions.clfftDestroyPlan(&p->forward);
    if (p->has_inverse)
        functions.clfftDestroyPlan(&p->inverse);
    drua_free(p);
}

static drua_status make_clfft(drua_device *device, drua_shape shape, bool convolves, bool later, void **state)
{
    (void)convolves;
    (void)later;
    clfft_state *p = drua_alloc(sizeof *p);
    if (!p)
        return drua_fail_memory(sizeof *p);
    p->device = device;
    p->handles = drua_device_handles(device);
    drua_signals_save();
    clfftStatus status = make_library_plan(p, shape, false, &p->forward, &p->has_forward);
    if (status == CLFFT_SUCCESS)
        status = make_library_plan(p, shape, true, &p->inverse, &p->has_inverse);
    drua_signals_restore();
    if (status != CLFFT_SUCCESS) {
        clfft_discard(p);
        return drua_fail(DRUA_E_DEVICE, "%s has no transform for %lld x %lld x %lld (%d)", clfft_version(),
                         (long long)shape.width, (long long)shape.height, (long long)shape.depth, (int)status);
    }
    *state = p;
    return DRUA_OK;
}

static drua_status clfft_transform(void *state, drua_buffer *work, bool inverse)
{
    clfft_state *p = state;
    cl_mem memory;
    DRUA_TRY(drua_buffer_handle(work, &memory));
    drua_signals_save();
    const clfftStatus status =
        functions.clfftEnqueueTransform(inverse ? p->inverse : p->forward, inverse ? CLFFT_BACKWARD : CLFFT_FORWARD, 1,
                                        &p->handles.queue, 0, NULL, NULL, &memory, NULL, NULL);
    drua_signals_restore();
    drua_device_statistics(p->device)->launches++;
    if (status == CLFFT_SUCCESS)
        return DRUA_OK;
    return drua_device_answers(p->device)
               ? drua_fail(DRUA_E_DEVICE, "%s could not send a transform (%d)", clfft_version(), (int)status)
               : DRUA_E_DEVICE;
}

const fft_provider fft_clfft = {
    .name = "clfft",
    .number = 2,
    .version = clfft_version,
    .is_here = is_here,
    .serves = clfft_serves,
    .make = make_clfft,
    .discard = clfft_discard,
    .transform = clfft_transform,
};
