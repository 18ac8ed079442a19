package io.seqsvr.chaos.sim;

import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One simulated cluster with its clients, from the first moment to the last. */
final class World {
    /** After the last fault: pauses end, leases run out, timers run, everything is assigned and claimed anew. */
    private static final long HEALING_NANOS = 30 * Nanos.SECOND;
    /** In so many worlds one allocator never hears the store again: the others have to serve its users. */
    private static final int DEAF_ONE_IN = 3;
    /** Then every user is asked for again and again, and each must be answered. */
    private static final long STEADY_NANOS = 20 * Nanos.SECOND;
    /** Then nobody asks, and what is under way must come to its end: callers give up after eight seconds. */
    private static final long DRAINING_NANOS = 10 * Nanos.SECOND;
    /** The same with an allocator that hears nothing: callers give up after eight seconds, it after ten more. */
    private static final long DEAF_DRAINING_NANOS = 25 * Nanos.SECOND;

    private final SplittableRandom random;
    private final Mix mix;
    private final Agenda agenda = new Agenda();
    private final Tally tally = new Tally();
    private final Trace trace;
    private final Judge judge;
    private final Network network;
    private final StoreGroup store;
    private final List<AllocatorNode> allocators = new ArrayList<>();
    private final List<RouterNode> routers = new ArrayList<>();
    private final List<ClientNode> clients = new ArrayList<>();
    private final AllocatorNode twin;
    private final Faults faults;

    World(long seed, Mix mix, Guards guards, Collection<Promise> watched, Optional<Consumer<String>> reader) {
        this.random = new SplittableRandom(seed);
        this.mix = mix;
        this.trace = reader.map(lines -> Trace.to(agenda, lines)).orElseGet(() -> Trace.silent(agenda));
        this.judge = new Judge(mix, agenda, tally, trace, watched);
        this.network = new Network(agenda, random.split(), mix, peerPlace(Mix.PEERS) + 1);
        var peers = IntStream.range(0, Mix.PEERS).mapToObj(peer -> newMachine()).toList();
        this.store = new StoreGroup(agenda, random.split(), mix, peers, guards, tally);
        for (int i = 0; i < mix.allocators(); i++) {
            allocators.add(new AllocatorNode(this, "alloc-" + i, i, newMachine(), newLink(i), random.split(), guards));
        }
        for (int i = 0; i < mix.routers(); i++) {
            int place = mix.allocators() + i;
            routers.add(new RouterNode(this, place, i, newMachine(), newLink(place), random.split(), guards));
        }
        for (int i = 0; i < mix.clients(); i++) {
            int place = mix.allocators() + mix.routers() + i;
            clients.add(new ClientNode(this, place, mix.routers() + i, newMachine(), random.split(), guards));
        }
        int last = peerPlace(Mix.PEERS);
        this.twin = new AllocatorNode(this, "alloc-0", last, newMachine(), newLink(last), random.split(), guards);
        twin.leave();
        this.faults = new Faults(this, random.split());
    }

    private Machine newMachine() {
        return new Machine(agenda, random.split(), new MachineClocks(Faults.rate(random), random.nextLong(Nanos.HOUR)));
    }

    private StoreLink newLink(int place) {
        return new StoreLink(agenda, network, store, random.split(), place, peerPlace(0));
    }

    /**
     * Runs with faults for a while, and calm now and then, then heals and drains; stops early at a breach. Whatever a
     * part throws is one: no expected "no" is an exception.
     */
    void run(long faultyNanos) {
        try {
            live(faultyNanos);
        } catch (RuntimeException | AssertionError defect) {
            judge.accuse(Promise.SOUND, defect.toString());
            if (judge.broken().isEmpty()) {
                tally.countCutShort();
            }
            trace.say(() -> Arrays.toString(defect.getStackTrace()));
        }
        trace.mix(agenda.count());
        tally.count(agenda.now());
        tally.countUnjudged(judge.unjudged());
    }

    private void live(long faultyNanos) {
        allocators.forEach(AllocatorNode::start);
        routers.forEach(RouterNode::start);
        clients.forEach(ClientNode::start);
        faults.start();
        var calm = new Calm(this, faults, clients);
        long calmAt = Calm.EVERY_NANOS;
        while (agenda.now() < faultyNanos && judge.broken().isEmpty()) {
            agenda.runUntil(Math.min(faultyNanos, agenda.now() + 10 * Nanos.SECOND));
            if (agenda.now() >= calmAt && agenda.now() + Calm.nanos() < faultyNanos) {
                calm.pass();
                calmAt = agenda.now() + Calm.EVERY_NANOS;
            }
        }
        if (judge.broken().isEmpty()) {
            heal();
        }
    }

    private void heal() {
        trace.say(() -> "HEALING");
        faults.stop();
        network.heal();
        store.heal();
        boolean deaf = random.nextInt(DEAF_ONE_IN) == 0 && mix.weights().containsKey(Fault.CUT_WAY_FROM_STORE);
        if (deaf) {
            faults.deafen(allocators.get(random.nextInt(mix.allocators())));
        }
        agenda.runUntil(agenda.now() + HEALING_NANOS);
        long healed = agenda.now();
        var before = judge.served();
        clients.forEach(client -> client.steady(true));
        agenda.runUntil(agenda.now() + STEADY_NANOS);
        judge.requireServed(before, "in the " + STEADY_NANOS / Nanos.SECOND + " s after healing");
        clients.forEach(client -> client.rest(true));
        agenda.runUntil(agenda.now() + (deaf ? DEAF_DRAINING_NANOS : DRAINING_NANOS));
        for (var allocator : allocators) {
            if (allocator.waiting() > 0) {
                judge.accuse(
                        Promise.ALIVE, allocator.address() + " still lets " + allocator.waiting() + " requests wait");
            }
        }
        long open = routers.stream().mapToLong(RouterNode::open).sum()
                + clients.stream().mapToLong(client -> client.open(healed)).sum();
        if (open > 0) {
            judge.accuse(Promise.ALIVE, open + " calls have not ended, although nothing fails any more");
        }
    }

    /** A watch of a process at a place in the network. */
    WatchLink newWatch(int place, Machine machine, Consumer<StoreView> seen) {
        return new WatchLink(agenda, network, store, random.split(), place, peerPlace(0), machine, seen);
    }

    Mix mix() {
        return mix;
    }

    Agenda agenda() {
        return agenda;
    }

    Tally tally() {
        return tally;
    }

    Trace trace() {
        return trace;
    }

    Judge judge() {
        return judge;
    }

    Network network() {
        return network;
    }

    StoreGroup store() {
        return store;
    }

    AllocatorNode allocator(int place) {
        return allocators.get(place);
    }

    /** A machine on which now and then a process runs that bears the name and address of the first allocator. */
    AllocatorNode twin() {
        return twin;
    }

    /** The allocator that keeps a session, if it still does. */
    Optional<AllocatorNode> allocatorOf(long session) {
        return Stream.concat(allocators.stream(), Stream.of(twin))
                .filter(allocator -> session != 0 && allocator.session() == session)
                .findFirst();
    }

    /** Who is reached at an address: while a twin runs there either of the two, as it comes. */
    AllocatorNode allocatorAt(String address, SplittableRandom draws) {
        if (!twin.machine().isDown() && twin.address().equals(address) && draws.nextBoolean()) {
            return twin;
        }
        for (var allocator : allocators) {
            if (allocator.address().equals(address)) {
                return allocator;
            }
        }
        throw new IllegalStateException("no allocator serves at " + address);
    }

    List<RouterNode> routers() {
        return routers;
    }

    RouterNode anyRouter(SplittableRandom draws) {
        return routers.get(draws.nextInt(routers.size()));
    }

    /** Places in the network: allocators, routers, clients, peers of the store, the twin. */
    int peerPlace(int peer) {
        return mix.allocators() + mix.routers() + mix.clients() + peer;
    }

    /** Those of the allocators, and of the twin. */
    int[] allocatorPlaces() {
        return IntStream.concat(IntStream.range(0, mix.allocators()), IntStream.of(twin.place()))
                .toArray();
    }

    int[] callerPlaces() {
        return IntStream.range(mix.allocators(), peerPlace(0)).toArray();
    }
}
