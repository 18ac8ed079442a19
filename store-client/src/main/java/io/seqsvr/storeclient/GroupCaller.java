package io.seqsvr.storeclient;

import io.seqsvr.proto.internal.v1.ChangePeersReply;
import io.seqsvr.proto.internal.v1.ChangePeersRequest;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.internal.v1.StatusRequest;
import io.seqsvr.proto.internal.v1.TransferLeaderRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Asks a group to change: finds its leader, and says plainly what came of it. Use it from one context. */
public final class GroupCaller {
    private static final long LOOK_MILLIS = 3_000;
    private static final long PAUSE_MILLIS = 200;
    private static final GroupPicture.Look NOBODY_ANSWERS = GroupPicture.Look.failed("no peer answers");

    private final Vertx vertx;
    private final UnaryCaller caller;
    private final Duration within;

    /**
     * A caller that has not connected yet.
     *
     * @param within how long finding the leader and the change may take together
     */
    public GroupCaller(Vertx vertx, Duration within) {
        this.vertx = vertx;
        this.caller = new UnaryCaller(vertx);
        this.within = within;
    }

    /** What came of asking. */
    public enum Outcome {
        /** It is in force. */
        DONE,
        /** Nothing changed. */
        REFUSED,
        /** Nobody could be asked. */
        UNAVAILABLE,
        /** It may be in force, or come into force, or not. */
        UNKNOWN
    }

    /**
     * What came of asking.
     *
     * @param outcome which it is
     * @param detail why, one sentence; empty if it is done
     * @param members ids of the members after it; empty unless it is done
     * @param leader id of the leader after it; empty unless it is done and known
     */
    public record Answer(Outcome outcome, String detail, List<String> members, String leader) {}

    /** What a peer says of itself, and where it said so. */
    private record Answered(HostPort at, StatusReply status) {}

    /** One question on its way from peer to peer. */
    private final class Question<Q extends com.google.protobuf.Message> {
        private final RpcMethod<Q, ChangePeersReply> method;
        private final Q request;
        private final List<HostPort> addresses;
        private final long start;
        private int next;
        private String lastFailure = "no peer answered";
        /** An answer to it was lost on its way perhaps: then whatever is said later may be because of it. */
        private boolean lost;

        /** Its time began then, by {@link System#nanoTime}. */
        Question(RpcMethod<Q, ChangePeersReply> method, Q request, Collection<HostPort> addresses, long startNanos) {
            this.start = startNanos;
            this.method = method;
            this.request = request;
            this.addresses = new ArrayList<>(addresses);
        }

        /** A hint goes first: a peer that is frozen would have all the time there is. */
        Future<Answer> ask(Optional<HostPort> hint) {
            long left = leftMillis(start);
            if (left <= 0) {
                return Future.succeededFuture(notDone(Outcome.UNAVAILABLE, lastFailure));
            }
            var peer = hint.orElseGet(() -> addresses.get(next++ % addresses.size()));
            return caller.call(peer.socketAddress(), method, request, left).compose(this::judge, failure -> {
                // A peer that was reached and then lost may have begun it.
                lost |= !(failure instanceof RpcException call && call.isUnsent());
                lastFailure = Objects.requireNonNullElse(failure.getMessage(), peer + " does not answer");
                return pauseBefore(Optional.empty());
            });
        }

        private Answer notDone(Outcome outcome, String detail) {
            return lost
                    ? new Answer(Outcome.UNKNOWN, "an answer was lost; then: " + detail, List.of(), "")
                    : new Answer(outcome, detail, List.of(), "");
        }

        private Future<Answer> pauseBefore(Optional<HostPort> hint) {
            return vertx.timer(PAUSE_MILLIS).compose(later -> ask(hint));
        }

        private Future<Answer> judge(ChangePeersReply reply) {
            if (reply.hasNow()) {
                var now = reply.getNow();
                return Future.succeededFuture(new Answer(
                        Outcome.DONE,
                        "",
                        now.getMembersList().stream()
                                .map(GroupMember::getPeerId)
                                .toList(),
                        now.getLeaderId()));
            }
            var refused = reply.getRefused();
            return switch (refused.getCause()) {
                case NOT_LEADER -> {
                    lastFailure = "no peer that answered leads";
                    yield pauseBefore(HostPort.reachable(refused.getLeaderAddress()));
                }
                case UNKNOWN -> Future.succeededFuture(new Answer(Outcome.UNKNOWN, refused.getDetail(), List.of(), ""));
                default -> Future.succeededFuture(notDone(Outcome.REFUSED, refused.getDetail()));
            };
        }
    }

    private long leftMillis(long startNanos) {
        return within.toMillis() - (System.nanoTime() - startNanos) / 1_000_000;
    }

    /** Takes a peer out of the group of the one cluster that these peers are of. */
    public Future<Answer> remove(Collection<HostPort> store, String peer) {
        long start = System.nanoTime();
        return inCluster(store, start, group -> {
            var request = ChangePeersRequest.newBuilder()
                    .setClusterId(group.clusterId())
                    .setIncarnation(group.incarnation())
                    .setRemove(peer)
                    .build();
            return new Question<>(StoreRpc.CHANGE_PEERS, request, store, start).ask(Optional.of(group.leader()));
        });
    }

    /**
     * Has another peer lead the group of the one cluster that these peers are of.
     *
     * @param to its id; empty: the most caught-up follower
     */
    public Future<Answer> transferLeader(Collection<HostPort> store, String to) {
        long start = System.nanoTime();
        return inCluster(store, start, group -> {
            var request = TransferLeaderRequest.newBuilder()
                    .setClusterId(group.clusterId())
                    .setIncarnation(group.incarnation())
                    .setTo(to)
                    .build();
            return new Question<>(StoreRpc.TRANSFER_LEADER, request, store, start).ask(Optional.of(group.leader()));
        });
    }

    /**
     * An address may be another cluster's by now, whose peers have the same names: it is looked at first, as often as
     * nobody answers.
     */
    private Future<Answer> inCluster(
            Collection<HostPort> store, long startNanos, Function<GroupPicture, Future<Answer>> change) {
        return look(store, startNanos).compose(seen -> {
            if (seen.picture().isPresent()) {
                return change.apply(seen.picture().get());
            }
            if (seen.equals(NOBODY_ANSWERS) && leftMillis(startNanos) > PAUSE_MILLIS) {
                return vertx.timer(PAUSE_MILLIS).compose(later -> inCluster(store, startNanos, change));
            }
            return Future.succeededFuture(new Answer(Outcome.UNAVAILABLE, seen.failure(), List.of(), ""));
        });
    }

    /** Whether a StoreSvr peer answers at an address. */
    public Future<Boolean> isTaken(HostPort address) {
        return status(address).map(Optional::isPresent);
    }

    private Future<Optional<Answered>> status(HostPort peer) {
        return caller.call(peer.socketAddress(), StoreRpc.STATUS, StatusRequest.getDefaultInstance(), LOOK_MILLIS)
                .map(reply -> Optional.of(new Answered(peer, reply)))
                .otherwise(Optional.empty());
    }

    /**
     * Looks at the group: asks the given peers, then the members that they name; again and again while they elect a
     * leader.
     */
    public Future<GroupPicture.Look> look(Collection<HostPort> store) {
        return look(store, System.nanoTime());
    }

    private Future<GroupPicture.Look> look(Collection<HostPort> store, long startNanos) {
        return lookOnce(store)
                .compose(seen -> seen.mayPass() && leftMillis(startNanos) > PAUSE_MILLIS
                        ? vertx.timer(PAUSE_MILLIS).compose(later -> look(store, startNanos))
                        : Future.succeededFuture(seen));
    }

    private Future<GroupPicture.Look> lookOnce(Collection<HostPort> store) {
        // Twice where nobody answers: on a busy machine the first call of a process may itself be late.
        return all(store)
                .compose(first -> first.isEmpty() ? all(store) : Future.succeededFuture(first))
                .compose(first -> {
                    var named = first.stream()
                            .flatMap(reply -> reply.status().getMembersList().stream())
                            .map(member -> HostPort.parse(member.getAddress()))
                            .filter(address -> !store.contains(address))
                            .collect(Collectors.toCollection(LinkedHashSet::new));
                    return all(named).map(second -> {
                        var replies = new ArrayList<>(first);
                        replies.addAll(second);
                        return picture(replies);
                    });
                });
    }

    private Future<List<Answered>> all(Collection<HostPort> addresses) {
        if (addresses.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return Future.join(addresses.stream().map(this::status).toList())
                .map(all -> all.<Optional<Answered>>list().stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static GroupPicture.Look picture(List<Answered> answers) {
        if (answers.isEmpty()) {
            return NOBODY_ANSWERS;
        }
        var replies = answers.stream().map(Answered::status).toList();
        var clusters = replies.stream().map(StatusReply::getClusterId).collect(Collectors.toCollection(TreeSet::new));
        if (clusters.size() > 1) {
            return GroupPicture.Look.failed("the peers are of different clusters: " + String.join(", ", clusters));
        }
        return apart(replies)
                .map(GroupPicture.Look::failed)
                .orElseGet(() -> answers.stream()
                        .filter(answer -> answer.status().getReady())
                        .max(Comparator.comparing(answer -> answer.status().getTerm()))
                        .map(leader -> GroupPicture.Look.of(picture(leader, replies)))
                        .orElseGet(GroupPicture.Look::leaderless));
    }

    /** As {@link StoreSurvey#livesApart}: if nothing is wrong, all that are ready are of one life, and terms tell. */
    private static Optional<String> apart(List<StatusReply> replies) {
        var newest = replies.stream().max(Comparator.comparing(StatusReply::getIncarnation));
        return replies.stream()
                .filter(reply -> reply.getReady()
                        && newest.isPresent()
                        && reply.getIncarnation() < newest.get().getIncarnation())
                .findFirst()
                .map(older -> StoreSurvey.apart(
                        older.getPeerId(),
                        older.getIncarnation(),
                        newest.get().getPeerId(),
                        newest.get().getIncarnation()));
    }

    private static GroupPicture picture(Answered ready, List<StatusReply> replies) {
        var leader = ready.status();
        var members = new TreeMap<String, GroupPicture.Peer>();
        leader.getMembersList()
                .forEach(member -> members.put(
                        member.getPeerId(),
                        new GroupPicture.Peer(
                                member.getPeerId(),
                                HostPort.parse(member.getAddress()),
                                HostPort.parse(member.getRaft()))));
        var former = new TreeSet<String>();
        replies.forEach(reply -> {
            former.addAll(reply.getFormerMembersList());
            reply.getMembersList().forEach(member -> former.add(member.getPeerId()));
        });
        former.removeAll(members.keySet());
        return new GroupPicture(
                leader.getClusterId(),
                leader.getIncarnation(),
                ready.at(),
                List.copyOf(members.values()),
                replies.stream().map(StatusReply::getPeerId).collect(Collectors.toSet()),
                former,
                leader.hasLease() ? OptionalLong.of(leader.getLease().getTtlNanos()) : OptionalLong.empty());
    }
}
