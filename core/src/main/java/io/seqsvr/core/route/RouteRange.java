package io.seqsvr.core.route;

/**
 * Neighbouring segments with one owner and epoch.
 *
 * @param namespaceId their namespace
 * @param first index of the first segment
 * @param last index of the last segment, at least {@code first}
 * @param owner session of the owner; it may have ended since
 * @param epoch the epoch in which the owner holds each of them
 */
public record RouteRange(int namespaceId, int first, int last, long owner, long epoch) {
    /** Number of segments. */
    public int size() {
        return last - first + 1;
    }

    boolean continues(RouteRange before) {
        return before.namespaceId == namespaceId
                && before.last + 1 == first
                && before.owner == owner
                && before.epoch == epoch;
    }
}
