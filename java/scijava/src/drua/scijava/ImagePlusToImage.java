// SPDX-License-Identifier: BSD-3-Clause
package drua.scijava;

import drua.Image;
import ij.ImagePlus;
import org.scijava.convert.Converter;
import org.scijava.plugin.Plugin;

/** Copies an image of ImageJ to the shared device. */
@Plugin(type = Converter.class)
public final class ImagePlusToImage extends ImageConverter<ImagePlus, Image> {
    public ImagePlusToImage() {
        super(ImagePlus.class, Image.class);
    }

    @Override
    Image converted(ImagePlus image) {
        return Shared.drua().push(image);
    }
}
