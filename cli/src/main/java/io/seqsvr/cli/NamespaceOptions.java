package io.seqsvr.cli;

import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.NamespaceSettings;
import io.seqsvr.core.namespace.Order;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A namespace and what is wanted of it; what is not named is left to others. */
final class NamespaceOptions {
    @Parameters(paramLabel = "NAME", description = "Name: 1 to 63 of a-z, 0-9, - and _, beginning with a letter.")
    private String name = "";

    @Option(
            names = "--capacity",
            paramLabel = "N",
            description = "Number of users (default of a new one: 4294967296). Never to be changed.")
    private @Nullable Long capacity;

    @Option(
            names = "--segment-size",
            paramLabel = "N",
            description = "Users per segment (default of a new one: the cluster's). Never to be changed.")
    private @Nullable Integer segmentSize;

    @Option(
            names = "--keying",
            paramLabel = "KEYING",
            description = "How a uid finds its counter: ${COMPLETION-CANDIDATES}, also in small letters"
                    + " (default of a new one: direct). Never to be changed.")
    private @Nullable Keying keying;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description = "On what the order of sequences rests: ${COMPLETION-CANDIDATES}, also in small letters"
                    + " (default of a new one: lease).")
    private @Nullable Order order;

    @Option(
            names = "--step",
            paramLabel = "N",
            description = {
                "By how much max_seq is raised at a time (default of a new one: the cluster's).",
                "An owner that dies uses up one of each of its segments: far below --max-sequence."
            })
    private @Nullable Long step;

    @Option(
            names = "--max-count",
            paramLabel = "N",
            description = "Sequences that one request may take (default of a new one: 10000).")
    private @Nullable Integer maxCount;

    @Option(
            names = "--max-jump",
            paramLabel = "N",
            description = "How far above max_seq one request may lift a user (default of a new one: 1000000).")
    private @Nullable Long maxJump;

    @Option(
            names = "--max-sequence",
            paramLabel = "N",
            description = "The greatest sequence ever handed out (default of a new one: 2^63 - 1); may only grow.")
    private @Nullable Long maxSequence;

    String name() {
        return name;
    }

    /** What of it no log entry can say, as 0 stands there for the cluster's default. */
    Optional<String> problem() {
        if (segmentSize != null && segmentSize == 0) {
            return Optional.of("--segment-size is 0; it must be from 1 to " + Namespace.MAX_SEGMENT_SIZE);
        }
        return step != null && step == 0
                ? Optional.of("--step is 0; it must be from 1 to the namespace's max_sequence")
                : Optional.empty();
    }

    /** Of a new namespace. */
    NamespaceSettings settings() {
        return change().of(new NamespaceSettings(
                name,
                Namespace.DEFAULT_CAPACITY,
                0,
                Keying.DIRECT,
                Order.LEASE,
                0,
                Namespace.DEFAULT_MAX_COUNT,
                Namespace.DEFAULT_MAX_JUMP,
                Long.MAX_VALUE));
    }

    /** Of one that is there. */
    NamespaceChange change() {
        return new NamespaceChange(
                capacity == null ? OptionalLong.empty() : OptionalLong.of(capacity),
                segmentSize == null ? OptionalInt.empty() : OptionalInt.of(segmentSize),
                Optional.ofNullable(keying),
                Optional.ofNullable(order),
                step == null ? OptionalLong.empty() : OptionalLong.of(step),
                maxCount == null ? OptionalInt.empty() : OptionalInt.of(maxCount),
                maxJump == null ? OptionalLong.empty() : OptionalLong.of(maxJump),
                maxSequence == null ? OptionalLong.empty() : OptionalLong.of(maxSequence));
    }
}
