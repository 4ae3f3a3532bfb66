/* SPDX-License-Identifier: BSD-3-Clause */
#include "context.h"

#include "describe.h"
#include "error.h"
#include "measure.h"
#include "registry.h"

size_t drua_operation_count(void)
{
    size_t count = 0;
    while (drua_op_table[count])
        count++;
    return count;
}

const char *drua_operation_name(size_t operation)
{
    return operation < drua_operation_count() ? drua_op_table[operation]->name : NULL;
}

const char *drua_operation_category(size_t operation)
{
    return operation < drua_operation_count() ? drua_op_table[operation]->category : NULL;
}

int drua_operation_reads_part(size_t operation)
{
    return operation < drua_operation_count() && (drua_op_table[operation]->traits & DRUA_READS_PART) != 0;
}

drua_status drua_operation_parameter_sized(size_t operation, size_t parameter, drua_parameter_info *info, size_t size)
{
    if (operation >= drua_operation_count() || parameter >= drua_op_table[operation]->param_count)
        return drua_fail(DRUA_E_ARGUMENT, "there is no parameter %zu of operation %zu", parameter, operation);
    const drua_param *p = &drua_op_table[operation]->params[parameter];
    const drua_parameter_info whole = {
        p->name,    p->doc,     drua_kind_name(p->kind), p->unit ? p->unit : "", p->has_range,
        p->minimum, p->maximum, p->default_value,        p->default_text};
    drua_copy_known(info, size, &whole, sizeof whole);
    return DRUA_OK;
}

drua_status drua_measure_arithmetic(drua_context *context, double *operations_per_second)
{
    DRUA_TRY(drua_enter(context));
    drua_status status = drua_engine_measure_arithmetic(&context->engine, operations_per_second);
    drua_leave(context);
    return status;
}

drua_status drua_measure_copy(drua_context *context, uint64_t bytes, double *bytes_per_second)
{
    DRUA_TRY(drua_enter(context));
    drua_status status = drua_engine_measure_copy(&context->engine, bytes, bytes_per_second);
    drua_leave(context);
    return status;
}
