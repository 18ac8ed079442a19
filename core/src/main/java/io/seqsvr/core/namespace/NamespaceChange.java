package io.seqsvr.core.namespace;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The settings of a namespace as they shall be from now on; what is absent stays as it is. What is immutable may be
 * named, with the value that it has.
 *
 * @param capacity immutable
 * @param segmentSize immutable
 * @param keying immutable
 * @param order on what the order of sequences rests
 * @param step by how much max_seq is raised at a time
 * @param maxCount sequences per request at most
 * @param maxJump how far above the durable max_seq a request may lift a user
 * @param maxSequence greatest sequence ever handed out; may only grow
 */
public record NamespaceChange(
        OptionalLong capacity,
        OptionalInt segmentSize,
        Optional<Keying> keying,
        Optional<Order> order,
        OptionalLong step,
        OptionalInt maxCount,
        OptionalLong maxJump,
        OptionalLong maxSequence) {
    /** Changes nothing. */
    public static final NamespaceChange NONE = new NamespaceChange(
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());

    /** The same with this order. */
    public NamespaceChange withOrder(Order wanted) {
        return new NamespaceChange(
                capacity, segmentSize, keying, Optional.of(wanted), step, maxCount, maxJump, maxSequence);
    }

    /** The same with this step. */
    public NamespaceChange withStep(long wanted) {
        return new NamespaceChange(
                capacity, segmentSize, keying, order, OptionalLong.of(wanted), maxCount, maxJump, maxSequence);
    }

    /** The same with this greatest sequence. */
    public NamespaceChange withMaxSequence(long wanted) {
        return new NamespaceChange(
                capacity, segmentSize, keying, order, step, maxCount, maxJump, OptionalLong.of(wanted));
    }

    /** What the settings would be after the change. */
    public NamespaceSettings of(NamespaceSettings before) {
        return new NamespaceSettings(
                before.name(),
                capacity.orElse(before.capacity()),
                segmentSize.orElse(before.segmentSize()),
                keying.orElse(before.keying()),
                order.orElse(before.order()),
                step.orElse(before.step()),
                maxCount.orElse(before.maxCount()),
                maxJump.orElse(before.maxJump()),
                maxSequence.orElse(before.maxSequence()));
    }
}
