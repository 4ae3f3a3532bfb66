// SPDX-License-Identifier: BSD-3-Clause
import drua.Drua;
import drua.Image;
import ij.IJ;
import ij.ImagePlus;

/** A program outside the project. Prints the middle of a blurred spot of 100. */
public class Stranger {
    public static void main(String[] arguments) {
        ImagePlus spot = IJ.createImage("spot", "32-bit black", 33, 33, 1);
        spot.getProcessor().setf(16, 16, 100);
        Drua drua = Drua.open("");
        try {
            Image image = drua.push(spot);
            ImagePlus blurred = drua.pull(drua.gaussianBlur(image, 1, 1, 0), "blurred");
            System.out.printf("%.3f%n", blurred.getProcessor().getf(16, 16));
        } finally {
            drua.close();
        }
    }
}
