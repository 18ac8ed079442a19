package io.seqsvr.chaos.proxy;

import java.util.Map;
import java.util.Optional;

/**
 * What a proxy has done and is doing, so that a caller sees that a fault took effect.
 *
 * @param upstream bytes on their way to the server
 * @param downstream bytes on their way to the callers
 * @param openByCaller connections open now, by the name of the caller
 * @param accepted connections so far
 * @param reset connections that ended by a reset, by a toxic or passed on from one end to the other
 * @param connectsFailed connections that were closed because the server did not take them
 * @param nameFailure why the last caller could not be named whom nobody could name by a failure
 */
public record ProxyCounts(
        Bytes upstream,
        Bytes downstream,
        Map<String, Long> openByCaller,
        long accepted,
        long reset,
        long connectsFailed,
        Optional<String> nameFailure) {
    /** Makes the map immutable. */
    public ProxyCounts {
        openByCaller = Map.copyOf(openByCaller);
    }

    /**
     * The bytes of one direction.
     *
     * @param forwarded so far
     * @param held read and not yet forwarded; more may wait at the sender
     */
    public record Bytes(long forwarded, long held) {}

    /** The bytes of a direction. */
    public Bytes bytes(Direction direction) {
        return direction == Direction.UPSTREAM ? upstream : downstream;
    }

    /** How many connections are open now. */
    public long open() {
        return openByCaller.values().stream().mapToLong(Long::longValue).sum();
    }
}
