package io.seqsvr.chaos.sim;

import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreLeader;
import io.seqsvr.core.store.StoreView;

/** One peer of the store: its machine, and what it does by itself while it leads, or believes to. */
final class StorePeer {
    private static final long TICK_NANOS = 250 * Nanos.MILLI;
    /** By fast clocks the next tick is not later than this: who looks later stood still for the rest of that time. */
    private static final long LATE_NANOS = TICK_NANOS + 20 * Nanos.MILLI;

    private static final long UNANSWERED_NANOS = Nanos.SECOND;

    private final StoreGroup group;
    private final Agenda agenda;
    private final Machine machine;
    private final Guards guards;
    private final int place;
    private final PeerView view;
    private StoreLeader role;
    private ClockReading looked;
    private int leadership;

    StorePeer(StoreGroup group, Agenda agenda, Machine machine, Guards guards, int place, StoreView first) {
        this.group = group;
        this.agenda = agenda;
        this.machine = machine;
        this.guards = guards;
        this.place = place;
        this.view = new PeerView(agenda, first);
        this.role = new StoreLeader(guards);
        this.looked = clocks();
    }

    private ClockReading clocks() {
        return machine.clocks().readAll(agenda.now());
    }

    int place() {
        return place;
    }

    Machine machine() {
        return machine;
    }

    boolean mayLead() {
        return !machine.isDown() && !machine.isPaused() && !view.isCutOff();
    }

    void lead() {
        leadership++;
        int mine = leadership;
        machine.runInOrder(machine.life(), () -> {
            looked = clocks();
            role.lead(group.state(), looked);
            tick(mine);
        });
    }

    void follow() {
        leadership++;
        machine.runInOrder(machine.life(), () -> {
            if (group.leader() != place) {
                role.follow();
            }
        });
    }

    /** The process dies; another one starts from what is on disk, and follows. */
    void kill(long nanos) {
        boolean led = group.leader() == place;
        machine.die();
        leadership++;
        role = new StoreLeader(guards);
        view.forget();
        if (led) {
            group.depose(true);
        }
        agenda.after(nanos, this::start);
    }

    /** The process dies with its disk; another peer starts in its place, from the first picture of a new life. */
    void replace(StoreView first, long nanos) {
        kill(nanos);
        view.startAnew(first);
    }

    private void start() {
        machine.start();
        view.catchUp();
    }

    /** Somebody's long poll arrives. */
    void watch(PeerView.Poll poll) {
        machine.runInOrder(machine.life(), () -> view.watch(poll));
    }

    /** Whether it holds a long poll. */
    boolean holds(PeerView.Poll poll) {
        return view.holds(poll);
    }

    /** The log has come so far. */
    void show(StoreView newest) {
        view.committed(newest);
        catchUp();
    }

    private void catchUp() {
        machine.runInOrder(machine.life(), view::catchUp);
    }

    /** It follows, and hears nothing from the leader for a while. */
    void cutOff(long nanos) {
        view.cutOff(nanos, this::catchUp);
    }

    boolean isCutOff() {
        return view.isCutOff();
    }

    /** If it hears nothing it never will. */
    void stayAsItIs() {
        view.stayAsItIs();
    }

    /** A command arrives. */
    void execute(StoreCommand command, Asker asker) {
        // Mostly the process runs, and nothing need be kept for later.
        if (machine.runs()) {
            take(command, asker);
        } else {
            machine.runInOrder(machine.life(), () -> take(command, asker));
        }
    }

    private void take(StoreCommand command, Asker asker) {
        if (!role.leading()) {
            asker.redirect(place);
            return;
        }
        var refused = role.refuse(group.state(), command, machine.clocks().read(agenda.now()));
        if (refused.isPresent()) {
            asker.answer(place, refused.get());
        } else {
            group.propose(this, command, asker);
        }
    }

    /** A command of this peer was committed: it is applied here, and answered. */
    void committed(StoreGroup.Applied applied, StoreCommand command, Asker asker) {
        if (machine.runs()) {
            apply(applied, command, asker);
        } else {
            machine.runInOrder(machine.life(), () -> apply(applied, command, asker));
        }
    }

    private void apply(StoreGroup.Applied applied, StoreCommand command, Asker asker) {
        var now = machine.clocks().read(agenda.now());
        if (!applied.decision().changes().isEmpty()) {
            role.applied(applied.stamp(), applied.decision().changes(), now);
        }
        if (command instanceof StoreCommand.Renew renew) {
            role.renewed(group.state(), renew.session(), renew.attempt(), now);
        }
        asker.answer(place, role.complete(applied.decision().reply(), now));
    }

    private void tick(int inLeadership) {
        if (inLeadership != leadership) {
            return;
        }
        var now = clocks();
        long missed = now.monotonicSince(looked) - LATE_NANOS;
        if (missed > 0) {
            role.stoodStill(missed, now);
        }
        looked = now;
        for (var proposal : role.tick(now)) {
            propose(proposal);
        }
        machine.runAfter(TICK_NANOS, () -> tick(inLeadership));
    }

    private void propose(StoreCommand.ExpireSession proposal) {
        group.propose(this, proposal, Asker.NOBODY);
        // If it was applied the session is gone, and this has no effect.
        machine.runAfter(UNANSWERED_NANOS, () -> role.unanswered(proposal));
    }
}
