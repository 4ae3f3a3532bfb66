// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.Registry;
import drua.pipeline.Session;
import drua.pipeline.Step;
import ij.ImagePlus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.swing.JFrame;
import javax.swing.JOptionPane;

/** Asks which part of an RGB image the steps process, and adds the step that takes this part. */
final class ColourQuestion {
    private static final String LUMINANCE = "Luminance", VOLUME = "All three as slices";
    private static final String[] COLOURS = {"Red", "Green", "Blue"};
    private static final int PLANES = 3;

    private ColourQuestion() {}

    /** Call after the image has become the selected source. The question is only asked for RGB images. */
    static void ask(JFrame frame, Session session, ImagePlus image) {
        if (image == null || image.getType() != ImagePlus.COLOR_RGB)
            return;
        List<String> answers = new ArrayList<>();
        if (image.getNSlices() == 1)
            answers.add(LUMINANCE);
        for (String colour : COLOURS)
            answers.add(colour);
        answers.add(VOLUME);
        int answer = JOptionPane.showOptionDialog(frame,
            "'" + image.getTitle() + "' is an RGB image. Which channel should the steps process?", "Drua Workbench",
            JOptionPane.DEFAULT_OPTION, JOptionPane.QUESTION_MESSAGE, null, answers.toArray(), answers.get(0));
        if (answer >= 0)
            useChannels(session, image, answers.get(answer));
    }

    private static void useChannels(Session session, ImagePlus image, String part) {
        if (part.equals(VOLUME))
            return;
        if (part.equals(LUMINANCE)) {
            session.add(Registry.get().operations.get("convert_rgb_stack_to_gray_slice"), false);
            return;
        }
        double colour = Arrays.asList(COLOURS).indexOf(part);
        boolean isStack = image.getNSlices() > 1;
        session.add(Registry.get().operations.get(isStack ? "reduce_stack" : "copy_slice"), false);
        if (isStack)
            set(session, "reduction_factor", PLANES);
        set(session, isStack ? "offset" : "slice_index", colour);
    }

    private static void set(Session session, String argument, double value) {
        Step step = session.viewed();
        for (int i = 0; i < step.values.size(); i++) {
            if (step.command.arguments.get(i).name.equals(argument))
                session.turn(step, i, value, false);
        }
    }
}
