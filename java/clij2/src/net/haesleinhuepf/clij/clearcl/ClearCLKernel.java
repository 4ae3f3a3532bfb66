// SPDX-License-Identifier: BSD-3-Clause
package net.haesleinhuepf.clij.clearcl;

/** Part of CLIJ2's signatures only: Drua gives no kernels to programs, so methods take and return null. */
public final class ClearCLKernel {
    private ClearCLKernel() {}
}
