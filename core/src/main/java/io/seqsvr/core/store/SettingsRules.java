package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.NamespaceSettings;
import io.seqsvr.core.store.StoreChange.PutCluster;
import io.seqsvr.core.store.StoreChange.PutNamespace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The rules of what a cluster is set to: its namespaces, the terms of leases, and what namespaces to come begin with. A
 * namespace is never deleted and its id never given again; which counter belongs to a user never changes.
 */
final class SettingsRules {
    private SettingsRules() {}

    static Decision createCluster(StoreState state, long stamp, StoreCommand.CreateCluster create) {
        if (state.cluster().isPresent()) {
            return Decision.unchanged(new StoreReply.ClusterCreated(false));
        }
        var problem = problem(create.namespaces());
        if (problem.isPresent()) {
            return Decision.rejected("CreateCluster " + problem.get());
        }
        var changes = new ArrayList<StoreChange>();
        changes.add(
                new PutCluster(new Cluster(create.clusterId(), create.lease(), create.defaults(), 0, 0, 0, 0, stamp)));
        create.namespaces().forEach(namespace -> changes.add(new PutNamespace(namespace)));
        return new Decision(new StoreReply.ClusterCreated(true), changes);
    }

    private static Optional<String> problem(List<Namespace> first) {
        if (first.size() > StoreCommand.MAX_NAMESPACES) {
            return Optional.of(
                    "names " + first.size() + " namespaces; a cluster has at most " + StoreCommand.MAX_NAMESPACES);
        }
        var before = new ArrayList<Namespace>();
        var ids = new HashSet<Integer>();
        var names = new HashSet<String>();
        int most = Incarnation.namespaceBefore(1);
        for (var namespace : first) {
            if (namespace.id() > most) {
                return Optional.of("gives a namespace the id " + namespace.id() + "; it must be from 1 to " + most);
            }
            if (!ids.add(namespace.id())) {
                return Optional.of("gives the id " + namespace.id() + " to two namespaces");
            }
            if (!names.add(namespace.name())) {
                return Optional.of("gives the name '" + namespace.name() + "' to two namespaces");
            }
            var problem = segmentsProblem(before, namespace);
            if (problem.isPresent()) {
                return problem;
            }
            before.add(namespace);
        }
        return Optional.empty();
    }

    /** Why a cluster of these namespaces cannot have this one too, if so: pictures of it would grow too large. */
    private static Optional<String> segmentsProblem(Collection<Namespace> there, Namespace wanted) {
        long taken = there.stream().mapToLong(Namespace::segmentCount).sum();
        return taken + wanted.segmentCount() <= Namespace.MAX_SEGMENTS
                ? Optional.empty()
                : Optional.of("capacity " + wanted.capacity() + " of namespace '" + wanted.name() + "' is "
                        + wanted.segmentCount() + " segments of " + wanted.segmentSize()
                        + "; the other namespaces have "
                        + taken + ", and a cluster has at most " + Namespace.MAX_SEGMENTS
                        + ": take a greater segment_size or a smaller capacity");
    }

    static Decision createNamespace(
            StoreState state, Cluster cluster, long stamp, StoreCommand.CreateNamespace create) {
        var known = named(state, create.settings().name());
        if (known.isPresent()) {
            return createdBefore(known.get(), create.settings());
        }
        var wanted = create.settings().orElse(cluster.defaults());
        var problems = wanted.problems();
        if (!problems.isEmpty()) {
            return refused(String.join(", ", problems));
        }
        if (state.namespaces().size() >= StoreCommand.MAX_NAMESPACES) {
            return refused("there are " + state.namespaces().size() + " namespaces; a cluster has at most "
                    + StoreCommand.MAX_NAMESPACES);
        }
        var problem = segmentsProblem(state.namespaces(), wanted.withId(1));
        if (problem.isPresent()) {
            return refused(problem.get());
        }
        if (cluster.floor() >= wanted.maxSequence()) {
            return refused("max_sequence is " + wanted.maxSequence() + ", but since this cluster was restored every"
                    + " new namespace starts above " + cluster.floor());
        }
        var namespace = wanted.withId(nextId(state.namespaces(), cluster));
        return new Decision(
                new StoreReply.NamespaceCreated(namespace, true),
                List.of(new PutNamespace(namespace), new PutCluster(cluster.changedAt(stamp))));
    }

    /** What a repeat leaves to the cluster was decided by the first one, whatever the defaults are now. */
    private static Decision createdBefore(Namespace known, NamespaceSettings wanted) {
        return wanted.orElse(new NamespaceDefaults(known.segmentSize(), known.step()))
                        .equals(known.settings())
                ? Decision.unchanged(new StoreReply.NamespaceCreated(known, false))
                : refused("namespace '" + known.name() + "' exists with other settings: " + known);
    }

    /** Above all that were ever given: none is deleted, and those that a restore forgot are of another incarnation. */
    private static int nextId(Collection<Namespace> namespaces, Cluster cluster) {
        int highest = namespaces.stream().mapToInt(Namespace::id).max().orElse(0);
        return Math.max(highest, Incarnation.namespaceBefore(cluster.incarnation())) + 1;
    }

    static Decision alterNamespace(StoreState state, Cluster cluster, long stamp, StoreCommand.AlterNamespace alter) {
        var known = named(state, alter.name());
        if (known.isEmpty()) {
            return refused("there is no namespace '" + alter.name() + "'");
        }
        var before = known.get();
        var wanted = alter.change().of(before.settings());
        var problem = problem(state, cluster, before, wanted);
        if (problem.isPresent()) {
            return refused("namespace '" + before.name() + "': " + problem.get());
        }
        var after = wanted.withId(before.id());
        return after.equals(before)
                ? Decision.unchanged(new StoreReply.NamespaceAltered(after))
                : new Decision(
                        new StoreReply.NamespaceAltered(after),
                        List.of(new PutNamespace(after), new PutCluster(cluster.changedAt(stamp))));
    }

    private static Optional<String> problem(
            StoreState state, Cluster cluster, Namespace before, NamespaceSettings wanted) {
        if (wanted.capacity() != before.capacity()) {
            return immutable("capacity", before.capacity(), wanted.capacity());
        }
        if (wanted.segmentSize() != before.segmentSize()) {
            return immutable("segment_size", before.segmentSize(), wanted.segmentSize());
        }
        if (wanted.keying() != before.keying()) {
            return immutable("keying", before.keying(), wanted.keying());
        }
        if (wanted.maxSequence() < before.maxSequence()) {
            return Optional.of("max_sequence is " + before.maxSequence() + " and cannot become " + wanted.maxSequence()
                    + "; it may only grow, as sequences up to it may have been handed out");
        }
        if (wanted.maxSequence() > before.maxSequence() && mayHavePassed(state, cluster, before)) {
            return Optional.of("max_sequence is " + before.maxSequence() + " and cannot grow: since this cluster was"
                    + " restored, nobody knows whether it had grown before, and how far sequences had come");
        }
        var problems = wanted.problems();
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", problems));
    }

    private static Optional<String> immutable(String key, Object before, Object wanted) {
        return Optional.of(key + " is " + before + " for ever and cannot become " + wanted
                + ": which counter belongs to a user, and in which segment it lies, never changes");
    }

    /**
     * Whether sequences above max_sequence may have been handed out: a restore took a higher one back, and its advance,
     * cut off at the lower one, does not tell how far they had come.
     */
    private static boolean mayHavePassed(StoreState state, Cluster cluster, Namespace namespace) {
        return cluster.floor() >= namespace.maxSequence()
                || (cluster.floor() > 0
                        && state.segments().stream()
                                .anyMatch(segment -> segment.id().namespaceId() == namespace.id()
                                        && segment.maxSeq() >= namespace.maxSequence()));
    }

    static Decision alterCluster(Cluster cluster, long stamp, StoreCommand.AlterCluster alter) {
        var change = alter.change();
        long ttl = change.ttlNanos().orElse(cluster.lease().ttlNanos());
        int drift = change.driftPermille().orElse(cluster.lease().driftPermille());
        int segmentSize = change.segmentSize().orElse(cluster.defaults().segmentSize());
        long step = change.step().orElse(cluster.defaults().step());
        var problems = LeaseTerms.problems(ttl, drift);
        problems.addAll(NamespaceDefaults.problems(segmentSize, step));
        if (!problems.isEmpty()) {
            return Decision.unchanged(new StoreReply.ClusterRefused(String.join(", ", problems)));
        }
        var lease = new LeaseTerms(ttl, drift);
        var defaults = new NamespaceDefaults(segmentSize, step);
        var reply = new StoreReply.ClusterAltered(lease, defaults);
        return lease.equals(cluster.lease()) && defaults.equals(cluster.defaults())
                ? Decision.unchanged(reply)
                : new Decision(reply, List.of(new PutCluster(cluster.alteredAt(stamp, lease, defaults))));
    }

    private static Optional<Namespace> named(StoreState state, String name) {
        return state.namespaces().stream()
                .filter(namespace -> namespace.name().equals(name))
                .findFirst();
    }

    private static Decision refused(String reason) {
        return Decision.unchanged(new StoreReply.NamespaceRefused(reason));
    }
}
