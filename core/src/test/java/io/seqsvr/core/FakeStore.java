package io.seqsvr.core;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.Restoration;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreRules;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;

/** StoreSvr without Raft: the real rules over the real state, one log index after the other. */
public final class FakeStore {
    private StoreState state = new StoreState();
    private final StoreRules rules = new StoreRules();
    private List<StoreChange> lastChanges = List.of();
    private long index;

    public FakeStore(LeaseTerms lease, Namespace... namespaces) {
        execute(new StoreCommand.CreateCluster("test-cluster", lease, List.of(namespaces)));
    }

    /** One command in an entry of its own. */
    public StoreReply execute(StoreCommand command) {
        return executeEntry(List.of(command)).get(0);
    }

    /** Several commands in one entry: each sees the effects of those before it. */
    public List<StoreReply> executeEntry(List<StoreCommand> commands) {
        index++;
        var replies = new ArrayList<StoreReply>();
        for (int place = 0; place < commands.size(); place++) {
            var decision = rules.decide(state, rules.stamp(state, index, place), commands.get(place));
            decision.changes().forEach(state::apply);
            lastChanges = decision.changes();
            replies.add(decision.reply());
        }
        return replies;
    }

    /** All is lost: a new life begins from a backup, with a log that begins anew. */
    public void restore(StoreState backup, int incarnation, long advance) {
        var rows = new Restoration()
                .rows(
                        backup,
                        incarnation,
                        advance,
                        backup.cluster().orElseThrow().lease());
        state = new StoreState();
        rows.forEach(state::apply);
        index = 0;
    }

    /** Opens a session, which renews at once, and tells its id. */
    public long open(String name) {
        var opening = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, index + 1_000_000, name, name + ":7401");
        var renewal = new StoreCommand.Renew(rules.stamp(state, index + 1, 0));
        var reply = executeEntry(List.of(opening, renewal)).get(0);
        return ((StoreReply.SessionOpened) reply).session();
    }

    /** The timer of a session ran out. */
    public StoreReply expire(long session) {
        var renewal = session(session).renewal();
        return execute(new StoreCommand.ExpireSession(session, renewal));
    }

    /** Publishes moves against the last plan in force; tells the new version. */
    public long publish(Move... moves) {
        var reply = execute(new StoreCommand.PublishRoutes(publishVersion(), List.of(moves)));
        if (reply instanceof StoreReply.RoutesPublished published) {
            return published.version();
        }
        throw new AssertionError("not published: " + reply);
    }

    public long tableVersion() {
        return state.cluster().orElseThrow().tableVersion();
    }

    public long publishVersion() {
        return state.cluster().orElseThrow().publishVersion();
    }

    public Session session(long id) {
        return state.session(id).orElseThrow();
    }

    public SegmentRecord segment(int namespaceId, int index) {
        return state.segment(new SegmentId(namespaceId, index)).orElseThrow();
    }

    public StoreView view() {
        return StoreView.of(state).orElseThrow();
    }

    public StoreState state() {
        return state;
    }

    /** Rows that the last command wrote. */
    public List<StoreChange> lastChanges() {
        return lastChanges;
    }

    /** Stamp of the last entry's first command. */
    public long lastStamp() {
        return rules.stamp(state, index, 0);
    }
}
