package io.seqsvr.core.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * What became of rows that have a key: each one put takes the place of what had its key. No key is in both lists.
 *
 * @param put rows that are new or changed, by key
 * @param gone keys of rows that are there no more, in order
 */
public record Rows<V>(List<V> put, List<Long> gone) {
    /** Keeps copies. */
    public Rows {
        put = List.copyOf(put);
        gone = List.copyOf(gone);
    }

    static <V> Rows<V> between(List<V> old, List<V> now, ToLongFunction<V> key) {
        var before = new TreeMap<Long, V>();
        old.forEach(row -> before.put(key.applyAsLong(row), row));
        var put = new ArrayList<V>();
        for (var row : now) {
            if (!row.equals(before.remove(key.applyAsLong(row)))) {
                put.add(row);
            }
        }
        return new Rows<>(put, List.copyOf(before.keySet()));
    }

    /** These, and then those. */
    Rows<V> then(Rows<V> next, ToLongFunction<V> key) {
        var put = new TreeMap<Long, V>();
        var gone = new TreeSet<>(this.gone);
        this.put.forEach(row -> put.put(key.applyAsLong(row), row));
        for (var row : next.put) {
            put.put(key.applyAsLong(row), row);
            gone.remove(key.applyAsLong(row));
        }
        next.gone.forEach(put::remove);
        gone.addAll(next.gone);
        return new Rows<>(List.copyOf(put.values()), List.copyOf(gone));
    }

    int size() {
        return put.size() + gone.size();
    }
}
