package io.seqsvr.storesvr.backup;

import java.time.Duration;
import java.time.Instant;

/**
 * Of what a backup is.
 *
 * @param clusterId its cluster
 * @param incarnation which life of it
 * @param peerId the peer that was read
 * @param term of the last entry of the log in it that held commands
 * @param index of that entry; -1 if there is none
 * @param confirmed whether a majority confirmed that nothing is missing that was acknowledged before {@code takenAt};
 *     if not, the peer may have been behind, and nobody can say by how much time
 * @param unapplied entries in it that the peer had in its log and had not applied, as nobody had told it yet that a
 *     majority has them
 * @param takenAt before the state was asked for, by the clock of the machine that wrote it
 * @param growthPerSecond by how much max_seq of one segment grew in a second at most, as the peer saw it
 * @param growthOver how long the peer had looked at that
 */
public record BackupFacts(
        String clusterId,
        int incarnation,
        String peerId,
        long term,
        long index,
        boolean confirmed,
        long unapplied,
        Instant takenAt,
        long growthPerSecond,
        Duration growthOver) {
    /** Whether the peer looked for so long that its growth may stand for what came after. */
    public boolean growthIsKnown() {
        return growthOver.compareTo(Growth.ENOUGH) >= 0;
    }
}
