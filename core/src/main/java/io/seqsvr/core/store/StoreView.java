package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.route.RouteTable;
import java.util.List;
import java.util.Optional;

/**
 * What a watch shows of the cluster at one version. For planning, routing and display: nothing is served or dropped on
 * it.
 *
 * @param version stamp of the newest change in it
 * @param lease terms of every lease
 * @param namespaces all namespaces, by id
 * @param sessions open sessions, oldest first
 * @param routes the route table
 */
public record StoreView(
        long version, LeaseTerms lease, List<Namespace> namespaces, List<Member> sessions, RouteTable routes) {
    /**
     * An open session as others see it.
     *
     * @param id the session
     * @param name name of the allocator
     * @param address where it serves, HOST:PORT
     * @param assignmentVersion version of what it owns
     */
    public record Member(long id, String name, String address, long assignmentVersion) {}

    /** Keeps copies. */
    public StoreView {
        namespaces = List.copyOf(namespaces);
        sessions = List.copyOf(sessions);
    }

    /** The view of a state whose cluster exists; nothing before. */
    public static Optional<StoreView> of(StoreState state) {
        return state.cluster()
                .map(cluster -> new StoreView(
                        cluster.watchVersion(),
                        cluster.lease(),
                        List.copyOf(state.namespaces()),
                        state.sessions().stream()
                                .map(session -> new Member(
                                        session.id(), session.name(), session.address(), session.assignmentVersion()))
                                .toList(),
                        state.routes()));
    }

    /** An open session. */
    public Optional<Member> session(long id) {
        return sessions.stream().filter(member -> member.id() == id).findFirst();
    }

    /** A namespace by name. */
    public Optional<Namespace> namespace(String name) {
        return namespaces.stream()
                .filter(namespace -> namespace.name().equals(name))
                .findFirst();
    }
}
