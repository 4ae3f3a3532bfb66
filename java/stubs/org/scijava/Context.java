// SPDX-License-Identifier: BSD-3-Clause
package org.scijava;

/** A stub for compilation; Fiji provides the real class. Never packaged. */
public class Context {}
