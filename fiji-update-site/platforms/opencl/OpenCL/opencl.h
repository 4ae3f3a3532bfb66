/* SPDX-License-Identifier: BSD-3-Clause */
/* VkFFT asks for it by the name of Apple's framework. */
#include <CL/cl.h>
