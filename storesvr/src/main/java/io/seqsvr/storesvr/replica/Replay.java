package io.seqsvr.storesvr.replica;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreRules;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.storesvr.rocks.Applied;
import java.util.List;

/**
 * A picture of a replica, and on top of it entries that the replica has not applied, by the same rules. The replica
 * hears nothing of it. Not safe for threads.
 */
public final class Replay {
    private final StoreRules rules = new StoreRules();
    private final StoreState state;
    private Applied last;
    private long entries;

    /** The picture as it is; its state is this one's from now on. */
    public Replay(Replica.Picture picture) {
        this.state = picture.state();
        this.last = picture.applied();
    }

    /** Applies the next entry of the log. */
    public void add(Applied entry, List<StoreCommand> commands) {
        for (int place = 0; place < commands.size(); place++) {
            long stamp = rules.stamp(state, entry.index(), place);
            rules.decide(state, stamp, commands.get(place)).changes().forEach(state::apply);
        }
        last = entry;
        entries++;
    }

    /** The last entry with commands in it. */
    public Applied last() {
        return last;
    }

    /** The rows after that entry. */
    public StoreState state() {
        return state;
    }

    /** How many entries the replica had not applied. */
    public long entries() {
        return entries;
    }
}
