// SPDX-License-Identifier: BSD-3-Clause
package drua;

/**
 * Makes an image from an image. Jython converts a function only to an interface that has a single method and extends no
 * other interface, so Java's UnaryOperator cannot be used.
 */
public interface ImageFunction {
    /** @return the result, which belongs to the caller */
    Image apply(Image image);
}
