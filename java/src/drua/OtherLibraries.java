// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.util.function.Supplier;

/** Calls the classes that handle images of ImgLib2 and ImageJ2, and reports if the jars of a library are missing. */
final class OtherLibraries {
    private OtherLibraries() {}

    /**
     * Pushes an image of ImgLib2 or ImageJ2; returns null for other objects.
     *
     * @param channel of a Dataset, from 1 on, or 0 if the image must have only one
     * @param frame same as channel
     */
    static Image push(Drua drua, Object image, int channel, int frame) {
        if (isFound(() -> ImageJ2.isDataset(image)))
            return ImageJ2.push(drua, image, channel, frame);
        if (channel > 0)
            return null;
        if (isFound(() -> Labelings.isLabeling(image)))
            return Labelings.push(drua, image);
        return isFound(() -> ImgLib2.isInterval(image)) ? ImgLib2.push(drua, image) : null;
    }

    /** False without the library, since then no image can be one of its images. */
    private static boolean isFound(Supplier<Boolean> isOfLibrary) {
        try {
            return isOfLibrary.get();
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }

    /**
     * Calls a method that needs a library. The result has the type Object, because javac compiles each lambda in Drua
     * to a method of Drua. Jython and Groovy read the types of all these methods, even if the library is missing.
     *
     * @param sentence the error message if the library is missing
     */
    static Object need(String sentence, Supplier<Object> call) {
        try {
            return call.get();
        } catch (NoClassDefFoundError e) {
            throw new DruaException(sentence);
        }
    }
}
