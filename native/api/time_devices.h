/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_API_TIME_DEVICES_H
#define DRUA_API_TIME_DEVICES_H

/*
 * Times every GPU that was never timed on this computer if it has several; runs once per process. Takes at most one
 * second per GPU.
 */
void drua_time_devices(void);

#endif
