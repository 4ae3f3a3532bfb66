/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_API_TIME_DEVICES_H
#define DRUA_API_TIME_DEVICES_H

/* Where there are several GPUs, times those that were never timed on this computer, once a process. Takes a second for
 * each at most. */
void drua_time_devices(void);

#endif
