package io.seqsvr.storesvr.replica;

import io.seqsvr.core.store.StoreState;
import io.seqsvr.storesvr.rocks.StateDigest;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The digests of a {@link Replica}, by which it can be compared with others: that of its rows as they are, and that of
 * its rows where the log last passed a multiple of {@link #MARK_EVERY}. Replicas that apply all the time are hardly
 * ever met at the same entry, but most of the time they have passed the same multiple.
 *
 * <p>Computing them takes a processor for some milliseconds; the replica is held only while its maps are copied.
 */
public final class Digests {
    /** Entries between two marks; each costs a copy of the maps. */
    static final long MARK_EVERY = 4_096;

    private final Replica replica;
    private IdentityHashMap<Frozen, DigestAt> known = new IdentityHashMap<>();

    /** Rows that nobody changes any more, after all entries up to an index. */
    record Frozen(long index, StoreState state) {}

    /** The digests of a replica; nothing is computed yet. */
    public Digests(Replica replica) {
        this.replica = replica;
    }

    /** The digests now, the newest first; none before the cluster exists. Slow: keep it off event loops. */
    public synchronized List<DigestAt> now() {
        var frozen = replica.frozen();
        var digests = new IdentityHashMap<Frozen, DigestAt>();
        for (var one : frozen) {
            var computed = known.get(one);
            digests.put(one, computed != null ? computed : new DigestAt(one.index(), StateDigest.of(one.state())));
        }
        known = digests;
        return frozen.stream().map(digests::get).toList();
    }
}
