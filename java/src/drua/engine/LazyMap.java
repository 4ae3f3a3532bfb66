// SPDX-License-Identifier: BSD-3-Clause
package drua.engine;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * An immutable map that makes each value from a text when the value is first requested, because most programs need few
 * values. Keeps the order of the texts. Safe for any thread.
 */
final class LazyMap<V> extends AbstractMap<String, V> {
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, V> made = new LinkedHashMap<>();
    private final Function<String, V> maker;

    /** @param maker makes a value from a text; must not use this map */
    LazyMap(Function<String, V> maker) {
        this.maker = maker;
    }

    /** Adds a text, before another thread sees the map. The last text of a key counts. */
    void add(String key, String text) {
        texts.put(key, text);
    }

    @Override
    public synchronized V get(Object key) {
        String text = texts.get(key);
        if (text == null)
            return null;
        V value = made.get(key);
        if (value == null) {
            value = maker.apply(text);
            made.put((String) key, value);
        }
        return value;
    }

    @Override
    public boolean containsKey(Object key) {
        return texts.containsKey(key);
    }

    @Override
    public Set<String> keySet() {
        return Collections.unmodifiableSet(texts.keySet());
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return new AbstractSet<Entry<String, V>>() {
            @Override
            public int size() {
                return texts.size();
            }

            @Override
            public Iterator<Entry<String, V>> iterator() {
                Iterator<String> keys = keySet().iterator();
                return new Iterator<Entry<String, V>>() {
                    @Override
                    public boolean hasNext() {
                        return keys.hasNext();
                    }

                    @Override
                    public Entry<String, V> next() {
                        String key = keys.next();
                        return new SimpleImmutableEntry<>(key, get(key));
                    }
                };
            }
        };
    }
}
