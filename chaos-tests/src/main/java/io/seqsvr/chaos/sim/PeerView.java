package io.seqsvr.chaos.sim;

import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What one peer of the store shows to those who watch at it: the newest picture that it has applied. A peer that hears
 * nothing from the leader goes on to show its old one.
 */
final class PeerView {
    private final Agenda agenda;
    private final List<Poll> polls = new ArrayList<>();
    private StoreView shown;
    private StoreView newest;
    private long cutOffUntil;

    /**
     * A long poll.
     *
     * @param since version of the last picture that was seen
     * @param answer gets one that is newer
     */
    record Poll(long since, Consumer<StoreView> answer) {}

    PeerView(Agenda agenda, StoreView first) {
        this.agenda = agenda;
        this.shown = first;
        this.newest = first;
    }

    /** The log has come so far; here it is shown unless this peer does not hear of it. */
    void committed(StoreView view) {
        newest = view;
    }

    /** Hears nothing for a while. */
    void cutOff(long nanos, Runnable thenCatchUp) {
        cutOffUntil = agenda.now() + nanos;
        agenda.at(cutOffUntil, thenCatchUp);
    }

    boolean isCutOff() {
        return agenda.now() < cutOffUntil;
    }

    /** Nobody mends this peer any more; if it is cut off it stays so. */
    void stayAsItIs() {
        if (isCutOff()) {
            cutOffUntil = Long.MAX_VALUE;
        }
    }

    /** Applies what it has heard of. */
    void catchUp() {
        if (isCutOff() || shown.version() == newest.version()) {
            return;
        }
        shown = newest;
        if (polls.isEmpty()) {
            return;
        }
        // One that has seen more at another peer waits on.
        var held = List.copyOf(polls);
        polls.removeIf(poll -> shown.version() > poll.since());
        for (var poll : held) {
            if (shown.version() > poll.since()) {
                poll.answer().accept(shown);
            }
        }
    }

    /** A poll arrives: it is answered once there is a newer picture, and held until then. */
    void watch(Poll poll) {
        if (shown.version() > poll.since()) {
            poll.answer().accept(shown);
        } else {
            polls.add(poll);
        }
    }

    /** Whether a poll is held here. */
    boolean holds(Poll poll) {
        return polls.contains(poll);
    }

    /** Another peer starts in its place, from this picture. */
    void startAnew(StoreView first) {
        shown = first;
        newest = first;
        cutOffUntil = 0;
        forget();
    }

    /** The process died, and who polled there hears nothing. */
    void forget() {
        polls.clear();
    }
}
