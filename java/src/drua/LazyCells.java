// SPDX-License-Identifier: BSD-3-Clause
package drua;

import java.lang.ref.SoftReference;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.DataAccess;
import net.imglib2.img.cell.Cell;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.type.NativeType;

/** The cells of a lazy image of ImgLib2. A cell that is missing is computed on the device. */
final class LazyCells<A extends DataAccess> implements LazyCellImg.Get<Cell<A>> {
    private final Drua drua;
    private final RandomAccessibleInterval<?> source;
    private final CellGrid grid;
    private final int margin;
    private final ImageFunction operation;
    private final Map<Long, SoftReference<Cell<A>>> cells = new ConcurrentHashMap<>();
    /* The element type of all cells, and a pixel of that type in ImgLib2. The first cell sets both. */
    private String type;
    private Object sample;

    private LazyCells(Drua drua, Object source, int[] cell, int margin, ImageFunction operation) {
        this.drua = drua;
        this.source = (RandomAccessibleInterval<?>) source;
        this.grid = new CellGrid(ImgLib2.whole(source).size, cell);
        this.margin = margin;
        this.operation = operation;
    }

    /** Returns the lazy image. Computes its first cell, because the lazy image gets the pixel type of this cell. */
    static Object of(Drua drua, Object source, int[] cell, int margin, ImageFunction operation) {
        if (!ImgLib2.isInterval(source))
            throw new DruaException("lazyImg: source must be an image of ImgLib2");
        int dimensions = ((RandomAccessibleInterval<?>) source).numDimensions();
        if (cell.length != dimensions || Arrays.stream(cell).min().getAsInt() < 1)
            throw new DruaException(
                "lazyImg: cell must have " + dimensions + " sizes of at least 1 pixel, got " + Arrays.toString(cell));
        if (margin < 0)
            throw new DruaException("lazyImg: margin must be at least 0, got " + margin);
        return new LazyCells<>(drua, source, cell, margin, operation).image();
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) /* the type of the pixels is not known here */
    private LazyCellImg<?, ?> image() {
        get(0);
        return new LazyCellImg(grid, (NativeType) sample, this);
    }

    @Override
    public Cell<A> get(long index) {
        SoftReference<Cell<A>> kept = cells.get(index);
        Cell<A> cell = kept == null ? null : kept.get();
        return cell == null ? cellAt(index) : cell;
    }

    /** Several threads may ask for a cell that is missing; the first one computes it. */
    @SuppressWarnings("unchecked")
    private Cell<A> cellAt(long index) {
        synchronized (drua) {
            SoftReference<Cell<A>> kept = cells.get(index);
            Cell<A> cell = kept == null ? null : kept.get();
            if (cell == null) {
                long[] min = new long[grid.numDimensions()];
                int[] size = new int[min.length];
                grid.getCellDimensions(index, min, size);
                ArrayImg<?, ?> pixels = compute(index);
                sample = sample == null ? pixels.firstElement() : sample;
                cell = new Cell<>(size, min, (A) pixels.update(null));
                cells.put(index, new SoftReference<>(cell));
            }
            return cell;
        }
    }

    /** The pixels of a cell. The operation also sees the margin, as far as the image reaches. */
    private ArrayImg<?, ?> compute(long index) {
        int dimensions = grid.numDimensions();
        long[] min = new long[dimensions], from = new long[dimensions], size = new long[dimensions];
        int[] cell = new int[dimensions];
        grid.getCellDimensions(index, min, cell);
        for (int d = 0; d < dimensions; d++) {
            from[d] = Math.max(0, min[d] - margin);
            size[d] = Math.min(grid.imgDimension(d), min[d] + cell[d] + margin) - from[d];
        }
        Part part = new Part(source, from, IntStream.range(0, dimensions).toArray(), size);
        String pushedType = part.type();
        try (Image pushed = drua.pushPlanes(
                 pushedType, part.slices(pushedType, DoubleUnaryOperator.identity()), null, "cell " + index, size);
             Image made = operation.apply(pushed)) {
            check(made, size);
            int[] begin = IntStream.range(0, dimensions).map(d -> (int) (min[d] - from[d])).toArray();
            return ImgLib2.wrap(made.getType(), cutBlock(drua.pullArrays(made), (int) size[0], begin, cell),
                Arrays.stream(cell).asLongStream().toArray());
        }
    }

    private void check(Image made, long[] size) {
        if (made == null)
            throw new DruaException("lazyImg: the operation returned no image; return its result");
        if (!Arrays.equals(ImgLib2.size(made), size))
            throw new DruaException(
                "lazyImg: the operation must keep the size " + Arrays.toString(size) + ", but made " + made);
        if (type == null)
            type = made.getType();
        if (!type.equals(made.getType()))
            throw new DruaException("lazyImg: the operation made a cell of the type " + made.getType()
                + ", but the first cell has " + type);
    }

    /** The pixels of a block in slices, as one array. */
    private static Object cutBlock(Object[] slices, int width, int[] begin, int[] size) {
        int depth = size.length == 2 ? 1 : size[2], firstSlice = size.length == 2 ? 0 : begin[2];
        Object all = Array.newInstance(slices[0].getClass().getComponentType(), size[0] * size[1] * depth);
        for (int z = 0; z < depth; z++) {
            for (int y = 0; y < size[1]; y++)
                System.arraycopy(slices[firstSlice + z], (begin[1] + y) * width + begin[0], all,
                    (z * size[1] + y) * size[0], size[0]);
        }
        return all;
    }
}
