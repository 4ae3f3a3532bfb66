// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.imagej.Selections;
import ij.ImagePlus;
import java.awt.Rectangle;
import java.util.Objects;

/** The displayed part of an image: its slice and the selection. */
public final class Place {
    public final ImagePlus image;
    public final int channel, slice, frame;
    /** The bounding box of the selection; null for the whole slice. */
    public final Rectangle part;

    public Place(ImagePlus image) {
        this(image, Selections.bounds(image));
    }

    private Place(ImagePlus image, Rectangle part) {
        this.image = image;
        channel = image.getChannel();
        slice = image.getSlice();
        frame = image.getFrame();
        this.part = part;
    }

    /** This place without the selection: the whole slice. */
    public Place whole() {
        return new Place(image, null);
    }

    /** The bounding box, or the whole slice. */
    public Rectangle bounds() {
        return part != null ? part : new Rectangle(image.getWidth(), image.getHeight());
    }

    @Override
    public boolean equals(Object object) {
        if (!(object instanceof Place))
            return false;
        Place other = (Place) object;
        return image == other.image && channel == other.channel && slice == other.slice && frame == other.frame
            && Objects.equals(part, other.part);
    }

    @Override
    public int hashCode() {
        return Objects.hash(image, channel, slice, frame, part);
    }
}
