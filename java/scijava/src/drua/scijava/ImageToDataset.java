// SPDX-License-Identifier: BSD-3-Clause
package drua.scijava;

import drua.Image;
import net.imagej.Dataset;
import net.imagej.DatasetService;
import org.scijava.convert.Converter;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

/** Copies an image of a device to a Dataset of ImageJ2. */
@Plugin(type = Converter.class)
public final class ImageToDataset extends ImageConverter<Image, Dataset> {
    @Parameter private DatasetService service;

    public ImageToDataset() {
        super(Image.class, Dataset.class);
    }

    @Override
    Dataset converted(Image image) {
        return (Dataset) image.getDrua().pullDataset(image, "Drua", service);
    }
}
