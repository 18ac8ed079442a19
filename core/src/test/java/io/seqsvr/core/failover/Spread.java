package io.seqsvr.core.failover;

import io.seqsvr.core.store.StoreView;
import java.util.Collections;
import java.util.HashMap;

/** How unequally the beginnings of namespaces are shared. */
final class Spread {
    private Spread() {}

    /** By how many segments of any beginning of any namespace one receiver has more than another, at most. */
    static long greatest(StoreView view) {
        long greatest = 0;
        for (var namespace : view.namespaces()) {
            var owned = new HashMap<Long, Long>();
            view.receivers().forEach(member -> owned.put(member.id(), 0L));
            for (int segment = 0; segment < namespace.segmentCount(); segment++) {
                long owner = view.routes()
                        .find(namespace.id(), segment)
                        .orElseThrow()
                        .owner();
                owned.computeIfPresent(owner, (session, before) -> before + 1);
                greatest = Math.max(greatest, Collections.max(owned.values()) - Collections.min(owned.values()));
            }
        }
        return greatest;
    }
}
