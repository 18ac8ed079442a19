package io.seqsvr.chaos.sim;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

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
    private @Nullable Call lastRenewal;
    private int leader;
    private long renewalsLostUntil;

    /** The process whose commands they are, each with its number there. */
    interface Sender {
        /** The reply, even after {@link #unanswered} was called. */
        void answered(long call, StoreReply reply);

        /** No answer has come in time, or the command was not submitted. */
        void unanswered(long call);
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
     */
    void execute(Machine machine, Sender sender, long number, StoreCommand command) {
        var call = new Call(machine, sender, number, command);
        if (command instanceof StoreCommand.Renew renew && renew.holdings().isEmpty()) {
            renew(call);
            return;
        }
        open.add(call);
        call.send();
        if (network.failsFalsely()) {
            machine.runAfter(Nanos.MILLI, call::giveUp);
        }
    }

    private void renew(Call call) {
        if (lastRenewal != null && !lastRenewal.done) {
            // A new attempt goes to another peer; the earlier one's answer still counts.
            leader = random.nextInt(Mix.PEERS);
        }
        lastRenewal = call;
        openRenewals.add(call);
        if (agenda.now() >= renewalsLostUntil) {
            call.send();
        }
    }

    /** A command on its way, there or back. */
    private final class Call implements Asker {
        final Machine machine;
        final int life;
        final Sender sender;
        final long number;
        final StoreCommand command;
        final long sentAt = agenda.now();
        int redirections = REDIRECTIONS;
        boolean done;

        Call(Machine machine, Sender sender, long number, StoreCommand command) {
            this.machine = machine;
            this.life = machine.life();
            this.sender = sender;
            this.number = number;
            this.command = command;
        }

        void send() {
            int peer = leader;
            network.send(place, firstPeer + peer, () -> group.peer(peer).execute(command, this));
        }

        @Override
        public void answer(int peer, StoreReply reply) {
            network.send(firstPeer + peer, place, machine, life, () -> {
                done = true;
                sender.answered(number, reply);
            });
        }

        @Override
        public void redirect(int peer) {
            network.send(firstPeer + peer, place, machine, life, this::redirected);
        }

        private void redirected() {
            leader = group.hint(leader);
            if (done) {
                return;
            }
            if (redirections-- > 0) {
                send();
            } else {
                giveUp();
            }
        }

        void giveUp() {
            if (!done) {
                done = true;
                sender.unanswered(number);
            }
        }
    }

    /** Renewals go over a connection of their own, which is broken for a while. */
    void loseRenewals(long nanos) {
        renewalsLostUntil = agenda.now() + nanos;
    }

    /** Gives up what has waited too long. */
    void tick() {
        giveUp(open, PATIENCE_NANOS);
        giveUp(openRenewals, PATIENCE_FOR_RENEWALS_NANOS);
    }

    private void giveUp(Queue<Call> calls, long patience) {
        for (var call = calls.peek(); call != null && isOver(call, patience); call = calls.peek()) {
            calls.remove();
            if (!call.done) {
                leader = random.nextInt(Mix.PEERS);
                call.giveUp();
            }
        }
    }

    private boolean isOver(Call call, long patience) {
        return call.done || agenda.now() - call.sentAt >= patience;
    }

    /** The process died: what it waited for concerns nobody. */
    void forget() {
        open.clear();
        openRenewals.clear();
        lastRenewal = null;
    }
}
