// SPDX-License-Identifier: BSD-3-Clause
package drua;

/**
 * Makes an image from an image. Jython passes a function for an interface of one method that extends no other
 * interface, so Java's own interfaces cannot be used.
 */
public interface ImageFunction {
    /** @return the result, which belongs to the caller */
    Image apply(Image image);
}
