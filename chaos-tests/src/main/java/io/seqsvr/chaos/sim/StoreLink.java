package io.seqsvr.chaos.sim;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One process's way to the store: it goes to the peer that it takes for the leader, follows redirections, and gives up
 * waiting for an answer after a while. A renewal's answer is waited for much longer: it does no harm when it is late.
 */
final class StoreLink {
    private static final long PATIENCE_NANOS = 700 * Nanos.MILLI;
    private static final long PATIENCE_FOR_RENEWALS_NANOS = 8 * Nanos.SECOND;
    private static final int REDIRECTIONS = 3;

    private final Agenda agenda;
    private final Network network;
    private final StoreGroup group;
    private final SplittableRandom random;
    private final int place;
    private final int firstPeer;
    private final Queue<Call> open = new ArrayDeque<>();
    private final Queue<Call> openRenewals = new ArrayDeque<>();
    private Call lastRenewal = Call.finished();
    private int leader;
    private long renewalsLostUntil;

    /** A command without outcome so far. */
    private static final class Call {
        final long deadline;
        final Runnable unanswered;
        boolean done;

        static Call finished() {
            var call = new Call(0, () -> {});
            call.done = true;
            return call;
        }

        Call(long deadline, Runnable unanswered) {
            this.deadline = deadline;
            this.unanswered = unanswered;
        }
    }

    /**
     * A link.
     *
     * @param place of the process in the network
     * @param firstPeer place of the store's first peer in the network
     */
    StoreLink(Agenda agenda, Network network, StoreGroup group, SplittableRandom random, int place, int firstPeer) {
        this.agenda = agenda;
        this.network = network;
        this.group = group;
        this.random = random;
        this.place = place;
        this.firstPeer = firstPeer;
    }

    /**
     * Sends a command.
     *
     * @param machine where it is sent, in its present life
     * @param answered gets the reply, even after {@code unanswered} was called
     * @param unanswered called when no answer has come in time, or the command was not submitted
     */
    void execute(Machine machine, StoreCommand command, Consumer<StoreReply> answered, Runnable unanswered) {
        boolean renewal =
                command instanceof StoreCommand.Renew renew && renew.holdings().isEmpty();
        var call = new Call(agenda.now() + (renewal ? PATIENCE_FOR_RENEWALS_NANOS : PATIENCE_NANOS), unanswered);
        if (renewal) {
            if (!lastRenewal.done) {
                // A new attempt goes to another peer; the earlier one's answer still counts.
                leader = random.nextInt(Mix.PEERS);
            }
            lastRenewal = call;
        }
        (renewal ? openRenewals : open).add(call);
        if (renewal && agenda.now() < renewalsLostUntil) {
            return;
        }
        send(machine, machine.life(), command, answered, call, REDIRECTIONS);
    }

    private void send(
            Machine machine,
            int life,
            StoreCommand command,
            Consumer<StoreReply> answered,
            Call call,
            int redirections) {
        int peer = leader;
        network.send(
                place,
                firstPeer + peer,
                () -> group.peer(peer)
                        .execute(
                                command,
                                reply -> network.send(
                                        firstPeer + peer,
                                        place,
                                        () -> machine.run(life, () -> {
                                            call.done = true;
                                            answered.accept(reply);
                                        })),
                                () -> network.send(
                                        firstPeer + peer,
                                        place,
                                        () -> machine.run(
                                                life,
                                                () -> redirected(
                                                        machine, life, command, answered, call, redirections)))));
    }

    private void redirected(
            Machine machine,
            int life,
            StoreCommand command,
            Consumer<StoreReply> answered,
            Call call,
            int redirections) {
        leader = group.hint(leader);
        if (call.done) {
            return;
        }
        if (redirections > 0) {
            send(machine, life, command, answered, call, redirections - 1);
        } else {
            call.done = true;
            call.unanswered.run();
        }
    }

    /** Renewals go over a connection of their own, which is broken for a while. */
    void loseRenewals(long nanos) {
        renewalsLostUntil = agenda.now() + nanos;
    }

    /** Gives up what has waited too long. */
    void tick() {
        giveUp(open);
        giveUp(openRenewals);
    }

    private void giveUp(Queue<Call> calls) {
        for (var call = calls.peek();
                call != null && (call.done || agenda.now() >= call.deadline);
                call = calls.peek()) {
            calls.remove();
            if (!call.done) {
                call.done = true;
                leader = random.nextInt(Mix.PEERS);
                call.unanswered.run();
            }
        }
    }

    /** The process died: what it waited for concerns nobody. */
    void forget() {
        open.clear();
        openRenewals.clear();
        lastRenewal.done = true;
    }
}
