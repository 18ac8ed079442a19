package io.seqsvr.storesvr.replica;

import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreRules;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.storesvr.rocks.Applied;
import io.seqsvr.storesvr.rocks.StoreDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One replica of the store: the rules' state in memory and its rows on disk, moved together by the entries of the log.
 * Entries come from one thread; any thread may look.
 *
 * <p>Invariant: between two entries, memory and database hold the same rows, and the database's (term, index) names the
 * last entry in them. When writing fails the replica is broken for good: the caller stops the process.
 */
public final class Replica {
    private final StoreRules rules = new StoreRules();
    private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();
    private StoreState state = new StoreState();
    private @Nullable StoreDatabase database;
    private @Nullable StoreView cachedView;
    private Applied applied = Applied.NOTHING;
    /** As of the last entry that was applied: whoever asks for it with every command must not wait for the next one. */
    private volatile Optional<Cluster> cluster = Optional.empty();
    /** The rows as they are; nothing until somebody asks, and after each entry. */
    private Digests.@Nullable Frozen newest;
    /** The rows when the log last passed a multiple of {@link Digests#MARK_EVERY}, since they were loaded. */
    private Digests.@Nullable Frozen mark;

    /** Tells every change from now on to the listener. */
    public void listen(ReplicaListener listener) {
        listeners.add(listener);
    }

    /**
     * Opens the database of a directory and takes its rows in, in place of everything before.
     *
     * @return how far the log was applied in it
     */
    public Applied open(Path directory) throws IOException {
        close();
        // Outside the lock: until all rows are read whoever looks sees the former state.
        var opened = StoreDatabase.open(directory);
        var loaded = new StoreState();
        try {
            opened.load(loaded);
        } catch (IOException | RuntimeException unreadable) {
            opened.close();
            throw unreadable;
        }
        var loadedUpTo = opened.applied();
        synchronized (this) {
            database = opened;
            state = loaded;
            applied = loadedUpTo;
            cluster = loaded.cluster();
            cachedView = null;
            newest = null;
            mark = null;
        }
        listeners.forEach(ReplicaListener::replaced);
        return loadedUpTo;
    }

    /**
     * Applies one entry of the log.
     *
     * @return the replies, in the order of the commands
     */
    public List<StoreReply> apply(Applied entry, List<StoreCommand> commands) throws IOException {
        var replies = new ArrayList<StoreReply>();
        var heard = new ArrayList<Runnable>();
        synchronized (this) {
            beforeEntry(entry);
            var rows = new ArrayList<StoreChange>();
            for (int place = 0; place < commands.size(); place++) {
                long stamp = rules.stamp(state, entry.index(), place);
                var decision = rules.decide(state, stamp, commands.get(place));
                decision.changes().forEach(state::apply);
                rows.addAll(decision.changes());
                replies.add(decision.reply());
                if (!decision.changes().isEmpty()) {
                    heard.add(() -> listeners.forEach(listener -> listener.applied(stamp, decision.changes())));
                }
            }
            openDatabase().write(rows, entry);
            cluster = state.cluster();
        }
        // Outside the lock: a listener may look at the replica.
        heard.forEach(Runnable::run);
        return replies;
    }

    private void beforeEntry(Applied entry) {
        long boundary = entry.index() / Digests.MARK_EVERY * Digests.MARK_EVERY;
        if (applied.index() < boundary && state.cluster().isPresent()) {
            mark = new Digests.Frozen(boundary - 1, newest != null ? newest.state() : state.copy());
        }
        newest = null;
        applied = entry;
    }

    /** Rows that nobody changes any more: as they are, and those of the last mark; none before the cluster exists. */
    synchronized List<Digests.Frozen> frozen() {
        if (state.cluster().isEmpty()) {
            return List.of();
        }
        if (newest == null) {
            newest = new Digests.Frozen(applied.index(), state.copy());
        }
        return mark == null ? List.of(newest) : List.of(newest, mark);
    }

    /**
     * Writes a checkpoint of some moment between two entries. Entries go on meanwhile, and whoever looks does not wait.
     *
     * @return the last entry in it
     */
    public Applied checkpoint(Path target) throws IOException {
        StoreDatabase checkpointed;
        synchronized (this) {
            checkpointed = openDatabase();
        }
        return checkpointed.checkpoint(target);
    }

    /** The cluster, once it was created, after the last entry that was applied. */
    public Optional<Cluster> cluster() {
        return cluster;
    }

    /**
     * What somebody makes of the state, between two entries.
     *
     * @param look must be quick, must change nothing, and must not keep the state
     */
    public synchronized <T> T look(Function<StoreState, T> look) {
        return look.apply(state);
    }

    /**
     * The state apart from this one, between two entries, and the last entry with commands in it. The records are
     * shared, so this takes a few milliseconds however much there is.
     */
    public synchronized Picture picture() throws IOException {
        return new Picture(openDatabase().applied(), state.copy());
    }

    /**
     * A state that no entry of this replica changes any more.
     *
     * @param applied the last entry with commands in it
     * @param state the rows after that entry
     */
    public record Picture(Applied applied, StoreState state) {}

    /** Number of segments that were assigned at least once, or got a floor. */
    public synchronized int segments() {
        return state.segments().size();
    }

    /** What a watch shows now; nothing before the cluster exists. */
    public synchronized Optional<StoreView> view() {
        var version = state.cluster().map(Cluster::watchVersion);
        if (version.isPresent() && (cachedView == null || cachedView.version() != version.get())) {
            cachedView = StoreView.of(state).orElseThrow();
        }
        return Optional.ofNullable(cachedView);
    }

    /** Closes the database; nothing can be applied until it is opened again. */
    public void close() {
        StoreDatabase closed;
        synchronized (this) {
            closed = database;
            database = null;
        }
        if (closed != null) {
            closed.close();
        }
    }

    private StoreDatabase openDatabase() {
        if (database == null) {
            throw new IllegalStateException("the database is closed");
        }
        return database;
    }
}
