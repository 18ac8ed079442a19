package io.seqsvr.storesvr.raft;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells when a peer gives up its connections to others of which it hears nothing. On a connection that loses what is
 * sent, TCP sends again more and more seldom, in the end every two minutes: who waits for it is out of the group for up
 * to as long again as the loss lasted.
 */
final class UnheardPeers {
    private final Map<String, Long> sinceNanos = new HashMap<>();

    /**
     * Whose connections are to be given up now. Of a peer that stays unheard they are given up again and again, each
     * time after the same patience: a new connection may lose what is sent as well.
     *
     * @param nowNanos on a clock that does not go back
     * @param unheard how long to bear with each peer that should be heard and is not
     */
    List<String> toGiveUp(long nowNanos, Map<String, Duration> unheard) {
        sinceNanos.keySet().retainAll(unheard.keySet());
        var due = new ArrayList<String>();
        unheard.forEach((peer, patience) -> {
            if (nowNanos - sinceNanos.computeIfAbsent(peer, none -> nowNanos) >= patience.toNanos()) {
                sinceNanos.put(peer, nowNanos);
                due.add(peer);
            }
        });
        return due;
    }
}
