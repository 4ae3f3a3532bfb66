/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRUA_API_TIME_DEVICES_H
#define DRUA_API_TIME_DEVICES_H

/*
 * If this computer has several GPUs, measures and stores the memory bandwidth of each that has no stored one. Only the
 * first call of the process does so. Takes about one second per GPU.
 */
void drua_time_devices(void);

#endif
