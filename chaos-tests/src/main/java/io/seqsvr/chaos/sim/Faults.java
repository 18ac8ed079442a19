package io.seqsvr.chaos.sim;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.ClusterChange;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreState;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Draws what goes wrong next, and makes it go wrong. */
final class Faults {
    /** Clocks of a machine fail in one way at a time: a suspend and a step back of equal length hide each other. */
    private static final long BETWEEN_CLOCK_FAULTS = 20 * Nanos.SECOND;
    /** How long after a backup the store is lost. */
    private static final long OLDEST_BACKUP = 60 * Nanos.SECOND;
    /** How long a dead allocator stays away: several times as long as its session outlives it. */
    private static final long LONGEST_ABSENCE = 20 * Nanos.SECOND;
    /** No two machines' rates differ by more than the drift of 10 %. */
    private static final double SLOWEST = 0.9540;

    private static final double FASTEST = 1.0488;
    /** A process ticks several times within it. */
    private static final long SHORTEST_TTL = 3 * Nanos.SECOND / 2;

    private static final long LONGEST_TTL = 6 * Nanos.SECOND;
    /** A leader that stands still for longer leads no more when it goes on. */
    private static final long ELECTION_NANOS = Nanos.SECOND;

    private final World world;
    private final SplittableRandom random;
    private final List<Fault> deck = new ArrayList<>();
    private final long[] clockFaultAt;
    private final StoreState firstBackup;
    private StoreState backup;
    private boolean restoring;
    private boolean resting;
    private boolean over;

    Faults(World world, SplittableRandom random) {
        this.world = world;
        this.random = random;
        this.firstBackup = world.store().state().copy();
        this.backup = firstBackup;
        this.clockFaultAt = new long[world.mix().allocators()];
        world.mix().weights().forEach((fault, weight) -> {
            for (int i = 0; i < weight; i++) {
                deck.add(fault);
            }
        });
    }

    static double rate(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> SLOWEST;
            case 1 -> FASTEST;
            default -> SLOWEST + random.nextDouble() * (FASTEST - SLOWEST);
        };
    }

    void start() {
        world.agenda().after(random.nextLong(2 * world.mix().faultNanos()), this::next);
    }

    void stop() {
        over = true;
    }

    /** Whether nothing new goes wrong; what has ends by itself, and what has yet to begin does not. */
    void rest(boolean from) {
        resting = from;
        for (int place = 0; place < world.mix().allocators(); place++) {
            world.allocator(place).pauseBeforeAnswer(0);
        }
    }

    private void next() {
        if (over) {
            return;
        }
        if (!resting) {
            happen(deck.get(random.nextInt(deck.size())));
            if (random.nextInt(4) == 0) {
                happen(deck.get(random.nextInt(deck.size())));
            }
        }
        start();
    }

    private long duration() {
        return random.nextLong(world.mix().longestFaultNanos());
    }

    private void happen(Fault fault) {
        world.tally().count(fault);
        world.trace().mix(fault.name().hashCode());
        world.trace().say(() -> "FAULT " + fault);
        int place = random.nextInt(world.mix().allocators());
        var allocator = world.allocator(place);
        switch (fault) {
            case KILL_ALLOCATOR -> allocator.kill(absence());
            case RESTART_ALLOCATOR -> allocator.restart(random.nextBoolean(), random.nextLong(500 * Nanos.MILLI));
            case RESTART_ALL_ALLOCATORS -> restartAll();
            case PAUSE_ALLOCATOR -> allocator.machine().pause(duration());
            case SUSPEND_ALLOCATOR -> suspend(place, allocator.machine());
            case SUSPEND_AND_SET_BACK -> suspendAndSetBack(place, allocator);
            case PAUSE_BEFORE_ANSWER -> allocator.pauseBeforeAnswer(duration());
            case START_TWIN -> world.twin().visit(duration());
            case CUT_ALLOCATOR_FROM_STORE -> cutFromStore(allocator.place(), true, true);
            case CUT_WAY_TO_STORE -> cutFromStore(allocator.place(), true, false);
            case CUT_WAY_FROM_STORE -> cutFromStore(allocator.place(), false, true);
            case LOSE_RENEWALS -> allocator.loseRenewals(duration());
            case CUT_ALLOCATORS -> cutAllocators();
            case CUT_ALLOCATOR_FROM_CALLERS -> cutFromCallers(allocator.place());
            case SET_ALLOCATOR_CLOCK -> setClock(place, allocator.machine());
            case CHANGE_RATE -> anyMachine().clocks().setRate(world.agenda().now(), rate(random));
            case CHANGE_LEADER -> world.store().depose(random.nextBoolean());
            case FREEZE_LEADER -> freezeLeader();
            case PAUSE_LEADER -> pauseLeader();
            case KILL_PEER -> world.store().peer(random.nextInt(Mix.PEERS)).kill(duration());
            case STORE_DOWN -> world.store().goDown(duration());
            case STORE_SLOW -> world.store().goSlow(duration());
            case STALE_PEER -> world.store().cutOffFollower(duration());
            case SET_LEADER_CLOCK -> setLeaderClock();
            case PAUSE_ROUTER -> pauseRouters();
            case KILL_ROUTER -> world.anyRouter(random).restart(random.nextLong(Nanos.SECOND));
            case CUT_ROUTER_FROM_STORE -> cutFromStore(world.anyRouter(random).place(), true, true);
            case HAND_OVER -> handOver(allocator);
            case EXPEL -> atStore(new StoreCommand.Expel(allocator.session()));
            case RAISE_FLOOR_AT_STORE -> raiseFloor();
            case ALTER_NAMESPACE -> alterNamespace();
            case ALTER_LEASE -> atStore(new StoreCommand.AlterCluster(ClusterChange.to(terms())));
            case RESTORE -> restore();
        }
    }

    /** Mostly so short that its session still lives; now and then so long that its segments are long with others. */
    private long absence() {
        return random.nextInt(4) == 0 ? random.nextLong(LONGEST_ABSENCE) : random.nextLong(500 * Nanos.MILLI);
    }

    private void restartAll() {
        for (int place = 0; place < world.mix().allocators(); place++) {
            world.allocator(place).restart(true, random.nextLong(500 * Nanos.MILLI));
        }
    }

    private void suspend(int place, Machine machine) {
        if (clocksMayFail(place)) {
            machine.suspend(duration());
        }
    }

    /** For longer than clocks may disagree: what is shorter the drift has to cover, until a tick sees it. */
    private void suspendAndSetBack(int place, AllocatorNode allocator) {
        if (clocksMayFail(place)) {
            allocator.suspendAndSetBack(Nanos.SECOND + duration());
        }
    }

    private void setClock(int place, Machine machine) {
        if (clocksMayFail(place)) {
            machine.clocks().stepWall(step());
        }
    }

    private boolean clocksMayFail(int place) {
        long now = world.agenda().now();
        if (clockFaultAt[place] > 0 && now - clockFaultAt[place] < BETWEEN_CLOCK_FAULTS) {
            return false;
        }
        clockFaultAt[place] = now;
        return true;
    }

    private long step() {
        long step = random.nextInt(4) == 0 ? 2 * Nanos.HOUR : random.nextLong(6 * Nanos.SECOND);
        return random.nextBoolean() ? step : -step;
    }

    private Machine anyMachine() {
        int peer = random.nextInt(Mix.PEERS + world.mix().allocators());
        return peer < Mix.PEERS
                ? world.store().peer(peer).machine()
                : world.allocator(peer - Mix.PEERS).machine();
    }

    /** What the store says never reaches this allocator again. */
    void deafen(AllocatorNode allocator) {
        world.trace().say(() -> allocator.address() + " hears the store no more");
        for (int peer = 0; peer < Mix.PEERS; peer++) {
            world.network().cut(world.peerPlace(peer), allocator.place(), Nanos.HOUR);
        }
    }

    private void cutFromStore(int place, boolean to, boolean from) {
        long nanos = duration();
        for (int peer = 0; peer < Mix.PEERS; peer++) {
            if (to) {
                world.network().cut(place, world.peerPlace(peer), nanos);
            }
            if (from) {
                world.network().cut(world.peerPlace(peer), place, nanos);
            }
        }
    }

    private void cutAllocators() {
        long nanos = duration();
        int[] places = world.allocatorPlaces();
        for (int from : places) {
            for (int to : places) {
                world.network().cut(from, to, nanos);
            }
        }
    }

    private void cutFromCallers(int place) {
        long nanos = duration();
        for (int caller : world.callerPlaces()) {
            if (random.nextBoolean()) {
                world.network().cut(caller, place, nanos);
            }
            if (random.nextBoolean()) {
                world.network().cut(place, caller, nanos);
            }
        }
    }

    /** It stands still, alone or with its whole machine, and somebody else is elected. */
    private void freezeLeader() {
        int leader = world.store().leader();
        if (leader < 0) {
            return;
        }
        var machine = world.store().peer(leader).machine();
        long nanos = duration();
        world.store().depose(false);
        if (random.nextBoolean()) {
            machine.pause(nanos);
        } else {
            machine.suspend(nanos);
        }
    }

    /** What follows counts on it to notice that it stood still. */
    private void pauseLeader() {
        int leader = world.store().leader();
        if (leader >= 0) {
            world.store().peer(leader).machine().pause(random.nextLong(ELECTION_NANOS));
        }
    }

    private void setLeaderClock() {
        int leader = world.store().leader();
        if (leader >= 0) {
            world.store().peer(leader).machine().clocks().stepWall(step());
        }
    }

    private void handOver(AllocatorNode from) {
        long session = from.session();
        var segments = world.store().state().segments().stream()
                .filter(segment -> segment.owner() == session)
                .map(SegmentRecord::id)
                .filter(segment -> random.nextBoolean())
                .toList();
        var to = world.allocator(random.nextInt(world.mix().allocators()));
        if (!segments.isEmpty()) {
            from.handOver(segments, to.session());
        }
    }

    /** Every owner hands over, some of what it owns, to anybody. */
    void handOverEverywhere() {
        for (int place = 0; place < world.mix().allocators(); place++) {
            handOver(world.allocator(place));
        }
    }

    private void pauseRouters() {
        long nanos = duration();
        if (random.nextBoolean()) {
            world.anyRouter(random).machine().pause(nanos);
        } else {
            world.routers().forEach(router -> router.machine().pause(nanos));
        }
    }

    /** Of a segment that has no owner, if there is one: others are refused. */
    private void raiseFloor() {
        var state = world.store().state();
        var free = state.segments().stream()
                .filter(segment ->
                        segment.isReleased() || state.session(segment.owner()).isEmpty())
                .map(SegmentRecord::id)
                .toList();
        var id = free.isEmpty()
                ? new SegmentId(
                        1 + random.nextInt(world.mix().namespaces()),
                        random.nextInt(world.mix().segments()))
                : free.get(random.nextInt(free.size()));
        long floor = world.store().maxSeq(id)
                + random.nextLong(2 * world.mix().step())
                - world.mix().step();
        if (floor > 0) {
            atStore(new StoreCommand.RaiseFloor(id, floor));
        }
    }

    /** Order may be altered at any time, but not to one that rests on clocks where nobody trusts them. */
    private void alterNamespace() {
        int id = 1 + random.nextInt(world.mix().namespaces());
        var namespace = world.store().state().namespace(id).orElseThrow();
        var other = namespace.order() == Order.LEASE ? Order.QUORUM : Order.LEASE;
        var change = switch (random.nextInt(6)) {
            case 0 -> NamespaceChange.NONE.withStep(1 + random.nextInt(70));
            case 1 ->
                NamespaceChange.NONE.withMaxSequence(Math.max(namespace.maxSequence(), namespace.maxSequence() + 1));
            default -> NamespaceChange.NONE.withOrder(world.mix().quorumOnly() ? Order.QUORUM : other);
        };
        atStore(new StoreCommand.AlterNamespace(namespace.name(), change));
    }

    /** The drift is never less than that of the clocks. */
    private LeaseTerms terms() {
        long ttl = SHORTEST_TTL + random.nextLong(LONGEST_TTL - SHORTEST_TTL);
        return new LeaseTerms(ttl, Mix.LEASE.driftPermille() + random.nextInt(100));
    }

    /** From a copy of this moment, or once more from the last one, or from the first of all, and after a while. */
    private void restore() {
        if (restoring) {
            return;
        }
        restoring = true;
        backup = switch (random.nextInt(6)) {
            case 0 -> firstBackup;
            case 1 -> backup;
            default -> world.store().state().copy();
        };
        var copy = backup;
        world.agenda().after(random.nextLong(OLDEST_BACKUP), () -> restore(copy));
    }

    private void restore(StoreState copy) {
        if (resting) {
            world.agenda().after(Calm.nanos(), () -> restore(copy));
            return;
        }
        restoring = false;
        if (!over) {
            world.trace().say(() -> "RESTORED");
            world.store().restore(copy, 1 + random.nextLong(world.mix().step()), random.nextLong(Nanos.SECOND));
        }
    }

    /** An operator's command: goes to the leader without detours. */
    private void atStore(StoreCommand command) {
        int leader = world.store().leader();
        if (leader < 0) {
            return;
        }
        world.store().peer(leader).execute(command, (peer, reply) -> told(command, reply));
    }

    private void told(StoreCommand command, StoreReply reply) {
        if (command instanceof StoreCommand.RaiseFloor floor && reply instanceof StoreReply.FloorRaised) {
            world.judge()
                    .floorRaised(floor.segment().namespaceId(), floor.segment().index(), floor.floor());
        }
    }
}
