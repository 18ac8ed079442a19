package io.seqsvr.storesvr.replica;

import io.seqsvr.core.store.StoreChange;
import java.util.List;

/** Hears what each applied command changed, on the thread that applies. Must be quick and must not throw. */
public interface ReplicaListener {
    /**
     * A command was applied.
     *
     * @param stamp its stamp
     * @param changes what it changed; never empty
     */
    void applied(long stamp, List<StoreChange> changes);

    /** The whole state was replaced by that of a snapshot: whatever the listener knew of it may be old. */
    default void replaced() {}
}
