// SPDX-License-Identifier: BSD-3-Clause
package drua.scijava;

import drua.Image;
import net.imagej.Dataset;
import org.scijava.convert.Converter;
import org.scijava.plugin.Plugin;

/** Copies a Dataset of ImageJ2 with one channel and frame to the shared device. */
@Plugin(type = Converter.class)
public final class DatasetToImage extends ImageConverter<Dataset, Image> {
    public DatasetToImage() {
        super(Dataset.class, Image.class);
    }

    @Override
    Image converted(Dataset image) {
        return Shared.drua().push((Object) image);
    }
}
