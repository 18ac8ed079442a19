package io.seqsvr.chaos.proxy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/** One toxic at work on one direction of one connection: a line in which parcels wait until they may go on. */
final class Stage implements Treatment.Line {
    private final Timers timers;
    private final SplittableRandom random;
    private final BiConsumer<Stage, Parcel> next;
    private final long struckNanos;
    private final Deque<Waiting> line = new ArrayDeque<>();

    private Toxic toxic;
    private Treatment treatment;
    private Optional<Runnable> cancelHead = Optional.empty();
    private Optional<Runnable> cancelDeadline = Optional.empty();
    private long heldBytes;
    private long passedBytes;
    private boolean lost;
    private boolean over;

    private record Waiting(Parcel parcel, long dueNanos) {}

    /**
     * The toxic strikes now.
     *
     * @param next is given what may go on, and from where
     */
    Stage(Toxic toxic, Timers timers, SplittableRandom random, BiConsumer<Stage, Parcel> next) {
        this.toxic = toxic;
        this.timers = timers;
        this.random = random;
        this.next = next;
        this.struckNanos = timers.nanoTime();
        this.treatment = Treatments.of(toxic.effect(), random);
        setDeadline();
    }

    Toxic toxic() {
        return toxic;
    }

    long heldBytes() {
        return heldBytes;
    }

    boolean holdsAll() {
        return treatment.holdsAll();
    }

    void take(Parcel parcel) {
        if (!over) {
            treatment.take(parcel, this);
        }
    }

    /** The toxic has other amounts from now on, also for those that wait. */
    void change(Toxic changed) {
        toxic = changed;
        if (over) {
            return;
        }
        var waiting = empty();
        treatment = Treatments.of(changed.effect(), random);
        setDeadline();
        waiting.forEach(this::take);
    }

    /** The toxic is gone; what still has to go on, in order. */
    List<Parcel> dissolve() {
        if (over) {
            return List.of();
        }
        over = true;
        var waiting = empty();
        return lost ? List.of(Parcel.Last.CLOSE) : waiting;
    }

    @Override
    public long nowNanos() {
        return timers.nanoTime();
    }

    @Override
    public long lastDueNanos() {
        return line.isEmpty() ? nowNanos() : Math.max(nowNanos(), line.getLast().dueNanos());
    }

    @Override
    public long passedBytes() {
        return passedBytes;
    }

    @Override
    public void add(Parcel parcel, long dueNanos) {
        if (over) {
            return;
        }
        // Not before those that came earlier: their time may have been drawn longer.
        long due = line.isEmpty() ? dueNanos : Math.max(dueNanos, line.getLast().dueNanos());
        if (line.isEmpty() && due <= nowNanos()) {
            pass(parcel);
            return;
        }
        line.add(new Waiting(parcel, due));
        heldBytes += parcel.length();
        if (line.size() == 1) {
            waitForHead();
        }
    }

    @Override
    public void lose(Parcel parcel) {
        lost = true;
    }

    private void pass(Parcel parcel) {
        passedBytes += parcel.length();
        if (parcel instanceof Parcel.Last) {
            over = true;
            empty();
        }
        next.accept(this, parcel);
    }

    private void waitForHead() {
        cancelHead.ifPresent(Runnable::run);
        cancelHead = Optional.empty();
        if (!line.isEmpty() && line.getFirst().dueNanos() != Treatment.NEVER_NANOS) {
            long leftNanos = Math.max(0, line.getFirst().dueNanos() - nowNanos());
            cancelHead = Optional.of(timers.after(leftNanos, this::passWhatIsDue));
        }
    }

    private void passWhatIsDue() {
        while (!line.isEmpty() && line.getFirst().dueNanos() <= nowNanos()) {
            var parcel = line.removeFirst().parcel();
            heldBytes -= parcel.length();
            pass(parcel);
        }
        waitForHead();
    }

    private void setDeadline() {
        treatment.deadline().ifPresent(deadline -> {
            long leftNanos = struckNanos + deadline.afterNanos() - nowNanos();
            cancelDeadline = Optional.of(timers.after(Math.max(0, leftNanos), () -> pass(deadline.word())));
        });
    }

    private List<Parcel> empty() {
        cancelHead.ifPresent(Runnable::run);
        cancelHead = Optional.empty();
        cancelDeadline.ifPresent(Runnable::run);
        cancelDeadline = Optional.empty();
        var waiting = new ArrayList<Parcel>();
        line.forEach(each -> waiting.add(each.parcel()));
        line.clear();
        heldBytes = 0;
        return waiting;
    }
}
