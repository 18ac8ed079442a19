package io.seqsvr.chaos.sim;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import java.util.HashMap;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What one sees of each fault from outside: at machines, clocks and links, and by what the store says. */
final class FaultMarks {
    private final QuietCluster cluster;
    private final World world;

    private FaultMarks(QuietCluster cluster) {
        this.cluster = cluster;
        this.world = cluster.world();
    }

    /** True at a moment at which a cluster bears the mark of a fault that it does not bear now. */
    static BooleanSupplier of(Fault fault, QuietCluster cluster) {
        return new FaultMarks(cluster).of(fault);
    }

    private BooleanSupplier of(Fault fault) {
        return switch (fault) {
            case KILL_ALLOCATOR -> diesAndItsSession(true);
            case RESTART_ALLOCATOR -> diesAndItsSession(false);
            case RESTART_ALL_ALLOCATORS -> () -> cluster.allocatorMachines().allMatch(machine -> machine.life() > 0);
            case PAUSE_ALLOCATOR -> () -> cluster.allocatorMachines().anyMatch(Machine::isPaused);
            case PAUSE_BEFORE_ANSWER -> this::standsStillWhenAsked;
            case START_TWIN -> () -> !world.twin().machine().isDown();
            case SUSPEND_ALLOCATOR -> clocks(cluster.allocatorMachines(), FaultMarks::wasSuspended);
            case SUSPEND_AND_SET_BACK -> clocks(cluster.allocatorMachines(), FaultMarks::wasSuspendedAndSetBack);
            case SET_ALLOCATOR_CLOCK -> clocks(cluster.allocatorMachines(), FaultMarks::wasSet);
            case SET_LEADER_CLOCK -> clocks(cluster.peerMachines(), FaultMarks::wasSet);
            case CHANGE_RATE -> rateChanges();
            case CUT_ALLOCATOR_FROM_STORE, CUT_WAY_TO_STORE, CUT_WAY_FROM_STORE ->
                () -> cluster.allocators().stream().anyMatch(allocator -> isCut(fault, allocator.place()));
            case CUT_ROUTER_FROM_STORE ->
                () -> world.routers().stream().anyMatch(router -> isCut(fault, router.place()));
            case CUT_ALLOCATOR_FROM_CALLERS ->
                () -> cluster.allocators().stream()
                        .anyMatch(allocator -> cluster.isCutFromSomeCaller(allocator.place()));
            case CUT_ALLOCATORS -> cluster::allocatorsAreCutFromEachOther;
            case LOSE_RENEWALS -> () -> world.tally().sessionsLost() > 0;
            case CHANGE_LEADER ->
                () -> world.store().leader() < 0 && cluster.peerMachines().noneMatch(Machine::isPaused);
            case FREEZE_LEADER ->
                () -> world.store().leader() < 0 && cluster.peerMachines().anyMatch(Machine::isPaused);
            case PAUSE_LEADER ->
                () -> world.store().leader() >= 0
                        && world.store().peer(world.store().leader()).machine().isPaused();
            case KILL_PEER -> () -> cluster.peerMachines().anyMatch(Machine::isDown);
            case STORE_DOWN -> cluster::storeIsAway;
            case STORE_SLOW -> cluster::storeAnswersLate;
            case STALE_PEER ->
                () -> IntStream.range(0, Mix.PEERS)
                        .anyMatch(peer -> world.store().peer(peer).isCutOff());
            case PAUSE_ROUTER -> () -> cluster.routerMachines().anyMatch(Machine::isPaused);
            case KILL_ROUTER -> () -> cluster.routerMachines().anyMatch(Machine::isDown);
            case HAND_OVER -> moreHandOvers();
            case EXPEL -> () -> world.store().state().sessions().stream().anyMatch(Session::expelled);
            case RAISE_FLOOR_AT_STORE -> this::somebodyWasToldOfAFloor;
            case ALTER_NAMESPACE -> settingsChange();
            case ALTER_LEASE -> () -> !world.store().view().lease().equals(Mix.LEASE);
            case RESTORE -> () -> world.store().view().incarnation() > 0;
        };
    }

    /** A process that was killed leaves its session to its timer; one that stops ends it. Its first death tells. */
    private BooleanSupplier diesAndItsSession(boolean stays) {
        var sessions = new HashMap<AllocatorNode, Long>();
        cluster.allocators().forEach(allocator -> sessions.put(allocator, allocator.session()));
        return () -> {
            var dead = sessions.keySet().stream()
                    .filter(allocator -> allocator.machine().life() > 0)
                    .toList();
            cluster.pass(dead.isEmpty() ? 0 : Nanos.SECOND);
            return dead.stream()
                    .map(sessions::remove)
                    .anyMatch(session -> world.store().state().session(session).isPresent() == stays);
        };
    }

    private boolean standsStillWhenAsked() {
        if (cluster.allocatorMachines().anyMatch(Machine::isPaused)) {
            return false;
        }
        cluster.askForSequences();
        return cluster.allocatorMachines().anyMatch(Machine::isPaused);
    }

    /** Routers hand over by themselves too, until the allocators have equal shares; a quiet cluster is past that. */
    private BooleanSupplier moreHandOvers() {
        long before = world.tally().handOvers();
        return () -> world.tally().handOvers() > before;
    }

    private BooleanSupplier settingsChange() {
        var before = world.store().view().namespaces();
        return () -> !world.store().view().namespaces().equals(before);
    }

    private boolean somebodyWasToldOfAFloor() {
        return world.store().state().segments().stream().map(SegmentRecord::id).anyMatch(this::wasPromised);
    }

    private boolean wasPromised(SegmentId segment) {
        var namespace = world.mix().namespace(segment.namespaceId());
        return LongStream.range(0, namespace.capacity())
                .filter(uid -> namespace.segmentOf(uid) == segment.index())
                .anyMatch(uid -> world.judge().highest(segment.namespaceId(), uid) > 0);
    }

    private boolean isCut(Fault fault, int place) {
        boolean to = fault != Fault.CUT_WAY_FROM_STORE;
        boolean from = fault != Fault.CUT_WAY_TO_STORE;
        return cluster.reachesStore(place).equals(new QuietCluster.Reach(!to, !from));
    }

    /** A machine and what its clocks showed. */
    private record Seen(Machine machine, ClockReading reading) {}

    private Seen look(Machine machine) {
        return new Seen(machine, machine.clocks().readAll(world.agenda().now()));
    }

    private BooleanSupplier clocks(Stream<Machine> machines, BiPredicate<ClockReading, ClockReading> mark) {
        var before = machines.map(this::look).toList();
        return () -> before.stream()
                .anyMatch(seen -> mark.test(seen.reading(), look(seen.machine()).reading()));
    }

    private static boolean wasSuspended(ClockReading before, ClockReading after) {
        return passed(before, after) != after.monotonicNanos() - before.monotonicNanos()
                && passed(before, after) == after.wallNanos() - before.wallNanos();
    }

    private static boolean wasSuspendedAndSetBack(ClockReading before, ClockReading after) {
        return passed(before, after) != after.monotonicNanos() - before.monotonicNanos()
                && after.wallNanos() - before.wallNanos() == after.monotonicNanos() - before.monotonicNanos();
    }

    private static boolean wasSet(ClockReading before, ClockReading after) {
        return passed(before, after) == after.monotonicNanos() - before.monotonicNanos()
                && passed(before, after) != after.wallNanos() - before.wallNanos();
    }

    private static long passed(ClockReading before, ClockReading after) {
        return after.bootNanos() - before.bootNanos();
    }

    private BooleanSupplier rateChanges() {
        var begin = Stream.concat(cluster.peerMachines(), cluster.allocatorMachines())
                .map(this::look)
                .toList();
        cluster.pass(Nanos.SECOND);
        var inASecond = begin.stream().map(this::passedSince).toList();
        long since = world.agenda().now() - Nanos.SECOND;
        return () -> {
            double seconds = (double) (world.agenda().now() - since) / Nanos.SECOND;
            return IntStream.range(0, begin.size())
                    .anyMatch(i -> Math.abs(passedSince(begin.get(i)) - seconds * inASecond.get(i)) > Nanos.MILLI);
        };
    }

    private long passedSince(Seen seen) {
        return passed(seen.reading(), look(seen.machine()).reading());
    }
}
