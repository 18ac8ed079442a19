package io.seqsvr.chaos.sim;

import io.seqsvr.core.store.StoreView;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process's watch: a long poll at one peer of the store, and at another one when that does not answer. */
final class WatchLink {
    private static final long PATIENCE_NANOS = 5 * Nanos.SECOND;

    private final Agenda agenda;
    private final Network network;
    private final StoreGroup group;
    private final SplittableRandom random;
    private final int place;
    private final int firstPeer;
    private final Machine machine;
    private final Consumer<StoreView> seen;
    private int peer;
    private int polls;
    private PeerView.@Nullable Poll poll;
    private long lookedAt;
    private long version;

    /**
     * A watch.
     *
     * @param place of the process in the network
     * @param firstPeer place of the store's first peer in the network
     * @param machine where the process runs
     * @param seen gets each picture that is newer than the last
     */
    WatchLink(
            Agenda agenda,
            Network network,
            StoreGroup group,
            SplittableRandom random,
            int place,
            int firstPeer,
            Machine machine,
            Consumer<StoreView> seen) {
        this.agenda = agenda;
        this.network = network;
        this.group = group;
        this.random = random;
        this.place = place;
        this.firstPeer = firstPeer;
        this.machine = machine;
        this.seen = seen;
    }

    /** A new process, which has seen nothing, begins to watch. */
    void start() {
        version = 0;
        peer = random.nextInt(Mix.PEERS);
        ask();
    }

    /** Gives up the poll and asks another peer. */
    void elsewhere() {
        peer = (peer + 1 + random.nextInt(Mix.PEERS - 1)) % Mix.PEERS;
        ask();
    }

    /**
     * Looks after the poll now and then. One that the peer holds would be answered with nothing and sent again, to no
     * effect; one that got lost, on its way or with its answer, is not answered in time: another peer is asked.
     */
    void tick() {
        if (agenda.now() - lookedAt < PATIENCE_NANOS) {
            return;
        }
        lookedAt = agenda.now();
        if (poll == null || !group.peer(peer).holds(poll)) {
            elsewhere();
        }
    }

    private void ask() {
        polls++;
        int number = polls;
        int asked = peer;
        int life = machine.life();
        var mine = new PeerView.Poll(
                version, view -> network.call(firstPeer + asked, place, machine, life, () -> answered(number, view)));
        network.call(place, firstPeer + asked, () -> group.peer(asked).watch(mine));
        poll = mine;
        lookedAt = agenda.now();
    }

    private void answered(int number, StoreView view) {
        if (view.version() > version) {
            version = view.version();
            seen.accept(view);
        }
        if (number == polls) {
            ask();
        }
    }
}
