package io.seqsvr.core.store;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.route.Picture;
import io.seqsvr.core.route.RouteTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a watch shows of the cluster at one version. For planning, routing and display: nothing is served or dropped on
 * it.
 *
 * @param version stamp of the newest change in it
 * @param lease terms of sessions that are opened from now on
 * @param namespaces all namespaces, by id
 * @param sessions open sessions, oldest first
 * @param publishVersion version of the last PublishRoutes, which the next one must name
 * @param routes the route table
 * @param released what its owner gave back and nobody got since, as it stands in the table
 */
public record StoreView(
        long version,
        LeaseTerms lease,
        List<Namespace> namespaces,
        List<Member> sessions,
        long publishVersion,
        RouteTable routes,
        RouteTable released)
        implements Picture {
    /**
     * An open session as others see it.
     *
     * @param id the session
     * @param kind what the process does
     * @param name name of the process
     * @param address where it serves, HOST:PORT
     * @param assignmentVersion version of what it owns
     * @param expelled whether it is given nothing more, and ends when its timer runs out
     * @param leaving whether it is given nothing more because its process is about to close it
     * @param renewed whether its process has heard that it is open, as its first renewal shows; nothing is given before
     */
    public record Member(
            long id,
            SessionKind kind,
            String name,
            String address,
            long assignmentVersion,
            boolean expelled,
            boolean leaving,
            boolean renewed) {
        /** Whether segments may be given to it. */
        public boolean mayReceive() {
            return kind == SessionKind.ALLOCATOR && renewed && !expelled && !leaving;
        }
    }

    /** Keeps copies. */
    public StoreView {
        namespaces = List.copyOf(namespaces);
        sessions = List.copyOf(sessions);
    }

    /** The view of a state whose cluster exists; nothing before. */
    public static Optional<StoreView> of(StoreState state) {
        return of(state, Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public static Optional<StoreView> of(StoreState state, Guards guards) {
        return state.cluster().map(cluster -> of(state, cluster, guards));
    }

    private static StoreView of(StoreState state, Cluster cluster, Guards guards) {
        var members = new ArrayList<Member>(state.sessions().size());
        for (var session : state.sessions()) {
            members.add(member(session, session.hasRenewed() || !guards.on(Guard.RECEIVER_HAS_RENEWED)));
        }
        return new StoreView(
                cluster.watchVersion(),
                cluster.lease(),
                List.copyOf(state.namespaces()),
                members,
                cluster.publishVersion(),
                state.routes(),
                state.released());
    }

    private static Member member(Session session, boolean renewed) {
        return new Member(
                session.id(),
                session.kind(),
                session.name(),
                session.address(),
                session.assignmentVersion(),
                session.expelled(),
                session.leaving(),
                renewed);
    }

    /** Which life of the cluster it shows: its version bears it. */
    public int incarnation() {
        return Stamp.incarnation(version);
    }

    /** Whether a session may be given segments. */
    public boolean mayReceive(long session) {
        return session(session).filter(Member::mayReceive).isPresent();
    }

    /** Open sessions to which segments may be given, oldest first. */
    public List<Member> receivers() {
        // No stream: every controller asks this of every view.
        var receivers = new ArrayList<Member>(sessions.size());
        for (var member : sessions) {
            if (member.mayReceive()) {
                receivers.add(member);
            }
        }
        return receivers;
    }

    /** An open session. */
    public Optional<Member> session(long id) {
        // No stream: routers ask this for every request.
        for (var member : sessions) {
            if (member.id() == id) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> addressOf(long session) {
        for (var member : sessions) {
            if (member.id() == session) {
                return Optional.of(member.address());
            }
        }
        return Optional.empty();
    }

    /** A namespace by name. */
    public Optional<Namespace> namespace(String name) {
        for (var namespace : namespaces) {
            if (namespace.name().equals(name)) {
                return Optional.of(namespace);
            }
        }
        return Optional.empty();
    }
}
