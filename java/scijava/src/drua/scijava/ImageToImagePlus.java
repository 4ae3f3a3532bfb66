// SPDX-License-Identifier: BSD-3-Clause
package drua.scijava;

import drua.Image;
import ij.ImagePlus;
import org.scijava.convert.Converter;
import org.scijava.plugin.Plugin;

/** Copies an image of a device to ImageJ. */
@Plugin(type = Converter.class)
public final class ImageToImagePlus extends ImageConverter<Image, ImagePlus> {
    public ImageToImagePlus() {
        super(Image.class, ImagePlus.class);
    }

    @Override
    ImagePlus converted(Image image) {
        return image.getDrua().pull(image);
    }
}
