// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import drua.engine.Engine;
import drua.engine.EngineException;
import drua.engine.Native;
import drua.engine.Registry;
import drua.imagej.Images;
import drua.imagej.Invocation;
import ij.IJ;
import ij.ImagePlus;
import ij.gui.ImageCanvas;
import ij.process.ImageProcessor;
import ij.process.LUT;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** Shows a maximum projection of a stack along the line of sight. Dragging in the window rotates the stack. */
final class TipTilt extends MouseAdapter {
    private static final double DEGREES_PER_PIXEL = 0.2;
    /** Open windows by title; guarded by the map's lock. */
    private static final Map<String, TipTilt> VIEWERS = new LinkedHashMap<>();
    private static final ExecutorService WORKER = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "Drua tip and tilt");
        thread.setDaemon(true);
        return thread;
    });

    private final ImagePlus volume;
    private final boolean rotatesTogether;
    private final AtomicBoolean isRefreshDue = new AtomicBoolean();
    private ImagePlus view;
    private volatile double tip, tilt;
    private double startTip, startTilt;
    private int startX, startY;

    private TipTilt(ImagePlus volume, boolean rotatesTogether) {
        this.volume = volume;
        this.rotatesTogether = rotatesTogether;
    }

    /**
     * Opens a window with that title, or shows another stack in an existing one at the same angles. The caller holds
     * the engine's lock.
     */
    static void show(ImagePlus volume, boolean rotatesTogether) {
        TipTilt viewer = new TipTilt(volume, rotatesTogether), last;
        synchronized (VIEWERS) {
            forgetClosed();
            last = VIEWERS.get(volume.getTitle());
        }
        if (last != null) {
            viewer.tip = last.tip;
            viewer.tilt = last.tilt;
        }
        viewer.view = Windows.show(viewer.render(Engine.context()));
        if (!viewer.isOpen())
            return;
        if (last != null) {
            viewer.canvas().removeMouseListener(last);
            viewer.canvas().removeMouseMotionListener(last);
        }
        viewer.listen();
        synchronized (VIEWERS) {
            VIEWERS.put(volume.getTitle(), viewer);
        }
    }

    private static void forgetClosed() {
        VIEWERS.values().removeIf(viewer -> !viewer.isOpen());
    }

    private boolean isOpen() {
        return view != null && view.getWindow() != null;
    }

    private ImageCanvas canvas() {
        return view.getCanvas();
    }

    /** Replaces ImageJ's tool in the window. */
    private void listen() {
        canvas().removeMouseListener(canvas());
        canvas().removeMouseMotionListener(canvas());
        canvas().addMouseListener(this);
        canvas().addMouseMotionListener(this);
    }

    @Override
    public void mousePressed(MouseEvent event) {
        startX = event.getX();
        startY = event.getY();
        startTip = tip;
        startTilt = tilt;
    }

    @Override
    public void mouseDragged(MouseEvent event) {
        double newTip = startTip + (event.getY() - startY) * DEGREES_PER_PIXEL,
               newTilt = startTilt - (event.getX() - startX) * DEGREES_PER_PIXEL;
        synchronized (VIEWERS) {
            forgetClosed();
            for (TipTilt viewer : VIEWERS.values()) {
                if (viewer == this || rotatesTogether && viewer.rotatesTogether)
                    viewer.setAngles(newTip, newTilt);
            }
        }
    }

    /** Sets new angles. While an image is rendered, only the latest angles are kept for the next image. */
    private void setAngles(double newTip, double newTilt) {
        tip = newTip;
        tilt = newTilt;
        if (isRefreshDue.compareAndSet(false, true))
            WORKER.execute(this::refresh);
    }

    private void refresh() {
        isRefreshDue.set(false);
        try {
            ImagePlus picture;
            synchronized (Engine.class) {
                picture = render(Engine.context());
            }
            LUT colors = view.getProcessor().getLut();
            double low = view.getDisplayRangeMin(), high = view.getDisplayRangeMax();
            ImageProcessor pixels = picture.getProcessor();
            pixels.setLut(colors);
            view.setProcessor(pixels);
            view.setDisplayRange(low, high);
            view.updateAndDraw();
        } catch (EngineException e) {
            IJ.log(volume.getTitle() + ": " + e.getMessage());
        }
    }

    private ImagePlus render(long context) {
        long pushed = Images.push(context, volume, Images.all(volume), null, 0), rotated = 0, flat = 0;
        try {
            rotated = runOperation(context, "rotate", pushed, null, tip, tilt, 0, true);
            flat = runOperation(context, "maximum_z_projection", rotated, null, null, null);
            return Images.pull(context, flat, volume.getTitle(), false);
        } finally {
            for (long image : new long[] {pushed, rotated, flat}) {
                if (image != 0)
                    Native.release(context, image);
            }
        }
    }

    private static long runOperation(long context, String operation, Object... arguments) {
        return (Long) Invocation.run(context, Registry.get().operations.get(operation), arguments)[0];
    }
}
