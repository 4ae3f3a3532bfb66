// SPDX-License-Identifier: BSD-3-Clause
package drua.headless;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes methods of a compiled class: they call a static method of {@link HiddenWindows} before their own code or
 * instead of it. The original code moves to a method with {@link #MOVED} appended to its name. Chapter 4 of the Java
 * Virtual Machine Specification describes the format.
 */
final class ClassChange {
    static final String MOVED = "$imagej";
    private static final int UTF8 = 1, LONG = 5, DOUBLE = 6, CLASS = 7, STRING = 8, METHOD = 10, NAME_AND_TYPE = 12,
                             METHOD_HANDLE = 15, METHOD_TYPE = 16, MODULE = 19, PACKAGE = 20;
    private static final String HOOKS = "drua/headless/HiddenWindows";
    private static final int STATIC = 8, PRIVATE = 2;

    /** Calls that replace a method (true) or precede it (false), by "name descriptor". */
    private final Map<String, Boolean> calls = new HashMap<>();
    private final String own;
    private final Map<String, String> renamed = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    private final ByteArrayOutputStream added = new ByteArrayOutputStream();
    private final DataOutputStream constants = new DataOutputStream(added);
    private int count;

    /** @param own the class to change, such as "ij/IJ" */
    ClassChange(String own) {
        this.own = own;
    }

    /**
     * Lets a method call the static method of the same name first. That method gets the object, unless this one is
     * static, and the parameters.
     */
    ClassChange before(String name, String descriptor) {
        calls.put(name + descriptor, false);
        return this;
    }

    ClassChange instead(String name, String descriptor) {
        calls.put(name + descriptor, true);
        return this;
    }

    /** Redirects calls of class `other` to {@link HiddenWindows}. */
    ClassChange ask(String other) {
        return rename(other, HOOKS);
    }

    /** Renames a class in all references of the changed class, except in the types of its fields and methods. */
    ClassChange rename(String from, String to) {
        renamed.put(from, to);
        return this;
    }

    synchronized byte[] apply(byte[] bytes) throws IOException {
        texts.clear();
        added.reset();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        ByteArrayOutputStream head = new ByteArrayOutputStream(), rest = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(head), body = new DataOutputStream(rest);
        out.writeLong(in.readLong());
        count = in.readUnsignedShort();
        ByteArrayOutputStream pool = new ByteArrayOutputStream();
        copyConstants(in, new DataOutputStream(pool));
        copy(in, body, 6); /* access, class, super class */
        int interfaces = in.readUnsignedShort();
        body.writeShort(interfaces);
        copy(in, body, 2 * interfaces);
        int fields = in.readUnsignedShort();
        body.writeShort(fields);
        for (int i = 0; i < fields; i++) {
            copy(in, body, 6);
            copyAttributes(in, body);
        }
        copyMethods(in, body);
        copyAttributes(in, body);
        out.writeShort(count);
        pool.writeTo(out);
        added.writeTo(out);
        rest.writeTo(out);
        return head.toByteArray();
    }

    private void copyConstants(DataInputStream in, DataOutputStream out) throws IOException {
        texts.add(null);
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            texts.add(null);
            if (tag == UTF8) {
                String text = in.readUTF();
                texts.set(i, text);
                out.writeUTF(renamed.getOrDefault(text, text));
            } else if (tag == LONG || tag == DOUBLE) {
                copy(in, out, 8);
                texts.add(null);
                i++;
            } else {
                copy(in, out,
                    tag == CLASS || tag == STRING || tag == METHOD_TYPE || tag == MODULE || tag == PACKAGE ? 2
                        : tag == METHOD_HANDLE                                                             ? 3
                                                                                                           : 4);
            }
        }
    }

    private void copyMethods(DataInputStream in, DataOutputStream out) throws IOException {
        int methods = in.readUnsignedShort();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream all = new DataOutputStream(bytes);
        int made = 0;
        for (int i = 0; i < methods; i++) {
            int access = in.readUnsignedShort(), name = in.readUnsignedShort(), descriptor = in.readUnsignedShort();
            Boolean instead = calls.get(texts.get(name) + texts.get(descriptor));
            all.writeShort(access);
            if (instead != null) {
                String moved = texts.get(name) + MOVED;
                all.writeShort(utf8(moved));
                all.writeShort(descriptor);
                copyAttributes(in, all);
                all.writeShort(access);
                all.writeShort(name);
                all.writeShort(descriptor);
                writeCalls(all, access, texts.get(name), moved, texts.get(descriptor), instead);
                made++;
            } else {
                all.writeShort(name);
                all.writeShort(descriptor);
                copyAttributes(in, all);
            }
        }
        out.writeShort(methods + made);
        bytes.writeTo(out);
    }

    /** Writes the code that calls the static method and, unless that replaces the original, the moved one. */
    private void writeCalls(DataOutputStream out, int access, String name, String moved, String descriptor,
        boolean instead) throws IOException {
        boolean isStatic = (access & STATIC) != 0;
        String result = descriptor.substring(descriptor.indexOf(')') + 1);
        String hook = (isStatic ? "(" : "(Ljava/lang/Object;") + descriptor.substring(1, descriptor.indexOf(')') + 1)
            + (instead ? result : "V");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream code = new DataOutputStream(bytes);
        int slots = load(code, isStatic, descriptor);
        code.writeByte(0xb8);
        code.writeShort(method(HOOKS, name, hook));
        if (!instead) {
            load(code, isStatic, descriptor);
            code.writeByte(isStatic ? 0xb8 : (access & PRIVATE) != 0 ? 0xb7 : 0xb6);
            code.writeShort(method(own, moved, descriptor));
        }
        code.writeByte(0xac + Math.max(0, "IJFDA".indexOf(kind(result))) + (result.equals("V") ? 5 : 0));
        out.writeShort(1);
        out.writeShort(utf8("Code"));
        out.writeInt(12 + bytes.size());
        out.writeShort(Math.max(slots, 2));
        out.writeShort(slots);
        out.writeInt(bytes.size());
        bytes.writeTo(out);
        out.writeInt(0); /* no exceptions, no attributes */
    }

    private int utf8(String text) throws IOException {
        constants.writeByte(UTF8);
        constants.writeUTF(text);
        return count++;
    }

    private int method(String owner, String name, String descriptor) throws IOException {
        int ownerName = utf8(owner), methodName = utf8(name), type = utf8(descriptor);
        constants.writeByte(CLASS);
        constants.writeShort(ownerName);
        constants.writeByte(NAME_AND_TYPE);
        constants.writeShort(methodName);
        constants.writeShort(type);
        constants.writeByte(METHOD);
        constants.writeShort(count);
        constants.writeShort(count + 1);
        count += 3;
        return count - 1;
    }

    private static void copyAttributes(DataInputStream in, DataOutputStream out) throws IOException {
        int attributes = in.readUnsignedShort();
        out.writeShort(attributes);
        for (int i = 0; i < attributes; i++) {
            out.writeShort(in.readUnsignedShort());
            int length = in.readInt();
            out.writeInt(length);
            copy(in, out, length);
        }
    }

    private static void copy(DataInputStream in, DataOutputStream out, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        out.write(bytes);
    }

    /** Loads the object, unless the method is static, and all parameters. Returns the number of their slots. */
    private static int load(DataOutputStream code, boolean isStatic, String descriptor) throws IOException {
        int slot = 0;
        if (!isStatic) {
            code.writeByte(0x19);
            code.writeByte(slot++);
        }
        for (int i = 1; descriptor.charAt(i) != ')'; i++) {
            int first = i;
            while (descriptor.charAt(i) == '[')
                i++;
            if (descriptor.charAt(i) == 'L')
                i = descriptor.indexOf(';', i);
            char kind = kind(descriptor.substring(first));
            code.writeByte(0x15 + "IJFDA".indexOf(kind));
            code.writeByte(slot);
            slot += kind == 'J' || kind == 'D' ? 2 : 1;
        }
        return slot;
    }

    /** The instruction family for values of that type: int, long, float, double or reference. */
    private static char kind(String type) {
        char first = type.charAt(0);
        return first == 'L' || first == '[' ? 'A' : first == 'J' || first == 'F' || first == 'D' ? first : 'I';
    }
}
