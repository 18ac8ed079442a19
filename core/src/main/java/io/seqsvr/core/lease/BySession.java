package io.seqsvr.core.lease;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Something for each of some sessions, in the order of their ids. Every renewal looks for its session several times:
 * so ids are not boxed, and a new session, whose id is the greatest, comes last without a search.
 *
 * @param <V> what is kept for each
 */
public final class BySession<V> {
    private static final int FIRST_CAPACITY = 8;
    /** So few are looked through, from the newest on. */
    private static final int FEW = 8;

    private long[] sessions;
    private @Nullable Object[] values;
    private int size;

    /** With nothing in it. */
    public BySession() {
        this.sessions = new long[FIRST_CAPACITY];
        this.values = new Object[FIRST_CAPACITY];
    }

    /** With all that is in another one. */
    public BySession(BySession<V> other) {
        this.sessions = other.sessions.clone();
        this.values = other.values.clone();
        this.size = other.size;
    }

    /** What is kept for a session; null for nothing. */
    public @Nullable V get(long session) {
        int at = find(session);
        return at < 0 ? null : at(at);
    }

    /** Keeps a value for a session, in place of the one before. */
    public void put(long session, V value) {
        int at = find(session);
        if (at < 0) {
            at = -1 - at;
            open(at);
            sessions[at] = session;
        }
        values[at] = value;
    }

    /** Keeps nothing for a session any more. */
    public void remove(long session) {
        int at = find(session);
        if (at >= 0) {
            size--;
            System.arraycopy(sessions, at + 1, sessions, at, size - at);
            System.arraycopy(values, at + 1, values, at, size - at);
            values[size] = null;
        }
    }

    /** Keeps nothing for anybody any more. */
    public void clear() {
        Arrays.fill(values, 0, size, null);
        size = 0;
    }

    /** All that is kept, in the order of the sessions; it shows what changes. */
    public List<V> values() {
        return new Values();
    }

    private final class Values extends AbstractList<V> implements RandomAccess {
        @Override
        public V get(int index) {
            return at(Objects.checkIndex(index, size));
        }

        @Override
        public int size() {
            return size;
        }
    }

    @SuppressWarnings("unchecked")
    private V at(int place) {
        return (V) Objects.requireNonNull(values[place]);
    }

    /** Its place, or where it belongs as by {@link Arrays#binarySearch}. */
    private int find(long session) {
        if (size > FEW && session <= sessions[size - 1]) {
            return Arrays.binarySearch(sessions, 0, size, session);
        }
        int at = size - 1;
        while (at >= 0 && sessions[at] > session) {
            at--;
        }
        return at >= 0 && sessions[at] == session ? at : -2 - at;
    }

    private void open(int at) {
        if (size == sessions.length) {
            sessions = Arrays.copyOf(sessions, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        System.arraycopy(sessions, at, sessions, at + 1, size - at);
        System.arraycopy(values, at, values, at + 1, size - at);
        size++;
    }
}
