package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.fault.LinkFault;
import io.seqsvr.chaos.network.LinkState;
import io.seqsvr.chaos.network.Links;
import java.time.Duration;
import java.util.List;

/** Makes faults of the links between a node and others. */
final class LinkFaults {
    private static final Duration LATE = Duration.ofSeconds(2);
    private static final int PER_CENT = 10_000;
    private static final int PER_MILLE = 1_000;
    private static final int NARROW_KILOBITS = 256;
    private static final LinkState DELAYED = LinkState.CLEAN.delaying(Duration.ofMillis(100), Duration.ofMillis(50));
    private static final LinkState ROUGH = DELAYED.losing(PER_CENT).mangling(PER_CENT, PER_CENT, PER_MILLE);
    /** Of one thing alone more, so that it shows by itself. */
    private static final int SOME = 5 * PER_CENT;

    private LinkFaults() {}

    /** Of a node to which nobody speaks by himself: one way of a cut may not show for long. */
    static Fault ofCaller(FaultKind kind, String node, List<String> others, Links links) {
        return kind == FaultKind.CUT
                ? LinkFault.both(kind.verb(), node, others, links, LinkState.CUT)
                : of(kind, node, others, links);
    }

    static Fault of(FaultKind kind, String node, List<String> others, Links links) {
        var verb = kind.verb();
        return switch (kind) {
            // StoreSvr's peers call nobody but each other.
            case SPLIT -> LinkFault.both(verb, node, others, links, LinkState.CUT);
            case CUT -> LinkFault.eachWay(verb, node, others, links, LinkState.CUT);
            case CUT_IN -> LinkFault.in(verb, node, others, links, LinkState.CUT);
            case CUT_OUT -> LinkFault.out(verb, node, others, links, LinkState.CUT);
            case ROUGHEN -> LinkFault.both(verb, node, others, links, ROUGH);
            case LOSE -> LinkFault.both(verb, node, others, links, LinkState.CLEAN.losing(SOME));
            case DELAY -> LinkFault.both(verb, node, others, links, DELAYED);
            case DOUBLE -> LinkFault.both(verb, node, others, links, LinkState.CLEAN.mangling(SOME, 0, 0));
            case OVERTAKE -> LinkFault.both(verb, node, others, links, LinkState.CLEAN.mangling(0, SOME, 0));
            case DAMAGE -> LinkFault.both(verb, node, others, links, LinkState.CLEAN.mangling(0, 0, PER_CENT));
            case LAG -> LinkFault.both(verb, node, others, links, LinkState.CLEAN.delaying(LATE, Duration.ZERO));
            case SPIKE -> LinkFault.both(verb, node, others, links, LinkState.CLEAN.spiking(LATE));
            case RESET -> LinkFault.both(verb, node, others, links, LinkState.CLEAN.resetting(PER_CENT));
            case NARROW -> LinkFault.both(verb, node, others, links, LinkState.CLEAN.limitedTo(NARROW_KILOBITS));
            default -> throw new IllegalArgumentException(kind + " is none of links");
        };
    }
}
