// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.imagej.LabelImages;
import ij.ImagePlus;
import ij.measure.Calibration;

/** The mode and direction in which the 3-D view shows a stack. Immutable. */
final class VolumeScene {
    /** The kind of pixel that a ray shows. */
    enum Mode {
        MAXIMUM("Brightest pixels"),
        SURFACE("Surface"),
        LABELS("Labels");

        private final String words;

        Mode(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private static final double TILT = 20, TURN = 30, MAX_TILT = 90, MIN_ZOOM = 0.2, MAX_ZOOM = 50, CIRCLE = 360;

    final Mode mode;
    /** Degrees: tilted about the horizontal axis, rotated about the vertical axis. */
    final double tilt, turn;
    final double zoom;
    /** Grey value of the surface. */
    final double level;

    private VolumeScene(Mode mode, double tilt, double turn, double zoom, double level) {
        this.mode = mode;
        this.tilt = tilt;
        this.turn = turn;
        this.zoom = zoom;
        this.level = level;
    }

    /** The first scene: labels for a label map, else maxima. The surface is at the middle of the display range. */
    static VolumeScene of(ImagePlus image) {
        Mode mode = LabelImages.isLabelMap(image) ? Mode.LABELS : Mode.MAXIMUM;
        double middle = (image.getDisplayRangeMin() + image.getDisplayRangeMax()) / 2;
        return new VolumeScene(mode, TILT, TURN, 1, Math.max(0, middle));
    }

    /** The distance of slices in pixel widths; 1 if the image has no scale. */
    static double sliceDistance(ImagePlus image) {
        Calibration scale = image.getCalibration();
        double distance = scale.scaled() ? scale.pixelDepth / scale.pixelWidth : 1;
        return distance >= 0.001 && distance <= 1000 ? distance : 1;
    }

    VolumeScene with(Mode next) {
        return new VolumeScene(next, tilt, turn, zoom, level);
    }

    VolumeScene with(double nextLevel) {
        return new VolumeScene(mode, tilt, turn, zoom, nextLevel);
    }

    /** This scene rotated by these angles in degrees. The tilt ends where the view is from straight above or below. */
    VolumeScene turned(double about, double down) {
        double tilted = Math.max(-MAX_TILT, Math.min(MAX_TILT, tilt + down));
        return new VolumeScene(mode, tilted, (turn + about) % CIRCLE, zoom, level);
    }

    VolumeScene zoomed(double factor) {
        return new VolumeScene(mode, tilt, turn, Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, zoom * factor)), level);
    }

    /** This scene seen from the first direction at the first zoom. */
    VolumeScene reset() {
        return new VolumeScene(mode, TILT, TURN, 1, level);
    }

    /** The arguments of render_volume for an image on the device. */
    Object[] arguments(long volume, String shown, double sliceDistance, int width, int height, double step) {
        return new Object[] {
            volume, null, tilt, turn, shown, level, sliceDistance, zoom, (double) width, (double) height, step};
    }
}
