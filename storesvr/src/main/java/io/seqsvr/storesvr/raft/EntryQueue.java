package io.seqsvr.storesvr.raft;

import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands that wait for their place in the log: those that come while others are on their way to the disks share
 * the next entry (group commit; DeWitt et al. 1984). An entry costs about as much as its commands are worth.
 *
 * <p>Where what watchers are shown has changed and no command waits, an entry without commands follows: the other peers
 * learn what is committed by what is sent to them next, and whoever watches them would wait for a heartbeat.
 *
 * <p>There is no timer: as long as fewer than {@link #ENTRIES_UNDER_WAY} entries are under way a command leaves at
 * once. An entry takes renewals first, so that nothing delays a lease, and they weigh nothing; confirmations and all
 * other commands in turn, in every second entry the ones first, so that neither starves the other however much one of
 * them weighs; and ends of sessions last, behind every renewal that waits. These have places of their own: under a load
 * that fills every entry a dead session would never end. Each queue is bounded: a command that finds its queue full is
 * refused, and was not submitted.
 */
public final class EntryQueue implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EntryQueue.class);
    /** Entries on their way to the disks at most. */
    static final int ENTRIES_UNDER_WAY = 2;
    /** Commands of one entry at most. */
    static final int MOST_COMMANDS = 512;
    /** Weight of one entry at most, in bytes; a command that weighs more goes alone. */
    static final int MOST_WEIGHT = 256 << 10;
    /** What a command counts for whose answer may be long: a few of them fit into one entry. */
    static final int WEIGHT_OF_CLAIM = MOST_WEIGHT / 8;
    /** Bytes of a renewal that confirms nothing, at most: its three numbers take 35, a later version may add one. */
    static final int LONGEST_RENEWAL = 64;
    /** Ends of sessions in one entry at most, beside its commands and whatever these weigh: each is a few bytes. */
    static final int MOST_EXPIRIES = 256;
    /** Commands that wait in one queue at most. */
    static final int MOST_WAITING = 8_192;
    /** Of the heap, what those of one queue may take. */
    private static final int HEAP_PART = 16;
    /** What an item of a command takes here beside its bytes, of which it may have two: it is an object. */
    private static final int HEAP_OF_ITEM = 64;
    /** The same of a page of counters, which has lists of its own. */
    private static final int HEAP_OF_PAGE = 384;
    /** Places and counters of few bytes are kept in arrays of int and long. */
    private static final int HEAP_OF_COUNTER_BYTE = 8;

    /** Why a command waits where it does. */
    public enum Lane {
        /** Renewals that confirm nothing, and are no longer than such may be. */
        RENEWAL,
        /** All other renewals, on which answers in QUORUM order wait. */
        CONFIRMATION,
        /** All others. */
        OTHER,
        /** Ends of sessions whose timers ran out. */
        EXPIRY
    }

    /**
     * A command that waits.
     *
     * @param weight what it counts for in an entry
     * @param bytes what it takes of the heap, about
     */
    private record Waiting(Command command, int weight, int bytes, CompletableFuture<Reply> outcome) {}

    private final Function<List<Command>, CompletableFuture<List<Reply>>> log;
    private final BoundedQueue<Waiting> renewals;
    private final BoundedQueue<Waiting> confirmations;
    private final BoundedQueue<Waiting> others;
    private final BoundedQueue<Waiting> expiries;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "log-writer");
        thread.setDaemon(true);
        return thread;
    });

    private final Map<Lane, SparseLine> refusals = new EnumMap<>(Lane.class);
    private final LongSupplier shown;
    private final Executor teller;
    private int underWay;
    private boolean confirmationsFirst;
    /** What watchers were shown here when the last entry left, and so will be shown everywhere. */
    private long shownEverywhere;

    /**
     * An empty queue.
     *
     * @param log puts commands, or none, into one entry, in their order, and answers them in that order
     * @param shown version of what watchers of this peer are shown; it grows only
     * @param teller where outcomes are told: those of one entry in one go
     */
    public EntryQueue(
            Function<List<Command>, CompletableFuture<List<Reply>>> log, LongSupplier shown, Executor teller) {
        this(log, shown, teller, Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    /** The same, in each queue of which so many bytes may wait. */
    EntryQueue(
            Function<List<Command>, CompletableFuture<List<Reply>>> log,
            LongSupplier shown,
            Executor teller,
            long mostBytes) {
        this.renewals = new BoundedQueue<>(MOST_WAITING, mostBytes, Waiting::bytes);
        this.confirmations = new BoundedQueue<>(MOST_WAITING, mostBytes, Waiting::bytes);
        this.others = new BoundedQueue<>(MOST_WAITING, mostBytes, Waiting::bytes);
        this.expiries = new BoundedQueue<>(MOST_WAITING, mostBytes, Waiting::bytes);
        for (var lane : Lane.values()) {
            refusals.put(lane, new SparseLine());
        }
        this.log = log;
        this.shown = shown;
        this.teller = teller;
    }

    /**
     * Puts a command where it has to wait.
     *
     * @return its reply, or a failure that leaves its outcome unknown; nothing if its queue is full: then it was not
     *     submitted
     */
    public Optional<CompletableFuture<Reply>> offer(Command command) {
        var waiting = new Waiting(command, weight(command), bytes(command), new CompletableFuture<>());
        var lane = lane(command);
        synchronized (this) {
            if (!queue(lane).add(waiting)) {
                refused(lane);
                return Optional.empty();
            }
            if (underWay >= ENTRIES_UNDER_WAY) {
                return Optional.of(waiting.outcome());
            }
        }
        write();
        return Optional.of(waiting.outcome());
    }

    private void refused(Lane lane) {
        var queue = queue(lane);
        line(lane)
                .say(times -> LOG.warn(
                        "event=commands_refused queue={} waiting={} most={} bytes={} most_bytes={} so_far={}",
                        lane.name().toLowerCase(Locale.ROOT),
                        queue.size(),
                        MOST_WAITING,
                        queue.bytes(),
                        queue.mostBytes(),
                        times));
    }

    private SparseLine line(Lane lane) {
        return Objects.requireNonNull(refusals.get(lane));
    }

    /** How many commands found a queue full, and were refused. */
    public long refusals(Lane lane) {
        return line(lane).times();
    }

    private BoundedQueue<Waiting> queue(Lane lane) {
        return switch (lane) {
            case RENEWAL -> renewals;
            case CONFIRMATION -> confirmations;
            case OTHER -> others;
            case EXPIRY -> expiries;
        };
    }

    private static Lane lane(Command command) {
        if (command.hasRenew()) {
            // What is longer is no renewal that anybody needs, and must not be in an entry without its weight.
            boolean lean = command.getRenew().getHoldingsCount() == 0 && command.getSerializedSize() <= LONGEST_RENEWAL;
            return lean ? Lane.RENEWAL : Lane.CONFIRMATION;
        }
        return command.hasExpireSession() ? Lane.EXPIRY : Lane.OTHER;
    }

    private static int weight(Command command) {
        return switch (command.getKindCase()) {
            case CLAIM -> Math.max(WEIGHT_OF_CLAIM, command.getSerializedSize());
            case FETCH_TABLES -> Math.max(MOST_WEIGHT, command.getSerializedSize());
            default -> command.getSerializedSize();
        };
    }

    private static int bytes(Command command) {
        int size = command.getSerializedSize();
        return switch (command.getKindCase()) {
            case RENEW -> size + HEAP_OF_ITEM * command.getRenew().getHoldingsCount();
            case RAISE -> size + HEAP_OF_ITEM * command.getRaise().getItemsCount();
            case RELEASE -> size + HEAP_OF_ITEM * command.getRelease().getItemsCount();
            case HAND_OVER -> size + HEAP_OF_ITEM * command.getHandOver().getItemsCount();
            case PUBLISH_ROUTES ->
                size + HEAP_OF_ITEM * command.getPublishRoutes().getMovesCount();
            case FETCH_TABLES -> size + HEAP_OF_ITEM * command.getFetchTables().getHoldingsCount();
            case STORE_TABLES -> HEAP_OF_COUNTER_BYTE * size + HEAP_OF_PAGE * pages(command);
            default -> size;
        };
    }

    /** Each table takes about as much as one of its pages. */
    private static int pages(Command command) {
        return command.getStoreTables().getTablesList().stream()
                .mapToInt(stored -> 1 + stored.getTable().getPagesCount())
                .sum();
    }

    /** Commands that wait in a queue. */
    public synchronized int waiting(Lane lane) {
        return queue(lane).size();
    }

    private void write() {
        try {
            writer.execute(this::writeWaiting);
        } catch (RejectedExecutionException closed) {
            failAll("this peer is stopping");
        }
    }

    /** On the writer's thread only, so that entries reach the log in the order in which they were made up. */
    private void writeWaiting() {
        for (var entry = next(); entry.isPresent(); entry = next()) {
            write(entry.get());
        }
    }

    private void write(List<Waiting> entry) {
        var commands = entry.stream().map(Waiting::command).toList();
        try {
            var unused = log.apply(commands).whenComplete((replies, failure) -> ended(entry, replies, failure));
        } catch (RuntimeException failed) {
            ended(entry, null, failed);
        }
    }

    private void ended(List<Waiting> entry, @Nullable List<Reply> replies, @Nullable Throwable failure) {
        synchronized (this) {
            underWay--;
        }
        write();
        try {
            teller.execute(() -> tell(entry, replies, failure));
        } catch (RejectedExecutionException closed) {
            tell(entry, replies, failure);
        }
    }

    private static void tell(List<Waiting> entry, @Nullable List<Reply> replies, @Nullable Throwable failure) {
        if (replies != null && replies.size() == entry.size()) {
            for (int i = 0; i < entry.size(); i++) {
                entry.get(i).outcome().complete(replies.get(i));
            }
            return;
        }
        var unknown = failure != null
                ? failure
                : new IOException("an entry of " + entry.size() + " commands was answered with "
                        + (replies == null ? 0 : replies.size()) + " replies");
        entry.forEach(waiting -> waiting.outcome().completeExceptionally(unknown));
    }

    private Optional<List<Waiting>> next() {
        // Outside of the lock: it may wait for an entry that is being applied, and who offers a command must not.
        return next(shown.getAsLong());
    }

    private synchronized Optional<List<Waiting>> next(long newest) {
        if (underWay >= ENTRIES_UNDER_WAY) {
            return Optional.empty();
        }
        var entry = new Entry();
        entry.takeRenewals(renewals);
        boolean confirmationsTurn = confirmationsFirst;
        while (takeInTurn(entry, confirmationsTurn)) {
            confirmationsTurn = !confirmationsTurn;
        }
        if (renewals.isEmpty() && !expiries.isEmpty()) {
            takeExpiries(entry);
        }
        if (entry.commands.isEmpty() && (underWay > 0 || newest <= shownEverywhere)) {
            return Optional.empty();
        }
        underWay++;
        confirmationsFirst = !confirmationsFirst;
        shownEverywhere = newest;
        return Optional.of(entry.commands);
    }

    private boolean takeInTurn(Entry entry, boolean confirmationsTurn) {
        var first = confirmationsTurn ? confirmations : others;
        var second = confirmationsTurn ? others : confirmations;
        return entry.take(first) || entry.take(second);
    }

    /** Not of a session that still has a confirmation waiting: that is a renewal too. */
    private void takeExpiries(Entry entry) {
        var renewed = new HashSet<Long>();
        confirmations.forEach(
                waiting -> renewed.add(waiting.command().getRenew().getSession()));
        entry.commands.addAll(expiries.take(
                MOST_EXPIRIES,
                waiting ->
                        !renewed.contains(waiting.command().getExpireSession().getSession())));
    }

    /** An entry that is being made up. */
    private static final class Entry {
        final List<Waiting> commands = new ArrayList<>();
        private int weight;

        /** They are {@link #LONGEST_RENEWAL} at most: however many there are, the first other command has its place. */
        void takeRenewals(BoundedQueue<Waiting> renewals) {
            commands.addAll(renewals.take(MOST_COMMANDS, renewal -> true));
        }

        /** Takes the first command if there is one and room for it. */
        boolean take(BoundedQueue<Waiting> queue) {
            var first = queue.peek();
            if (first == null || !hasRoom(first)) {
                return false;
            }
            queue.removeFirst();
            commands.add(first);
            weight += first.weight();
            return true;
        }

        private boolean hasRoom(Waiting next) {
            return weight == 0 || (commands.size() < MOST_COMMANDS && weight + next.weight() <= MOST_WEIGHT);
        }
    }

    private void failAll(String why) {
        var left = new ArrayList<Waiting>();
        synchronized (this) {
            List.of(renewals, confirmations, others, expiries)
                    .forEach(queue -> left.addAll(queue.take(Integer.MAX_VALUE, command -> true)));
        }
        left.forEach(waiting -> waiting.outcome().completeExceptionally(new IOException(why)));
    }

    /** Submits nothing more; what waits fails. */
    @Override
    public void close() {
        writer.shutdown();
        failAll("this peer is stopping");
    }
}
