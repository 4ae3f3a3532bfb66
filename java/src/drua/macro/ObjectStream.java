// SPDX-License-Identifier: BSD-3-Clause
package drua.macro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads serialized Java objects without their classes, by the grammar of the Java Object Serialization Specification.
 * Each object becomes a map of its fields with its class under "class"; arrays become double[] or Object[]; other
 * primitive arrays are skipped. No code that a file names is run.
 */
final class ObjectStream {
    private static final int MAGIC = 0xACED0005, NULL = 0x70, REFERENCE = 0x71, CLASS_DESCRIPTION = 0x72, OBJECT = 0x73,
                             STRING = 0x74, ARRAY = 0x75, CLASS = 0x76, BLOCK = 0x77, END_BLOCK = 0x78,
                             LONG_BLOCK = 0x7A, LONG_STRING = 0x7C, PROXY_DESCRIPTION = 0x7D, ENUM = 0x7E,
                             FIRST_HANDLE = 0x7E0000;
    private static final int WRITES = 1, SERIALIZABLE = 2, EXTERNALIZABLE = 4;

    private static final class Description {
        String name = "";
        int flags;
        final List<String> fields = new ArrayList<>();
        Description parent;
    }

    private final ByteBuffer bytes;
    private final List<Object> handles = new ArrayList<>();
    private final Map<String, Integer> sizes = new HashMap<>();
    // total number of entries of all arrays; each entry takes at least one byte of the file
    private long entries;

    /** @param file all bytes of a file */
    ObjectStream(byte[] file) throws IOException {
        bytes = ByteBuffer.wrap(file);
        for (String size : "B1 C2 D8 F4 I4 J8 S2 Z1".split(" "))
            sizes.put(size.substring(0, 1), size.charAt(1) - '0');
        if (file.length < 4 || bytes.getInt() != MAGIC)
            throw new IOException("it is not a file of Java objects");
    }

    /** The next object, or null at the end. */
    Object next() throws IOException {
        try {
            return bytes.hasRemaining() ? readContent() : null;
        } catch (RuntimeException e) {
            throw new IOException("it is damaged at byte " + bytes.position());
        } catch (StackOverflowError e) {
            throw new IOException("its objects are nested too deeply");
        }
    }

    private Object readContent() {
        int code = bytes.get();
        switch (code) {
        case NULL:
            return null;
        case REFERENCE:
            return handles.get(bytes.getInt() - FIRST_HANDLE);
        case OBJECT:
            return object(description());
        case STRING:
            return remember(text(bytes.getShort() & 0xFFFF));
        case LONG_STRING:
            return remember(text(Math.toIntExact(bytes.getLong())));
        case ARRAY:
            return array(description());
        case ENUM:
            description();
            int place = handles.size();
            remember(null);
            handles.set(place, readContent());
            return handles.get(place);
        case CLASS:
            return remember(description());
        case BLOCK:
            skip(bytes.get() & 0xFF);
            return "";
        case LONG_BLOCK:
            skip(bytes.getInt());
            return "";
        case CLASS_DESCRIPTION:
        case PROXY_DESCRIPTION:
            bytes.position(bytes.position() - 1);
            return description();
        default:
            throw new IllegalStateException();
        }
    }

    private <T> T remember(T object) {
        handles.add(object);
        return object;
    }

    private void skip(int count) {
        bytes.position(Math.addExact(bytes.position(), count));
    }

    private String text(int length) {
        byte[] letters = new byte[Math.min(length, bytes.remaining() + 1)];
        bytes.get(letters);
        return new String(letters, StandardCharsets.UTF_8);
    }

    private Description description() {
        int code = bytes.get();
        if (code == NULL)
            return null;
        if (code == REFERENCE)
            return (Description) handles.get(bytes.getInt() - FIRST_HANDLE);
        if (code != CLASS_DESCRIPTION)
            throw new IllegalStateException();
        Description made = new Description();
        made.name = text(bytes.getShort() & 0xFFFF);
        bytes.getLong();
        remember(made);
        made.flags = bytes.get();
        for (int left = bytes.getShort(); left > 0; left--) {
            char type = (char) bytes.get();
            made.fields.add(type + text(bytes.getShort() & 0xFFFF));
            if (type == 'L' || type == '[')
                readContent();
        }
        annotation();
        made.parent = description();
        return made;
    }

    private void annotation() {
        while (bytes.get(bytes.position()) != END_BLOCK)
            readContent();
        bytes.get();
    }

    private Map<String, Object> object(Description description) {
        Map<String, Object> object = remember(new LinkedHashMap<>());
        object.put("class", description.name);
        List<Description> line = new ArrayList<>();
        for (Description d = description; d != null; d = d.parent)
            line.add(0, d);
        for (Description d : line) {
            if ((d.flags & SERIALIZABLE) != 0) {
                for (String field : d.fields)
                    object.put(field.substring(1), value(field.charAt(0)));
            }
            if ((d.flags & EXTERNALIZABLE) != 0 || (d.flags & WRITES) != 0)
                annotation();
        }
        return object;
    }

    private Object value(char type) {
        switch (type) {
        case 'I':
            return bytes.getInt();
        case 'D':
            return bytes.getDouble();
        case 'L':
        case '[':
            return readContent();
        default:
            skip(sizes.get(String.valueOf(type)));
            return null;
        }
    }

    private Object array(Description description) {
        int place = handles.size();
        remember(null);
        int count = bytes.getInt();
        char type = description.name.charAt(1);
        Object made = null;
        if (type == 'D') {
            if (count > bytes.remaining() / 8)
                throw new IllegalStateException();
            double[] numbers = new double[count];
            for (int i = 0; i < count; i++)
                numbers[i] = bytes.getDouble();
            made = numbers;
        } else if (type == 'L' || type == '[') {
            entries += count;
            if (count > bytes.remaining() || entries > bytes.capacity())
                throw new IllegalStateException();
            Object[] objects = new Object[count];
            handles.set(place, objects);
            for (int i = 0; i < count; i++)
                objects[i] = readContent();
            made = objects;
        } else {
            skip(Math.multiplyExact(count, sizes.get(String.valueOf(type))));
        }
        handles.set(place, made);
        return made;
    }
}
