/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * These macros call functions that fill a structure, and pass the size of the structure in the caller's header. If the
 * library knows more or fewer members, the function fills those that both know. drua.h includes this file.
 */
#ifndef DRUA_SIZED_H
#define DRUA_SIZED_H

#define drua_context_device(context, info)       drua_context_device_sized(context, info, sizeof(drua_device_info))
#define drua_device_describe(index, info)        drua_device_describe_sized(index, info, sizeof(drua_device_info))
#define drua_get_info(context, image, info)      drua_get_info_sized(context, image, info, sizeof(drua_image_info))
#define drua_get_statistics(context, statistics) drua_get_statistics_sized(context, statistics, sizeof(drua_statistics))
#define drua_invoke_part(context, operation, arguments, count, part)                                                   \
    drua_invoke_part_sized(context, operation, arguments, count, part, sizeof(drua_part))
#define drua_operation_parameter(operation, parameter, info)                                                           \
    drua_operation_parameter_sized(operation, parameter, info, sizeof(drua_parameter_info))

#endif
