package io.seqsvr.core.alloc;

import io.seqsvr.core.failover.Controller;
import io.seqsvr.core.failover.ControllerEffect;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Two allocators, a store and a controller in virtual time, with everything between them and inside them failing, and
 * segments handed to and fro.
 */
final class RandomWorld {
    private static final long MILLI = 1_000_000;
    private static final long FAULTY_NANOS = 30_000 * MILLI;
    /** Time after the last fault, within which every user must be served again: timers, a new leader, a few retries. */
    private static final long HEALING_NANOS = 8_000 * MILLI;

    private final SplittableRandom random;
    private final Agenda agenda = new Agenda();
    private final HandedOut handedOut = new HandedOut();
    private final RandomStore store;
    private final List<RandomNode> nodes;
    private final Controller controller = new Controller("router", "router:7700", new SplittableRandom(1));
    private final Map<String, Integer> counts = new TreeMap<>();
    private boolean faults = true;
    private long shownVersion;
    private long trace;

    RandomWorld(SplittableRandom random, double mostRate, Order order) {
        this.random = random;
        this.store = new RandomStore(agenda, random, mostRate, order);
        this.nodes = List.of(new RandomNode(this, "alice", mostRate), new RandomNode(this, "bob", mostRate));
        agenda.about(5 * MILLI, random, this::control);
        agenda.about(300 * MILLI, random, this::show);
        agenda.about(2 * MILLI, random, this::request);
        agenda.about(400 * MILLI, random, this::handOver);
        agenda.about(500 * MILLI, random, this::raiseFloor);
        // Some stories are stormy; in others each fault has time to do its work.
        agenda.about((100L << random.nextInt(4)) * MILLI, random, this::fail);
    }

    /** Runs through faults; whoever broke a guarantee has thrown by then. */
    void runFaults() {
        agenda.runUntil(FAULTY_NANOS);
    }

    /** Runs through faults and healing: in the end everybody is served again. */
    void run() {
        runFaults();
        faults = false;
        agenda.runUntil(FAULTY_NANOS + HEALING_NANOS);
        var served = new TreeMap<Long, Long>();
        for (long uid = 0; uid < RandomStore.MESSAGES.capacity(); uid++) {
            served.put(uid, handedOut.highest(uid));
        }
        agenda.runUntil(FAULTY_NANOS + 2 * HEALING_NANOS);
        served.forEach((uid, before) -> {
            if (handedOut.highest(uid) == before) {
                throw new AssertionError("user " + uid + " is not served any more: "
                        + store.rows().view());
            }
        });
    }

    SplittableRandom random() {
        return random;
    }

    Agenda agenda() {
        return agenda;
    }

    RandomStore store() {
        return store;
    }

    HandedOut handedOut() {
        return handedOut;
    }

    Map<String, Integer> counts() {
        return counts;
    }

    /** A number that two runs of one seed share. */
    long trace() {
        return trace;
    }

    void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** Whether something goes wrong that does so in {@code percent} of all cases. */
    boolean faulty(int percent) {
        return faults && random.nextInt(100) < percent;
    }

    long delay() {
        return faulty(5) ? random.nextLong(2_000 * MILLI) : random.nextLong(MILLI / 10, 4 * MILLI);
    }

    /** A message from one allocator to another; its receiver may be gone by then, and bear another session. */
    void tell(long from, AllocatorEffect.Tell tell) {
        int copies = faulty(6) ? 0 : faulty(12) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            agenda.after(
                    delay(),
                    () -> nodes.stream()
                            .filter(node -> node.session() == tell.to())
                            .forEach(node -> node.hear(from, tell.message())));
        }
    }

    private void handOver() {
        int from = random.nextInt(2);
        nodes.get(from)
                .handOver(
                        random.nextInt(RandomStore.MESSAGES.segmentCount()),
                        nodes.get(1 - from).session());
    }

    /** An operator raises a floor at StoreSvr; it counts if the segment has no owner. */
    private void raiseFloor() {
        int segment = random.nextInt(RandomStore.MESSAGES.segmentCount());
        long floor = store.maxSeq(segment) + random.nextLong(-10, 30);
        var command = new StoreCommand.RaiseFloor(new SegmentId(1, segment), Math.max(1, floor));
        if (store.execute(command)
                .filter(StoreReply.FloorRaised.class::isInstance)
                .isPresent()) {
            count("floors");
            for (long uid = 0; uid < RandomStore.MESSAGES.capacity(); uid++) {
                if (RandomStore.MESSAGES.segmentOf(uid) == segment) {
                    handedOut.lifted(uid, command.floor());
                }
            }
        }
    }

    /** An answer leaves an allocator. */
    void leaves(Answer answer, long uid, long floor) {
        trace = trace * 31 + answer.toString().hashCode() + agenda.now();
        count(
                answer instanceof Answer.Refused refused
                        ? refused.refusal().name()
                        : answer.getClass().getSimpleName());
        if (answer instanceof Answer.Range range) {
            counts.merge("epochs", (int) range.epoch(), Math::max);
        }
        handedOut.leaves(answer, floor, store.maxSeq(RandomStore.MESSAGES.segmentOf(uid)));
    }

    private void request() {
        long uid = random.nextLong(RandomStore.MESSAGES.capacity());
        long count = random.nextInt(10) == 0 ? random.nextInt(1, 31) : 1;
        long above = random.nextInt(20) == 0 ? random.nextLong(60) : 0;
        nodes.get(random.nextInt(2)).ask(uid, count, above);
    }

    private void control() {
        controller.tick(now());
        for (var effect : controller.takeEffects()) {
            if (effect instanceof ControllerEffect.Send send) {
                send(send);
            }
        }
    }

    private ClockReading now() {
        return new ClockReading(agenda.now(), agenda.now());
    }

    private void send(ControllerEffect.Send send) {
        boolean lost = faulty(10);
        boolean answerLost = faulty(10);
        agenda.after(delay(), () -> {
            Optional<StoreReply> reply = lost ? Optional.empty() : execute(send.command());
            agenda.after(
                    delay(),
                    () -> reply.filter(answer -> !answerLost)
                            .ifPresentOrElse(
                                    answer -> controller.answered(send.call(), answer, now()),
                                    () -> controller.unanswered(send.call(), now())));
        });
    }

    private Optional<StoreReply> execute(StoreCommand command) {
        var reply = store.execute(command);
        showChanges();
        return reply;
    }

    /** Watchers hear of a new version, but not all of them, and not at once. */
    void showChanges() {
        long version = store.rows().view().version();
        if (version != shownVersion) {
            shownVersion = version;
            show();
        }
    }

    private void show() {
        for (var node : nodes) {
            if (!faulty(20)) {
                node.see();
            }
        }
        if (!faulty(20)) {
            var view = store.rows().view();
            agenda.after(delay(), () -> controller.woken(view, now()));
        }
    }

    private void fail() {
        if (!faulty(40)) {
            return;
        }
        var node = nodes.get(random.nextInt(2));
        switch (random.nextInt(8)) {
            case 0, 1 -> node.pause();
            case 2 -> node.failClocks();
            case 3 -> node.cutOff(random.nextLong(3_000 * MILLI));
            case 4 -> node.restart(true);
            case 5 -> node.restart(false);
            case 6 -> store.changeLeader();
            default -> store.failClocks();
        }
    }
}
