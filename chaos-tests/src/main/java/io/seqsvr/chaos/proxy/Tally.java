package io.seqsvr.chaos.proxy;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What has happened in a proxy so far; on the event loop only. */
final class Tally {
    private final Map<Direction, Long> forwardedBytes = new EnumMap<>(Direction.class);
    private long accepted;
    private long reset;
    private long connectsFailed;
    private Optional<String> nameFailure = Optional.empty();

    void forwarded(Direction direction, long bytes) {
        forwardedBytes.merge(direction, bytes, Long::sum);
    }

    void accepted() {
        accepted++;
    }

    void reset() {
        reset++;
    }

    void connectFailed() {
        connectsFailed++;
    }

    void nameFailed(String why) {
        nameFailure = Optional.of(why);
    }

    long forwardedBytes(Direction direction) {
        return forwardedBytes.getOrDefault(direction, 0L);
    }

    long acceptedCount() {
        return accepted;
    }

    long resetCount() {
        return reset;
    }

    long connectsFailedCount() {
        return connectsFailed;
    }

    Optional<String> nameFailure() {
        return nameFailure;
    }
}
