package io.seqsvr.core.frame;

/**
 * The calls of one frame as columns: all of one namespace and one verb. What a caller sent is kept as it was sent; the
 * rules look at it before anything is taken. Used again for frame after frame.
 */
public final class FrameCalls {
    private long correlation;
    private String namespaceName = "";
    private int verb;
    private final LongColumn uids = new LongColumn();
    private final LongColumn counts = new LongColumn();
    private final LongColumn floors = new LongColumn();
    private final IntColumn segments = new IntColumn();
    private final LongColumn leastEpochs = new LongColumn();
    private long routesVersion;
    private long timeoutMillis;

    /** Chosen by the caller, who finds the reply by it. */
    public long correlation() {
        return correlation;
    }

    /** Changes the correlation id. */
    public FrameCalls correlation(long chosen) {
        correlation = chosen;
        return this;
    }

    /** Name of the namespace. */
    public String namespaceName() {
        return namespaceName;
    }

    /** Changes the namespace. */
    public FrameCalls namespaceName(String name) {
        namespaceName = name;
        return this;
    }

    /** The number of its {@link FrameVerb}, or of none. */
    public int verb() {
        return verb;
    }

    /** Changes the verb. */
    public FrameCalls verb(int number) {
        verb = number;
        return this;
    }

    /** Changes the verb. */
    public FrameCalls verb(FrameVerb known) {
        return verb(known.number());
    }

    /** The user of each call, read as unsigned. */
    public LongColumn uids() {
        return uids;
    }

    /** NEXT: how many sequences each call wants; empty: 1 each. */
    public LongColumn counts() {
        return counts;
    }

    /** NEXT: the first sequence is not below it, 0 for no bound; or empty. RAISE_FLOOR: the floor of each call. */
    public LongColumn floors() {
        return floors;
    }

    /** Segments of which the caller knows an epoch, as unsigned numbers. */
    public IntColumn segments() {
        return segments;
    }

    /** For each of {@link #segments}: no answer of an older epoch is taken. */
    public LongColumn leastEpochs() {
        return leastEpochs;
    }

    /** Version of the picture that the caller goes by; 0 if it wants to be shown none. */
    public long routesVersion() {
        return routesVersion;
    }

    /** Changes the version of the picture. */
    public FrameCalls routesVersion(long known) {
        routesVersion = known;
        return this;
    }

    /** How long the caller waits for the reply, from when the frame is read; 0 if it does not say. */
    public long timeoutMillis() {
        return timeoutMillis;
    }

    /** Changes how long the caller waits. */
    public FrameCalls timeoutMillis(long millis) {
        timeoutMillis = millis;
        return this;
    }

    /** Takes everything out. */
    public void clear() {
        correlation = 0;
        namespaceName = "";
        verb = 0;
        uids.clear();
        counts.clear();
        floors.clear();
        segments.clear();
        leastEpochs.clear();
        routesVersion = 0;
        timeoutMillis = 0;
    }
}
