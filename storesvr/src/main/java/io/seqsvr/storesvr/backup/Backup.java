package io.seqsvr.storesvr.backup;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.Restoration;
import io.seqsvr.core.store.StoreState;
import java.time.Duration;
import java.time.Instant;

/**
 * A backup that was found whole.
 *
 * @param facts of what it is
 * @param digest SHA-256 over all of it, in hexadecimal
 * @param state its rows; the cluster is among them
 */
public record Backup(BackupFacts facts, String digest, StoreState state) {
    /**
     * An advance to offer: what {@link Restoration#offer} makes of growth, age and the largest step.
     *
     * @param now by the clock of this machine
     * @param perSecond by how much max_seq of the busiest segment grew in a second at most
     * @throws BackupException if the backup is of a later time
     */
    public long offer(Instant now, long perSecond) throws BackupException {
        var age = Duration.between(facts.takenAt(), now);
        if (age.isNegative()) {
            throw new BackupException("the backup was taken at " + facts.takenAt() + ", which is still to come by the"
                    + " clock of this machine: no advance can be offered; set the clock, or reckon one yourself");
        }
        long step = state.namespaces().stream().mapToLong(Namespace::step).max().orElse(1);
        return Restoration.offer(perSecond, age, step);
    }
}
