package io.seqsvr.core.namespace;

import java.util.ArrayList;
import java.util.List;

/**
 * An independent set of users' sequences with its settings. The keying gives every uid the index of a counter, which
 * lies in segment {@code index / segmentSize}, slot {@code index % segmentSize}.
 *
 * @param id given once by StoreSvr, above 0, never used again
 * @param name 1 to 63 of {@code a-z 0-9 - _}, beginning with a letter
 * @param capacity number of counters; immutable
 * @param segmentSize users per segment; immutable
 * @param keying which counter belongs to a uid; immutable
 * @param order on what the order of sequences rests
 * @param step by how much max_seq is raised at a time
 * @param maxCount sequences per request at most
 * @param maxJump how far above the durable max_seq a request may lift a user
 * @param maxSequence greatest sequence ever handed out here
 */
public record Namespace(
        int id,
        String name,
        long capacity,
        int segmentSize,
        Keying keying,
        Order order,
        long step,
        int maxCount,
        long maxJump,
        long maxSequence) {
    /** Capacity where none is set: 2^32 users. */
    public static final long DEFAULT_CAPACITY = 1L << 32;
    /** Users per segment where nothing is set. */
    public static final int DEFAULT_SEGMENT_SIZE = 100_000;
    /** Step where none is set. */
    public static final long DEFAULT_STEP = 10_000;
    /** Sequences per request where nothing is set. */
    public static final int DEFAULT_MAX_COUNT = 10_000;
    /** How far a request may lift a user where nothing is set. */
    public static final long DEFAULT_MAX_JUMP = 1_000_000;
    /** Segments at most, of one namespace and of all of a cluster: each may be a row of its own in every picture. */
    public static final int MAX_SEGMENTS = 250_000;
    /** Users per segment at most. */
    public static final int MAX_SEGMENT_SIZE = 10_000_000;

    /** Characters of a name at most. */
    public static final int MOST_NAME_CHARS = 63;

    private static final String NAME = "[a-z][a-z0-9_-]{0,62}";

    /** A namespace whose settings break no rule. */
    public Namespace {
        var problems = problems(name, capacity, segmentSize, step, maxCount, maxSequence);
        between(problems, "max_jump", maxJump, 0, Long.MAX_VALUE);
        if (id < 1 || !problems.isEmpty()) {
            throw new IllegalArgumentException("namespace " + name + " with id " + id + ": " + problems);
        }
    }

    /** A namespace of DIRECT keying and LEASE order, with the default jump. */
    public Namespace(int id, String name, long capacity, int segmentSize, long step, int maxCount, long maxSequence) {
        this(
                id,
                name,
                capacity,
                segmentSize,
                Keying.DIRECT,
                Order.LEASE,
                step,
                maxCount,
                DEFAULT_MAX_JUMP,
                maxSequence);
    }

    /** A namespace with the default settings. */
    public static Namespace ofDefaults(int id, String name) {
        return new Namespace(
                id, name, DEFAULT_CAPACITY, DEFAULT_SEGMENT_SIZE, DEFAULT_STEP, DEFAULT_MAX_COUNT, Long.MAX_VALUE);
    }

    /** All but its id. */
    public NamespaceSettings settings() {
        return new NamespaceSettings(name, capacity, segmentSize, keying, order, step, maxCount, maxJump, maxSequence);
    }

    /** The same namespace in another order. */
    public Namespace withOrder(Order newOrder) {
        return new Namespace(id, name, capacity, segmentSize, keying, newOrder, step, maxCount, maxJump, maxSequence);
    }

    /** Every rule that these settings break, each as a sentence that names key, value and rule; empty if none. */
    public static List<String> problems(
            String name, long capacity, int segmentSize, long step, int maxCount, long maxSequence) {
        var problems = new ArrayList<String>();
        if (!name.matches(NAME)) {
            problems.add("name is '" + name + "'; it must be 1 to 63 of a-z, 0-9, - and _, beginning with a letter");
        }
        between(problems, "segment_size", segmentSize, 1, MAX_SEGMENT_SIZE);
        between(problems, "capacity", capacity, 1, (long) MAX_SEGMENTS * Math.max(1, segmentSize));
        between(problems, "max_sequence", maxSequence, 1, Long.MAX_VALUE);
        between(problems, "step", step, 1, Math.max(1, maxSequence));
        between(problems, "max_count", maxCount, 1, 1_000_000);
        return problems;
    }

    /** Whether a name is longer than that of any namespace: there is none of it, whoever is asked. */
    public static boolean isTooLong(String name) {
        return name.length() > MOST_NAME_CHARS;
    }

    static void between(List<String> problems, String key, long value, long least, long most) {
        if (value < least || value > most) {
            problems.add(key + " is " + value + "; it must be from " + least + " to " + most);
        }
    }

    /** Whether the uid, read as unsigned, is a user of this namespace. */
    public boolean holds(long uid) {
        return keying.holds(uid, capacity);
    }

    /** Whether a counter at {@code seq} can tell a user's last sequence, and not only a bound that others moved too. */
    public boolean readsExactly(long seq) {
        return keying == Keying.DIRECT || seq == 0;
    }

    /** The index of the counter of a user that this namespace {@link #holds}. */
    public long indexOf(long uid) {
        return keying.index(uid, capacity);
    }

    /** The segment of a user that this namespace {@link #holds}. */
    public int segmentOf(long uid) {
        return (int) (keying.index(uid, capacity) / segmentSize);
    }

    /** The user's place in its segment. */
    public int slotOf(long uid) {
        return (int) (keying.index(uid, capacity) % segmentSize);
    }

    /** Number of segments; their indexes run from 0. */
    public int segmentCount() {
        return (int) ((capacity - 1) / segmentSize + 1);
    }

    /** Number of users in a segment: {@code segmentSize}, or fewer in the last one. */
    public int usersIn(int segment) {
        return (int) Math.min(segmentSize, capacity - (long) segment * segmentSize);
    }

    /** The bound that one step above {@code bound} gives, never beyond {@code maxSequence}. */
    public long stepAbove(long bound) {
        return bound > maxSequence - step ? maxSequence : bound + step;
    }
}
