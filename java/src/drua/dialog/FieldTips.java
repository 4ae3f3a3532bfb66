// SPDX-License-Identifier: BSD-3-Clause
package drua.dialog;

import drua.engine.ParameterWords;
import drua.engine.Registry;
import java.awt.Checkbox;
import java.awt.Component;
import java.awt.Container;
import java.awt.Label;
import java.awt.Point;
import java.awt.event.MouseAdapter;
import java.awt.event.MouseEvent;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.swing.JToolTip;
import javax.swing.Popup;
import javax.swing.PopupFactory;
import javax.swing.Timer;

/** Shows the description of a parameter while the mouse rests on its field or label. AWT has no tool tips. */
final class FieldTips extends MouseAdapter {
    private static final int REST_MS = 500, GAP = 6;

    private final Component component;
    private final String text;
    private final Timer rest;
    private Popup popup;

    private FieldTips(Component component, String text) {
        this.component = component;
        this.text = text;
        rest = new Timer(REST_MS, event -> show());
        rest.setRepeats(false);
    }

    /** Gives each field that is named after a parameter the parameter's description. */
    static void add(Container dialog, Registry.Operation operation) {
        Map<String, String> sentences = new HashMap<>();
        for (Registry.Parameter p : operation.parameters) {
            sentences.put(plainName(p.name), ParameterWords.sentence(p));
            for (Registry.Parameter setting : p.settings)
                sentences.put(plainName(setting.name), ParameterWords.sentence(setting));
        }
        add(dialog, sentences);
    }

    private static void add(Container container, Map<String, String> sentences) {
        String last = null; /* each field follows its label */
        for (Component part : container.getComponents()) {
            String name = part instanceof Label ? ((Label) part).getText()
                : part instanceof Checkbox      ? ((Checkbox) part).getLabel()
                                                : null;
            String own = name == null ? last : sentences.get(plainName(name));
            if (own != null)
                addTips(part, own);
            else if (part instanceof Container)
                add((Container) part, sentences);
            last = part instanceof Label ? own : null;
        }
    }

    private static void addTips(Component part, String text) {
        part.addMouseListener(new FieldTips(part, text));
        if (part instanceof Container) {
            for (Component inside : ((Container) part).getComponents())
                addTips(inside, text);
        }
    }

    private static String plainName(String name) {
        return name.replace('_', ' ').replace(":", "").trim().toLowerCase(Locale.ROOT);
    }

    @Override
    public void mouseEntered(MouseEvent event) {
        rest.restart();
    }

    @Override
    public void mouseExited(MouseEvent event) {
        hide();
    }

    @Override
    public void mousePressed(MouseEvent event) {
        hide();
    }

    private void show() {
        if (!component.isShowing())
            return;
        JToolTip tip = new JToolTip();
        tip.setTipText(text);
        Point at = component.getLocationOnScreen();
        popup = PopupFactory.getSharedInstance().getPopup(component, tip, at.x, at.y + component.getHeight() + GAP);
        popup.show();
    }

    private void hide() {
        rest.stop();
        if (popup != null)
            popup.hide();
        popup = null;
    }
}
