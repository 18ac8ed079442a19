package io.seqsvr.core.frame;

import java.util.Arrays;

/** Small numbers of a frame, in order: segments, or places of calls. Used again for frame after frame. */
public final class IntColumn {
    /** What an emptied column keeps at most, so that one huge frame does not stay in memory for ever. */
    private static final int MOST_KEPT = 1 << 14;

    private static final int[] NONE = {};

    private int[] values = NONE;
    private int size;

    /** A column of these values. */
    public static IntColumn of(int... values) {
        var column = new IntColumn();
        for (int value : values) {
            column.add(value);
        }
        return column;
    }

    /** How many values it has. */
    public int size() {
        return size;
    }

    /** Whether it has none. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The value at a place from 0 to {@link #size} - 1. */
    public int get(int place) {
        if (place >= size) {
            throw new IndexOutOfBoundsException(place + " of " + size);
        }
        return values[place];
    }

    /** Changes the value at a place from 0 to {@link #size} - 1. */
    public void set(int place, int value) {
        if (place >= size) {
            throw new IndexOutOfBoundsException(place + " of " + size);
        }
        values[place] = value;
    }

    /** Adds a value at the end. */
    public void add(int value) {
        int place = extend(1);
        values[place] = value;
    }

    /**
     * Makes the column longer; what the new places hold is for the caller to set.
     *
     * @param more by how many places
     * @return the first new place
     */
    public int extend(int more) {
        int first = size;
        if (more > values.length - first) {
            values =
                    Arrays.copyOf(values, Math.max(Math.addExact(first, more), Math.min(2 * first, first + MOST_KEPT)));
        }
        size = first + more;
        return first;
    }

    /** Brings its values into ascending order. */
    public void sort() {
        Arrays.sort(values, 0, size);
    }

    /** Takes every value out. */
    public void clear() {
        size = 0;
        if (values.length > MOST_KEPT) {
            values = NONE;
        }
    }

    /** The array behind it, valid as far as {@link #size} and until the column grows: for loops over all values. */
    public int[] array() {
        return values;
    }

    /** A copy of its values. */
    public int[] toArray() {
        return Arrays.copyOf(values, size);
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
