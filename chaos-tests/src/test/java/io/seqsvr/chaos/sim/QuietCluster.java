package io.seqsvr.chaos.sim;

import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster that runs in a network that loses nothing; nothing happens to it until its faults are started. */
final class QuietCluster {
    private static final long STEP = 20 * Nanos.MILLI;
    /** More than a message takes, or a commit, in a calm cluster. */
    private static final long ROUND_TRIP = 4 * Nanos.MILLI;

    private final World world;
    private final Faults faults;

    /**
     * A cluster that has run for a while.
     *
     * @param fault what its faults will be
     */
    QuietCluster(Fault fault) {
        var mix = Mixes.calm(Aim.at(fault));
        world = new World(1, mix, Guards.ALL, EnumSet.allOf(Promise.class), Optional.empty());
        faults = new Faults(world, new SplittableRandom(1));
        allocators().forEach(AllocatorNode::start);
        if (fault == Fault.RAISE_FLOOR_AT_STORE) {
            // Without routers no segment gets an owner, who alone could raise its floor.
            routerMachines().forEach(Machine::die);
        } else {
            world.routers().forEach(RouterNode::start);
        }
        pass(10 * Nanos.SECOND);
    }

    World world() {
        return world;
    }

    Faults faults() {
        return faults;
    }

    List<AllocatorNode> allocators() {
        return IntStream.range(0, world.mix().allocators())
                .mapToObj(world::allocator)
                .toList();
    }

    Stream<Machine> allocatorMachines() {
        return allocators().stream().map(AllocatorNode::machine);
    }

    Stream<Machine> routerMachines() {
        return world.routers().stream().map(RouterNode::machine);
    }

    Stream<Machine> peerMachines() {
        return IntStream.range(0, Mix.PEERS)
                .mapToObj(peer -> world.store().peer(peer).machine());
    }

    void pass(long nanos) {
        world.agenda().runUntil(world.agenda().now() + nanos);
    }

    /** Whether it is so at some moment of the time to come. */
    boolean comesTrue(BooleanSupplier mark, long within) {
        long end = world.agenda().now() + within;
        while (world.agenda().now() < end) {
            if (mark.getAsBoolean()) {
                return true;
            }
            pass(STEP);
        }
        return false;
    }

    /**
     * Which messages arrive.
     *
     * @param there whether any does on its way to the store
     * @param back whether any does on its way from the store
     */
    record Reach(boolean there, boolean back) {}

    /** Which messages between a place and the peers of the store arrive, of those sent now. */
    Reach reachesStore(int place) {
        var there = new ArrayList<Integer>();
        var back = new ArrayList<Integer>();
        for (int each = 0; each < Mix.PEERS; each++) {
            int peer = world.peerPlace(each);
            world.network().call(place, peer, () -> there.add(peer));
            world.network().call(peer, place, () -> back.add(peer));
        }
        pass(ROUND_TRIP);
        return new Reach(!there.isEmpty(), !back.isEmpty());
    }

    /** Whether some caller does not reach a place, or is not reached from it. */
    boolean isCutFromSomeCaller(int place) {
        var arrived = new ArrayList<Integer>();
        for (int caller : world.callerPlaces()) {
            world.network().call(caller, place, () -> arrived.add(caller));
            world.network().call(place, caller, () -> arrived.add(caller));
        }
        pass(ROUND_TRIP);
        return arrived.size() < 2 * world.callerPlaces().length;
    }

    /** Whether no message from one allocator to another arrives. */
    boolean allocatorsAreCutFromEachOther() {
        var arrived = new ArrayList<Integer>();
        for (var from : allocators()) {
            allocators().stream()
                    .filter(to -> to != from)
                    .forEach(to -> world.network().call(from.place(), to.place(), () -> arrived.add(to.place())));
        }
        pass(ROUND_TRIP);
        return arrived.isEmpty();
    }

    /** Whether the store answers each command late, and not all of them together as after an outage. */
    boolean storeAnswersLate() {
        return patternOfTwoAnswers().matches("0+11+2+");
    }

    /** Whether the store answers no command for long. */
    boolean storeIsAway() {
        return patternOfTwoAnswers().matches("0+");
    }

    /** How many of two commands that are sent together are answered, looked at again and again. */
    private String patternOfTwoAnswers() {
        var answers = new ArrayList<StoreReply>();
        var pattern = new StringBuilder();
        for (int i = 0; i < 2; i++) {
            world.store()
                    .peer(world.store().leader())
                    .execute(new StoreCommand.Expel(-1), (peer, reply) -> answers.add(reply));
        }
        for (int i = 0; i < 500; i++) {
            pass(ROUND_TRIP);
            pattern.append(answers.size());
        }
        return pattern.toString();
    }

    /** Asks every allocator for a sequence of every user of the first namespace. */
    void askForSequences() {
        long users = (long) world.mix().segments() * world.mix().usersPerSegment();
        for (var allocator : allocators()) {
            for (long uid = 0; uid < users; uid++) {
                var segment = new SegmentId(1, world.mix().namespace(1).segmentOf(uid));
                var call = new Call.Next("messages", uid, 1, 0);
                var frame =
                        new Frame(uid, allocator.address(), List.of(new Frame.Place(call, segment, 0)), Nanos.SECOND);
                allocator.ask(frame, 0, answers -> {});
            }
        }
    }
}
