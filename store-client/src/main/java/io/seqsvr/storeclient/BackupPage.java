package io.seqsvr.storeclient;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/**
 * One page of a picture of a peer's state, and what the picture is.
 *
 * @param picture its name, drawn by the peer for it alone
 * @param peerId the peer
 * @param clusterId its cluster
 * @param incarnation which life of it
 * @param term of the last entry of the log in the picture that held commands
 * @param index of that entry; -1 if there is none
 * @param confirmed whether a majority confirmed that nothing acknowledged before the picture was asked for is missing
 * @param unapplied entries in the picture that the peer had in its log and had not applied
 * @param growthPerSecond by how much max_seq of one segment grew in a second at most
 * @param growthOver how long the peer had looked at that
 * @param rows the rows of the page, as a backup keeps them
 * @param last whether no page follows
 */
public record BackupPage(
        String picture,
        String peerId,
        String clusterId,
        int incarnation,
        long term,
        long index,
        boolean confirmed,
        long unapplied,
        long growthPerSecond,
        Duration growthOver,
        Buffer rows,
        boolean last) {}
