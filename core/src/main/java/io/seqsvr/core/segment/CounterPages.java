package io.seqsvr.core.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one segment by slot, without a rule of what they may be. A segment that was never touched has none; a
 * page of which few users were served keeps {@link FewCounters}; any other is an array with a place for each user.
 *
 * <p>What counters rest on, and not a part of them, so that a call has one object less to fetch from memory.
 */
abstract class CounterPages {
    private static final int PAGE_BITS = 10;
    private static final int PAGE_SIZE = CounterPage.USERS;
    private static final int PAGE_MASK = PAGE_SIZE - 1;
    /** A page becomes an array when one of so many of its users was served. */
    private static final int ONE_IN = 8;

    private static final int ARRAY_BYTES = 16;
    private static final int REFERENCE_BYTES = 4;
    private static final long[][] NO_ARRAYS = {};
    private static final FewCounters[] NO_FEW = {};
    private static final boolean[] NO_MARKS = {};

    private final int users;
    /** cur_seq by page and place; 0 is a user who was not served. */
    private long[][] arrays = NO_ARRAYS;
    /** One bit per place of an array: the counter is a bound that no sequence reached yet. */
    private long[][] bounds = NO_ARRAYS;

    private FewCounters[] few = NO_FEW;
    /** Pages that changed since they were copied for a hand-over. */
    private boolean[] changed = NO_MARKS;
    /** After the page that was copied last: each has its turn, however often others change. */
    private int nextToCopy;

    private long bytes;

    CounterPages(int users) {
        this.users = users;
    }

    /** Number of slots. */
    final int users() {
        return users;
    }

    /** What all of them take of memory, but for the object itself. */
    public final long bytes() {
        return bytes;
    }

    /** The array that holds a slot; null if its page has none. */
    final long @Nullable [] arrayOf(int slot) {
        int index = slot >> PAGE_BITS;
        return index < arrays.length ? arrays[index] : null;
    }

    /** The place of a slot in its page. */
    static int placeOf(int slot) {
        return slot & PAGE_MASK;
    }

    private @Nullable FewCounters fewOf(int slot) {
        int index = slot >> PAGE_BITS;
        return index < few.length ? few[index] : null;
    }

    /** Whether there is a place for the slot's counter already: setting it takes no memory. */
    public final boolean holds(int slot) {
        return arrayOf(slot) != null || get(slot) != 0;
    }

    /** The counter of a slot; 0 if its user was not served. */
    final long get(int slot) {
        if (slot < 0 || slot >= users) {
            throw new IllegalArgumentException("slot " + slot + " of " + users);
        }
        var array = arrayOf(slot);
        if (array != null) {
            return array[placeOf(slot)];
        }
        var some = fewOf(slot);
        return some == null ? 0 : some.get(placeOf(slot));
    }

    /** Whether the counter of a slot is a bound that no sequence reached yet. */
    final boolean bound(int slot) {
        if (arrayOf(slot) == null) {
            var some = fewOf(slot);
            return some != null && some.bound(placeOf(slot));
        }
        var bits = boundsOf(slot >> PAGE_BITS);
        return bits != null && (bits[placeOf(slot) >> 6] >>> slot & 1) == 1;
    }

    private long @Nullable [] boundsOf(int index) {
        return index < bounds.length ? bounds[index] : null;
    }

    /** A sequence of a slot was taken whose page is this array. */
    final void taken(long[] array, int slot, long seq) {
        array[placeOf(slot)] = seq;
        changed[slot >> PAGE_BITS] = true;
        if (bounds.length > 0) {
            mark(slot, false);
        }
    }

    /**
     * Sets the counter of a slot.
     *
     * @param seq above 0
     * @param bound whether it is a bound that no sequence reached yet
     */
    final void put(int slot, long seq, boolean bound) {
        begin();
        int index = slot >> PAGE_BITS;
        if (arrays[index] == null && fits(index, slot)) {
            putAmongFew(index, placeOf(slot), seq, bound);
        } else {
            arrayAt(index)[placeOf(slot)] = seq;
            mark(slot, bound);
        }
        changed[index] = true;
    }

    /** Whether one more user is still among few. */
    private boolean fits(int index, int slot) {
        var some = few[index];
        int served = some == null ? 0 : some.size();
        return served < size(index) / ONE_IN || (some != null && some.get(placeOf(slot)) != 0);
    }

    private void putAmongFew(int index, int place, long seq, boolean bound) {
        var some = few[index];
        if (some == null) {
            some = new FewCounters();
            few[index] = some;
        } else {
            bytes -= some.bytes();
        }
        some.put(place, seq, bound);
        bytes += some.bytes();
    }

    private long[] arrayAt(int index) {
        var array = arrays[index];
        if (array == null) {
            array = new long[size(index)];
            var some = few[index];
            if (some != null) {
                // First: whatever breaks this off must not leave users without their counters.
                unpack(some.copy(index), array);
                bytes -= some.bytes();
            }
            bytes += bytesOf(array);
            arrays[index] = array;
            few[index] = null;
        }
        return array;
    }

    private void unpack(CounterPage page, long[] array) {
        for (int i = 0; i < page.served(); i++) {
            array[page.place(i)] = page.counter(i);
            mark((page.index() << PAGE_BITS) + page.place(i), page.bound(i));
        }
    }

    private void mark(int slot, boolean bound) {
        int index = slot >> PAGE_BITS;
        var bits = boundsOf(index);
        if (bits == null) {
            if (!bound) {
                return;
            }
            bits = new long[(size(index) - 1) / Long.SIZE + 1];
            if (bounds.length == 0) {
                bounds = new long[arrays.length][];
                bytes += ARRAY_BYTES + (long) REFERENCE_BYTES * bounds.length;
            }
            bounds[index] = bits;
            bytes += bytesOf(bits);
        }
        if (bound) {
            bits[placeOf(slot) >> 6] |= 1L << slot;
        } else {
            bits[placeOf(slot) >> 6] &= ~(1L << slot);
        }
    }

    private void begin() {
        if (arrays.length == 0) {
            int pages = ((users - 1) >> PAGE_BITS) + 1;
            arrays = new long[pages][];
            few = new FewCounters[pages];
            changed = new boolean[pages];
            bytes += 3 * ARRAY_BYTES + (2L * REFERENCE_BYTES + 1) * pages;
        }
    }

    private static long bytesOf(long[] array) {
        return ARRAY_BYTES + (long) Long.BYTES * array.length;
    }

    /** The last page of a segment may be a short one. */
    private int size(int index) {
        return Math.min(PAGE_SIZE, users - (index << PAGE_BITS));
    }

    /** Takes in what another epoch ended with. */
    final void putAll(CounterPage page) {
        begin();
        int index = page.index();
        if (page.served() > size(index) / ONE_IN) {
            unpack(page, arrayAt(index));
            changed[index] = true;
        } else {
            for (int i = 0; i < page.served(); i++) {
                put((index << PAGE_BITS) + page.place(i), page.counter(i), page.bound(i));
            }
        }
    }

    /**
     * Copies of pages that changed since they were copied last, of such as were touched at first.
     *
     * @param most so many at most: the others are left for the next call
     */
    public final List<CounterPage> copyChanged(int most) {
        var copies = new ArrayList<CounterPage>();
        for (int i = 0; i < changed.length && copies.size() < most; i++) {
            int index = nextToCopy;
            nextToCopy = index + 1 == changed.length ? 0 : index + 1;
            if (changed[index]) {
                copies.add(copy(index));
                changed[index] = false;
            }
        }
        return copies;
    }

    /** Pages that changed since they were copied last. */
    public final int changedPages() {
        int count = 0;
        for (boolean each : changed) {
            count += each ? 1 : 0;
        }
        return count;
    }

    /** Copies of all pages that were ever touched count from now on as changed: a new hand-over begins. */
    public final void forgetCopies() {
        nextToCopy = 0;
        for (int index = 0; index < changed.length; index++) {
            changed[index] = isTouched(index);
        }
    }

    /** Pages of which a user was ever touched: what a copy of everything holds. */
    public final int touchedPages() {
        int touched = 0;
        for (int index = 0; index < changed.length; index++) {
            touched += isTouched(index) ? 1 : 0;
        }
        return touched;
    }

    /** Copies of all pages that were ever touched, each made as it is asked for. */
    final Stream<CounterPage> copies() {
        return IntStream.range(0, changed.length).filter(this::isTouched).mapToObj(this::copy);
    }

    private boolean isTouched(int index) {
        return arrays[index] != null || few[index] != null;
    }

    private CounterPage copy(int index) {
        var array = arrays[index];
        if (array == null) {
            return few[index].copy(index);
        }
        var bits = boundsOf(index);
        return CounterPage.copy(index, array, bits == null ? new long[(size(index) - 1) / Long.SIZE + 1] : bits);
    }
}
