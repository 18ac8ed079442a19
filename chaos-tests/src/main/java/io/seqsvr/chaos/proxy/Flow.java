package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.proxy.Parcel.Data;
import io.seqsvr.chaos.proxy.Parcel.Last;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * One direction of one connection: from its source through the toxics that strike it, in the order in which they were
 * added, to its sink. Bytes keep their order whatever toxics come and go.
 */
final class Flow {
    /** So much may wait in here before reading stops; more than a fast line with some latency has under way. */
    static final long MOST_HELD_BYTES = 1 << 20;

    /** So much is read while nothing passes: the rest waits at the sender, as if the network did not take it. */
    static final long MOST_HELD_BYTES_WHEN_STUCK = 64 << 10;

    private final Timers timers;
    private final SplittableRandom random;
    private final LongConsumer forwarded;
    private final List<Stage> stages = new ArrayList<>();
    private final Queue<Parcel> unsent = new ArrayDeque<>();

    private Optional<Source> source = Optional.empty();
    private Optional<Sink> sink = Optional.empty();
    private long unsentBytes;
    private boolean ended;
    private boolean over;

    /**
     * A direction without toxics whose ends are not there yet.
     *
     * @param forwarded is told the bytes of each write
     */
    Flow(Timers timers, SplittableRandom random, LongConsumer forwarded) {
        this.timers = timers;
        this.random = random;
        this.forwarded = forwarded;
    }

    /** Starts reading. */
    void from(Source connected) {
        source = Optional.of(connected);
        regulate();
    }

    /** Starts writing, with what has come so far. */
    void to(Sink connected) {
        sink = Optional.of(connected);
        while (!unsent.isEmpty()) {
            var parcel = unsent.remove();
            unsentBytes -= parcel.length();
            send(connected, parcel);
        }
        regulate();
    }

    /** Something came from the source. */
    void take(Parcel parcel) {
        if (ended || over) {
            return;
        }
        ended = parcel instanceof Last;
        passTo(0, parcel);
        regulate();
    }

    /** Whether the source has said its last word. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether the sink was given the last word. */
    boolean isOver() {
        return over;
    }

    /** Whether nothing passes, neither bytes nor the first of them. */
    boolean isStuck() {
        return stages.stream().anyMatch(Stage::holdsAll);
    }

    /** How many bytes wait in here. */
    long heldBytes() {
        return unsentBytes + stages.stream().mapToLong(Stage::heldBytes).sum();
    }

    /** From now on exactly these toxics are at work, in this order. */
    void obey(List<Toxic> toxics) {
        dissolveAllBut(toxics);
        for (int i = 0; i < toxics.size() && !over; i++) {
            var toxic = toxics.get(i);
            if (i == stages.size() || !stages.get(i).toxic().name().equals(toxic.name())) {
                stages.add(i, new Stage(toxic, timers, random, this::passFrom));
            } else if (!stages.get(i).toxic().equals(toxic)) {
                stages.get(i).change(toxic);
            }
        }
        regulate();
    }

    private void dissolveAllBut(List<Toxic> toxics) {
        var kept = new HashSet<String>();
        toxics.forEach(toxic -> kept.add(toxic.name()));
        for (int i = 0; i < stages.size(); ) {
            if (kept.contains(stages.get(i).toxic().name())) {
                i++;
            } else {
                int place = i;
                stages.remove(place).dissolve().forEach(parcel -> passTo(place, parcel));
            }
        }
    }

    /** Reads as long as what was read can go on. */
    void regulate() {
        long most = isStuck() ? MOST_HELD_BYTES_WHEN_STUCK : MOST_HELD_BYTES;
        boolean on = !over && heldBytes() < most && sink.map(to -> !to.isFull()).orElse(true);
        source.ifPresent(from -> from.read(on));
    }

    /** Nothing more comes out: whatever waits in here is nobody's any more. */
    void stop() {
        over = true;
        stages.forEach(Stage::dissolve);
        stages.clear();
        unsent.clear();
        unsentBytes = 0;
        regulate();
    }

    private void passFrom(Stage stage, Parcel parcel) {
        int place = stages.indexOf(stage);
        if (place >= 0) {
            passTo(place + 1, parcel);
            regulate();
        }
    }

    private void passTo(int place, Parcel parcel) {
        if (over) {
            return;
        }
        if (place < stages.size()) {
            stages.get(place).take(parcel);
        } else if (sink.isPresent()) {
            send(sink.get(), parcel);
        } else {
            unsent.add(parcel);
            unsentBytes += parcel.length();
        }
    }

    private void send(Sink to, Parcel parcel) {
        if (parcel instanceof Data data) {
            write(to, data.bytes());
        } else if (parcel instanceof Last word) {
            over = true;
            to.finish(word);
        }
    }

    private void write(Sink to, Buffer bytes) {
        forwarded.accept(bytes.length());
        to.write(bytes);
    }
}
