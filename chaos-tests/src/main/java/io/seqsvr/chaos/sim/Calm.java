package io.seqsvr.chaos.sim;

import java.util.List;

/**
 * For half a minute in the midst of a run nothing fails: what faults have left behind heals, and every user must be
 * served again. Then owners hand over to each other while callers go on, and that must not cost a user a number.
 */
final class Calm {
    /** With faults, between one and the next. */
    static final long EVERY_NANOS = 480 * Nanos.SECOND;
    /** Pauses and cuts end, leases run out, and the dead are taken over from. */
    private static final long HEALING_NANOS = 15 * Nanos.SECOND;
    /** Users are asked for one after the other; older calls end, whose callers give up after eight seconds. */
    private static final long STEADY_NANOS = 10 * Nanos.SECOND;
    /** Nobody asks, and what is under way ends, as it takes milliseconds. */
    private static final long QUIET_NANOS = Nanos.SECOND;
    /** Every user is asked for several times. */
    private static final long HANDING_OVER_NANOS = 9 * Nanos.SECOND;

    private final World world;
    private final Faults faults;
    private final List<ClientNode> clients;

    Calm(World world, Faults faults, List<ClientNode> clients) {
        this.world = world;
        this.faults = faults;
        this.clients = clients;
    }

    /** How long it lasts. */
    static long nanos() {
        return HEALING_NANOS + STEADY_NANOS + HANDING_OVER_NANOS + 2 * QUIET_NANOS;
    }

    /** It comes and goes. */
    void pass() {
        world.trace().say(() -> "CALM");
        faults.rest(true);
        world.network().rest(true);
        run(HEALING_NANOS);
        var before = world.judge().served();
        world.judge().calm();
        clients.forEach(client -> client.steady(true));
        run(STEADY_NANOS);
        quiet();
        world.judge().calm();
        world.tally().forgetTaken();
        long handOvers = world.tally().handOvers();
        faults.handOverEverywhere();
        run(HANDING_OVER_NANOS);
        quiet();
        world.judge().requireServed(before, "within " + nanos() / Nanos.SECOND + " s of calm");
        // Of what was taken from the dead nobody knows how far it was used.
        world.judge().requireNoGap(world.tally().taken());
        world.tally().countCalmHandOvers(world.tally().handOvers() - handOvers);
        clients.forEach(client -> client.steady(false));
        world.network().rest(false);
        faults.rest(false);
        world.trace().say(() -> "CALM IS OVER");
    }

    private void quiet() {
        clients.forEach(client -> client.rest(true));
        run(QUIET_NANOS);
        clients.forEach(client -> client.rest(false));
    }

    private void run(long nanos) {
        world.agenda().runUntil(world.agenda().now() + nanos);
    }
}
