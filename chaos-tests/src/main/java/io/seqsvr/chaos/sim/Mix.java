package io.seqsvr.chaos.sim;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What one seed has drawn for itself: sizes, and which faults happen how often. Each seed is another mixture, as a
 * uniform one would hide what only some combinations show (swarm testing, Groce et al. 2012).
 *
 * @param allocators number of allocators
 * @param routers number of routers
 * @param clients number of clients
 * @param segments segments of each namespace
 * @param usersPerSegment users in each
 * @param step by how much max_seq is raised
 * @param two whether there is a second namespace, in QUORUM order and with colliding keys, beside the one in LEASE
 *     order
 * @param quorumOnly whether the first one is in QUORUM order as well
 * @param greatest whether sequences go up to the greatest that there is, and clients now and then ask for more
 * @param loss messages lost, of {@link #WHOLE}
 * @param duplication messages doubled, of {@link #WHOLE}
 * @param falseErrors commands that are delivered although their sender is told that they failed, of {@link #WHOLE}
 * @param longDelay messages delayed for long, of {@link #WHOLE}
 * @param longestDelayNanos bound of such a delay
 * @param tickNanos how often processes tick
 * @param operationNanos how often a client asks, in the mean
 * @param faultNanos how often a fault happens, in the mean
 * @param longestFaultNanos bound of what a pause, a cut or an outage lasts
 * @param weights how often each fault is drawn, relative to the others; absent for never
 */
public record Mix(
        int allocators,
        int routers,
        int clients,
        int segments,
        int usersPerSegment,
        long step,
        boolean two,
        boolean quorumOnly,
        boolean greatest,
        int loss,
        int duplication,
        int falseErrors,
        int longDelay,
        long longestDelayNanos,
        long tickNanos,
        long operationNanos,
        long faultNanos,
        long longestFaultNanos,
        Map<Fault, Integer> weights) {
    /** What loss, duplication and long delays are parts of. */
    public static final int WHOLE = 10_000;

    /** Peers of the store. */
    static final int PEERS = 3;
    /** Terms of every lease: ttl 3 s, drift 10 %. */
    static final LeaseTerms LEASE = new LeaseTerms(3 * Nanos.SECOND, 100);
    /** Waiting requests of one allocator: few, so that the bound is met. */
    static final int MAX_WAITING = 3;

    /** Numbers in one request at most. */
    static final int MAX_COUNT = 20;

    /** Greatest sequence of a namespace: far away, with room to grow. */
    static final long MAX_SEQUENCE = Long.MAX_VALUE / 2;

    /** One in so many worlds is of a special kind. */
    private static final int RARELY = 12;

    /** Draws a mixture: of everything, with some of it left out, or of what the aim names. */
    static Mix draw(SplittableRandom random, Aim aim) {
        var weights = weights(random, aim);
        boolean anything = aim.faults().isEmpty();
        boolean rough = aim.rough() || (anything && random.nextInt(5) == 0);
        boolean restless = aim.restless() || (anything && random.nextInt(5) == 0);
        boolean quorumOnly = aim.quorumOnly() || (anything && random.nextInt(RARELY) == 0);
        boolean greatest = aim.greatest() || (anything && random.nextInt(RARELY) == 0);
        return new Mix(
                3,
                2,
                3,
                2 + random.nextInt(3),
                1 + random.nextInt(2),
                10 + random.nextInt(60),
                random.nextInt(3) == 0,
                quorumOnly,
                greatest,
                rough ? 800 : oftenNone(random, 300),
                rough ? 800 : oftenNone(random, 200),
                rough ? 400 : oftenNone(random, 200),
                rough ? 1_500 : oftenNone(random, 300),
                Nanos.SECOND / 2 + random.nextLong(4 * Nanos.SECOND),
                (250 + random.nextInt(300)) * Nanos.MILLI,
                (850 + random.nextInt(140)) * Nanos.MILLI,
                restless ? Nanos.SECOND : (4 + random.nextInt(12)) * Nanos.SECOND,
                (3 + random.nextInt(8)) * Nanos.SECOND,
                weights);
    }

    /** Most of the faults, or some, or few: what happens between two of a kind matters as much as that they happen. */
    private static Map<Fault, Integer> weights(SplittableRandom random, Aim aim) {
        int ofSix = 1 + random.nextInt(4);
        var weights = new EnumMap<Fault, Integer>(Fault.class);
        for (var fault : Fault.values()) {
            if (aim.faults().isEmpty()
                    ? random.nextInt(6) < ofSix
                    : aim.faults().contains(fault)) {
                weights.put(fault, 1 + random.nextInt(4));
            }
        }
        if (weights.isEmpty()) {
            weights.put(Fault.KILL_ALLOCATOR, 1);
        }
        return weights;
    }

    private static int oftenNone(SplittableRandom random, int most) {
        return random.nextInt(3) == 0 ? 0 : random.nextInt(most);
    }

    /** Number of namespaces. */
    int namespaces() {
        return two ? 2 : 1;
    }

    /** The namespace of an id, 1 or 2. */
    Namespace namespace(int id) {
        return new Namespace(
                id,
                id == 1 ? "messages" : "moments",
                (long) segments * usersPerSegment,
                usersPerSegment,
                id == 1 ? Keying.DIRECT : Keying.HASHED,
                id == 1 && !quorumOnly ? Order.LEASE : Order.QUORUM,
                step,
                MAX_COUNT,
                greatest ? Long.MAX_VALUE : 4 * step,
                greatest ? Long.MAX_VALUE : MAX_SEQUENCE);
    }
}
