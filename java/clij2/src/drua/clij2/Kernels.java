// SPDX-License-Identifier: BSD-3-Clause
package drua.clij2;

import drua.DruaException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.haesleinhuepf.clij.clearcl.ClearCLBuffer;
import net.haesleinhuepf.clij.clearcl.interfaces.ClearCLImageInterface;
import net.haesleinhuepf.clij.coremem.enums.NativeTypeEnum;
import net.haesleinhuepf.clij2.CLIJ2Ops;

/**
 * Runs a program's own OpenCL kernels by the operation customOperation, which defines the words of CLIJ2's kernels.
 * The kernel becomes a function, which is called once for each work-item.
 */
public final class Kernels {
    /** The arguments of a call that are not its texts. */
    public static final class Arguments {
        private final long[] globalSizes;
        private final Map<?, ?> parameters, constants;

        /**
         * @param globalSizes the number of work-items along 1 to 3 axes; null: the size of the image called dst,
         *     destination or output
         * @param parameters images and numbers by the names of the kernel's arguments
         * @param constants values of words in the text, or null
         */
        public Arguments(long[] globalSizes, Map<?, ?> parameters, Map<?, ?> constants) {
            this.globalSizes = globalSizes;
            this.parameters = parameters;
            this.constants = constants;
        }
    }

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Pattern OWN_SAMPLER = Pattern.compile("\\bsampler_t\\s+sampler\\b");
    private static final Pattern WHOLE =
        Pattern.compile("\\b(unsigned|signed|u?char|u?short|u?int|u?long|size_t|bool)\\b");
    private static final Pattern UNSIGNED = Pattern.compile("\\b(unsigned|uchar|ushort|uint|ulong|size_t|bool)\\b");
    private static final Pattern LAST_WORD = Pattern.compile("(\\w+)\\s*(\\[\\s*\\w*\\s*\\])?\\s*$");

    private final CLIJ2Ops ops;
    private final String method;
    private final Arguments arguments;
    private final List<Object> images = new ArrayList<>();
    private final List<Float> numbers = new ArrayList<>();

    private Kernels(CLIJ2Ops ops, String method, Arguments arguments) {
        this.ops = ops;
        this.method = method;
        this.arguments = arguments;
    }

    /** Runs a kernel of a file, which is a resource of the class or lies on the disk. */
    public static void ofFile(
        CLIJ2Ops ops, String method, Class<?> anchor, String file, String kernel, Arguments arguments) {
        new Kernels(ops, method, arguments).run(read(method, anchor, file), new File(file).getName(), kernel);
    }

    /** Runs a kernel of a text. */
    public static void ofText(CLIJ2Ops ops, String method, String text, String kernel, Arguments arguments) {
        new Kernels(ops, method, arguments).run(text, "the code", kernel);
    }

    private static String read(String method, Class<?> anchor, String file) {
        try (InputStream resource = anchor == null ? null : anchor.getResourceAsStream(file)) {
            if (resource == null)
                return new String(Files.readAllBytes(new File(file).toPath()), StandardCharsets.UTF_8);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] part = new byte[8192];
            for (int n = resource.read(part); n >= 0; n = resource.read(part))
                all.write(part, 0, n);
            return new String(all.toByteArray(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new DruaException(method + ": there is no file " + file
                + (anchor == null ? "" : " beside " + anchor.getName() + " or on the disk") + "; give the whole path");
        }
    }

    private void run(String text, String file, String kernel) {
        String plain = COMMENT.matcher(text).replaceAll(" ");
        String call = kernel + "(" + String.join(", ", call(argumentDeclarations(plain, file, kernel), kernel)) + ");";
        List<ClearCLBuffer> temporary = new ArrayList<>();
        try {
            if (!numbers.isEmpty())
                add("drua_numbers", keepTemporary(temporary, pushedNumbers()));
            ClearCLImageInterface grid = grid(temporary);
            add(lastName(images.size() / 2 + 1), grid);
            Calls.run(ops, method, "CLIJ2_customOperation", call, globals(text, plain, file), images.toArray());
        } catch (DruaException e) {
            throw new DruaException(e.getMessage()
                                        .replace("CLIJ2_customOperation: global_code ", method + ": " + file + " ")
                                        .replace("CLIJ2_customOperation: ", method + ": "));
        } finally {
            temporary.forEach(ClearCLBuffer::close);
        }
    }

    private static ClearCLBuffer keepTemporary(List<ClearCLBuffer> temporary, ClearCLBuffer image) {
        temporary.add(image);
        return image;
    }

    private void add(String name, Object image) {
        images.add(name);
        images.add(((DeviceImage) image).image());
    }

    /** The declarations of the kernel's arguments. */
    private List<String> argumentDeclarations(String plain, String file, String kernel) {
        Matcher found =
            Pattern.compile("\\b(__)?kernel\\b[^;{]*?\\b" + Pattern.quote(kernel) + "\\s*\\(").matcher(plain);
        if (!found.find())
            throw new DruaException(method + ": " + file + " has no kernel named " + kernel);
        int end = found.end(), depth = 1;
        while (end < plain.length() && depth > 0)
            depth += plain.charAt(end) == '(' ? 1 : plain.charAt(end++) == ')' ? -1 : 0;
        List<String> all = new ArrayList<>();
        for (String declaration : plain.substring(found.end(), Math.max(found.end(), end - 1)).split(","))
            if (!declaration.trim().isEmpty() && !declaration.trim().equals("void"))
                all.add(declaration.trim());
        return all;
    }

    /** The arguments of the call of the kernel's function. Numbers and images are collected. */
    private List<String> call(List<String> declarations, String kernel) {
        List<String> values = new ArrayList<>();
        for (String declaration : declarations) {
            Matcher word = LAST_WORD.matcher(declaration);
            String name = word.find() ? word.group(1) : declaration;
            Object value = arguments.parameters.get(name);
            if (value instanceof DeviceImage) {
                add(name, value);
                String size = "image_size_" + name;
                values.add(declaration.contains("IMAGE_")
                        ? size + "_width, " + size + "_height, " + size + "_depth, " + name
                        : name);
            } else if (value instanceof Number || value instanceof Boolean) {
                values.add(number(value, declaration, name, kernel));
            } else {
                throw new DruaException(method + ": the parameter " + name + " of the kernel " + kernel
                    + (arguments.parameters.containsKey(name) ? " must be an image or a number, got " + value
                                                              : " is missing"));
            }
        }
        for (Map.Entry<?, ?> entry : arguments.parameters.entrySet())
            if (entry.getValue() instanceof DeviceImage && !images.contains(String.valueOf(entry.getKey())))
                add(String.valueOf(entry.getKey()), entry.getValue());
        return values;
    }

    /**
     * Passes numbers in an image, so that a new value needs no new kernel. A long takes four floats, each of which
     * holds a quarter of its bits exactly.
     */
    private String number(Object value, String declaration, String name, String kernel) {
        int at = numbers.size();
        BigDecimal exact = exact(value);
        if (!WHOLE.matcher(declaration).find()) {
            if (exact != null && Math.abs(exact.doubleValue()) > Float.MAX_VALUE)
                throw unfit(name, kernel, "a number of at most " + Float.MAX_VALUE, value);
            numbers.add(exact == null ? ((Number) value).floatValue() : exact.floatValue());
            return "drua_numbers[" + at + "]";
        }
        int bits = bits(declaration);
        boolean isUnsigned = UNSIGNED.matcher(declaration).find();
        BigInteger least = isUnsigned ? BigInteger.ZERO : BigInteger.ONE.shiftLeft(bits - 1).negate();
        BigInteger most = BigInteger.ONE.shiftLeft(isUnsigned ? bits : bits - 1).subtract(BigInteger.ONE);
        BigInteger whole = exact == null || exact.stripTrailingZeros().scale() > 0 ? null : exact.toBigInteger();
        if (whole == null || whole.compareTo(least) < 0 || whole.compareTo(most) > 0)
            throw unfit(name, kernel, "a whole number from " + least + " to " + most, value);
        StringBuilder parts = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            numbers.add((float) (whole.shiftRight(16 * i).intValue() & 0xffff));
            parts.append(i == 0 ? "" : " | ").append("(ulong)drua_numbers[" + (at + i) + "] << " + 16 * i);
        }
        return "(long)(" + parts + ")";
    }

    /** The exact value of a number; null if it is NaN or infinite. */
    private static BigDecimal exact(Object value) {
        if (value instanceof Boolean)
            return (Boolean) value ? BigDecimal.ONE : BigDecimal.ZERO;
        if (value instanceof BigInteger)
            return new BigDecimal((BigInteger) value);
        if (value instanceof Long)
            return BigDecimal.valueOf((Long) value);
        double number = ((Number) value).doubleValue();
        return Double.isNaN(number) || Double.isInfinite(number) ? null : new BigDecimal(number);
    }

    /** The bits of an integer type. */
    private static int bits(String declaration) {
        if (declaration.matches(".*\\b(u?long|size_t)\\b.*"))
            return 64;
        if (declaration.matches(".*\\bu?short\\b.*"))
            return 16;
        if (declaration.matches(".*\\bu?char\\b.*"))
            return 8;
        return declaration.matches(".*\\bbool\\b.*") ? 1 : 32;
    }

    private DruaException unfit(String name, String kernel, String due, Object value) {
        return new DruaException(
            method + ": the parameter " + name + " of the kernel " + kernel + " must be " + due + ", got " + value);
    }

    private ClearCLBuffer pushedNumbers() {
        float[] values = new float[numbers.size()];
        for (int i = 0; i < values.length; i++)
            values[i] = numbers.get(i);
        ClearCLBuffer image = ops.getCLIJ().create(new long[] {values.length, 1}, NativeTypeEnum.Float);
        Calls.run(ops, method, "CLIJ2_pushArray", image, values, values.length, 1, 1);
        return image;
    }

    /** An image with a pixel for each work-item. */
    private ClearCLImageInterface grid(List<ClearCLBuffer> temporary) {
        long[] sizes = {1, 1, 1};
        ClearCLImageInterface found = null;
        boolean isOutput = false;
        for (int i = 0; arguments.globalSizes != null && i < Math.min(3, arguments.globalSizes.length); i++)
            sizes[i] = arguments.globalSizes[i];
        for (Map.Entry<?, ?> entry : arguments.parameters.entrySet()) {
            if (!(entry.getValue() instanceof ClearCLImageInterface))
                continue;
            ClearCLImageInterface image = (ClearCLImageInterface) entry.getValue();
            boolean fits =
                image.getWidth() == sizes[0] && image.getHeight() == sizes[1] && image.getDepth() == sizes[2];
            boolean isNamed = String.valueOf(entry.getKey()).matches("(?i).*(dst|destination|output).*");
            if (arguments.globalSizes == null ? !isOutput : fits)
                found = image;
            isOutput = isOutput || isNamed;
        }
        if (found == null && arguments.globalSizes == null)
            throw new DruaException(method + ": the parameters have no image; pass the global sizes");
        return found != null ? found
                             : keepTemporary(temporary, ops.getCLIJ().create(sizes, NativeTypeEnum.UnsignedByte));
    }

    /** A name that a HashMap of `count` names lists last: customOperation runs over that image. */
    private static String lastName(int count) {
        int buckets = 16;
        while (count > buckets / 4 * 3)
            buckets *= 2;
        for (int i = 0;; i++) {
            int hash = ("drua_grid" + i).hashCode();
            if (((hash ^ hash >>> 16) & buckets - 1) == buckets - 1)
                return "drua_grid" + i;
        }
    }

    /** The text before the call. A line that begins with two slashes and a colon names the file in compiler errors. */
    private String globals(String text, String plain, String file) {
        StringBuilder globals = new StringBuilder();
        if (arguments.constants != null)
            arguments.constants.forEach((name, value)
                                            -> globals.append("#undef ")
                                                   .append(name.toString().replaceAll("\\(.*", ""))
                                                   .append("\n#define ")
                                                   .append(name)
                                                   .append(" ")
                                                   .append(value)
                                                   .append("\n"));
        if (OWN_SAMPLER.matcher(plain).find())
            globals.append("#define sampler drua_own_sampler\n");
        globals.append("#define __kernel\n#define kernel\n//: ").append(file).append("\n").append(text);
        return globals.append("\n#undef kernel\n#undef __kernel\n").toString();
    }
}
