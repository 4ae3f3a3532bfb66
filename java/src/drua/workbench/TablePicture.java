// SPDX-License-Identifier: BSD-3-Clause
package drua.workbench;

import drua.engine.Registry;
import drua.pipeline.Pictures;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;

/** The picture of operations that make a table, for which the live run has no picture. */
final class TablePicture {
    private static final int ROWS = 5, COLUMNS = 3;
    private static final BufferedImage PICTURE = draw();

    private TablePicture() {}

    /** The picture of a step or suggestion. Without one, the picture of a table if the operation makes a table. */
    static BufferedImage or(BufferedImage picture, Registry.Operation operation) {
        boolean isTable = operation.parameters.stream().anyMatch(p -> p.kind == Registry.Kind.TABLE_OUT);
        return picture != null || !isTable ? picture : PICTURE;
    }

    private static BufferedImage draw() {
        int width = Pictures.SMALL, height = Pictures.SMALL * 3 / 4;
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        graphics.setColor(new Color(0xc8d4e4));
        graphics.fillRect(0, 0, width, height / ROWS);
        graphics.setColor(Color.GRAY);
        for (int row = 0; row <= ROWS; row++)
            graphics.drawLine(0, row * (height - 1) / ROWS, width, row * (height - 1) / ROWS);
        for (int column = 0; column <= COLUMNS; column++)
            graphics.drawLine(column * (width - 1) / COLUMNS, 0, column * (width - 1) / COLUMNS, height);
        graphics.dispose();
        return picture;
    }
}
