package io.seqsvr.storeclient;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.codec.CommandEncoder;
import io.seqsvr.proto.codec.ReplyDecoder;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.WatchRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A process's line to StoreSvr. A command is transmitted once to a peer that may submit it: a peer that does not lead
 * or to which no connection can be had is followed by another; any other refusal, and an unknown outcome, are the
 * caller's to decide. Renewals that confirm nothing have a connection of their own, so that nothing big delays them,
 * and one that starts while another is not answered goes to another peer. Besides the peers that it was given it asks
 * those that a watch tells of: a group may have replaced all that it began with. Use it from one context.
 *
 * <p>The first peer that answers tells the cluster; from then on, for the life of the process, another cluster is
 * refused, and an older life of this one.
 */
public final class StoreClient {
    /** Those that settings name. */
    private final List<HostPort> named;

    private final Duration timeout;
    private final UnaryCaller commands;
    private final UnaryCaller renewals;
    private final UnaryCaller watches;

    private final Belonging belonging;

    /** Who is in the group, as far as a watch has told. */
    private List<HostPort> members = List.of();

    /** Whom to ask: the members, then those that settings name besides, who may be gone. */
    private List<HostPort> peers;

    /** Where commands begin: at who led last, or after those that have failed since. */
    private HostPort leader;
    /** How many turns came to nothing since a command was answered. */
    private int inVain;

    /** How many peers the watch is ahead of the leader, which shows what it commits sooner than the others do. */
    private int watchedAfterLeader;

    private HostPort lastWatched;
    /** How many peers the next renewal is ahead of the leader, as earlier ones hang there or elsewhere. */
    private int renewedAfterLeader;

    /**
     * A client that has not connected yet.
     *
     * @param vertx runs it
     * @param peers addresses of StoreSvr peers, at least one
     * @param timeout how long a peer that got a command may take to answer; after it the outcome counts as unknown
     */
    public StoreClient(Vertx vertx, List<HostPort> peers, Duration timeout) {
        this(vertx, peers, timeout, "");
    }

    /** The same of a process that knows its cluster already: it sends nothing to another one. */
    public StoreClient(Vertx vertx, List<HostPort> peers, Duration timeout, String cluster) {
        this.belonging = new Belonging(cluster);
        this.named = List.copyOf(peers);
        this.peers = named;
        this.timeout = timeout;
        this.leader = named.get(0);
        this.lastWatched = leader;
        this.commands = new UnaryCaller(vertx);
        this.renewals = new UnaryCaller(vertx);
        this.watches = new UnaryCaller(vertx);
    }

    /**
     * Puts a command through the log.
     *
     * @return its reply; fails with {@link NotSubmittedException} or an {@link RpcException#isUnsent unsent} call if
     *     nothing happened, with anything else if the outcome is unknown
     */
    public Future<StoreReply> execute(StoreCommand command) {
        var request = ExecuteRequest.newBuilder().setCommand(CommandEncoder.encode(command));
        belonging.sign(request);
        return isBareRenewal(command) ? renew(request.build()) : new Search(commands, request.build(), leader).begin();
    }

    /**
     * While a renewal hangs at one peer, the next ones begin at the others in turn; none is given up for that. One that
     * began elsewhere than at the leader and failed was a turn too: else the next would begin there once more.
     */
    private Future<StoreReply> renew(ExecuteRequest request) {
        var first = after(leader, renewedAfterLeader);
        boolean atLeader = first.equals(leader);
        renewedAfterLeader++;
        return new Search(renewals, request, first)
                .begin()
                .onSuccess(answered -> renewedAfterLeader = 0)
                .onFailure(ended -> renewedAfterLeader = Math.max(0, renewedAfterLeader - (atLeader ? 1 : 0)));
    }

    private static boolean isBareRenewal(StoreCommand command) {
        return command instanceof StoreCommand.Renew renew && renew.holdings().isEmpty();
    }

    private Future<StoreReply> accept(ExecuteReply reply) {
        return belonging.takes(reply)
                ? Future.succeededFuture(ReplyDecoder.decode(reply.getReply()))
                : Future.failedFuture(belonging.refused(reply.getClusterId()));
    }

    /**
     * One command on its way from peer to peer. Whom no connection can be had to and who does not lead is followed by
     * another at once, so that whoever has just been elected is found in one go. It ends where a majority of the
     * members knows no leader that can be reached; those who are no members have their turn after them.
     */
    private final class Search {
        private final UnaryCaller caller;
        private final ExecuteRequest request;
        private final HostPort first;
        private final Set<HostPort> asked = new HashSet<>();
        private final Set<HostPort> unreached = new HashSet<>();
        private final Map<HostPort, NotSubmittedException> followers = new LinkedHashMap<>();
        private int redirectsLeft = peers.size();

        Search(UnaryCaller caller, ExecuteRequest request, HostPort first) {
            this.caller = caller;
            this.request = request;
            this.first = first;
        }

        Future<StoreReply> begin() {
            return ask(first);
        }

        private Future<StoreReply> ask(HostPort peer) {
            asked.add(peer);
            return caller.call(peer.socketAddress(), StoreRpc.EXECUTE, request, timeout.toMillis())
                    .compose(reply -> judge(peer, reply), failure -> lost(peer, failure));
        }

        private Future<StoreReply> lost(HostPort peer, Throwable failure) {
            if (failure instanceof RpcException call && call.isUnsent()) {
                unreached.add(peer);
                return askNext(peer, failure);
            }
            return leave(peer, failure);
        }

        private Future<StoreReply> judge(HostPort peer, ExecuteReply reply) {
            return switch (reply.getOutcomeCase()) {
                case REPLY -> {
                    follow(peer);
                    yield accept(reply);
                }
                case NOT_SUBMITTED -> refused(peer, reply);
                case OUTCOME_NOT_SET -> leave(peer, new IllegalArgumentException(peer + " sent an empty outcome"));
            };
        }

        private Future<StoreReply> refused(HostPort peer, ExecuteReply reply) {
            var refusal = reply.getNotSubmitted();
            var failure = new NotSubmittedException(
                    peer + " did not submit the command: " + refusal.getCause() + " " + refusal.getDetail());
            return switch (refusal.getCause()) {
                case NOT_LEADER -> redirect(peer, refusal.getLeaderAddress(), failure);
                // Another process took over the address: only the other peers can help.
                case OTHER_CLUSTER -> leave(peer, failure);
                // A peer of the former life should have been stopped. After a newer one the next try is of it.
                case OTHER_INCARNATION -> belonging.takes(reply) ? Future.failedFuture(failure) : leave(peer, failure);
                default -> Future.failedFuture(failure);
            };
        }

        private Future<StoreReply> redirect(HostPort peer, String told, NotSubmittedException failure) {
            followers.put(peer, failure);
            var next = HostPort.reachable(told).filter(leads -> redirectsLeft > 0 && !unreached.contains(leads));
            if (next.isPresent()) {
                redirectsLeft--;
                return ask(next.get());
            }
            return askNext(peer, failure);
        }

        private Future<StoreReply> askNext(HostPort peer, Throwable failure) {
            var group = members.isEmpty() ? named : members;
            var answered = followers.entrySet().stream()
                    .filter(follower -> group.contains(follower.getKey()))
                    .toList();
            if (2 * answered.size() > group.size()) {
                return endWithout(answered.get(0).getKey(), answered.get(0).getValue());
            }
            // After too many turns in vain nobody keeps the others from theirs: else one that hangs ends each search.
            var next = unasked(peer, inVain < group.size() ? group : peers).or(() -> unasked(peer, peers));
            return next.isPresent() ? ask(next.get()) : leave(peer, failure);
        }

        /** It has failed, and the next command begins where somebody answers. */
        private Future<StoreReply> endWithout(HostPort follower, NotSubmittedException refusal) {
            if (leader.equals(first)) {
                leader = follower;
            }
            return Future.failedFuture(refusal);
        }

        /** It has failed at a peer, and the next command begins elsewhere, unless one does already. */
        private Future<StoreReply> leave(HostPort peer, Throwable failure) {
            if (leader.equals(first)) {
                leader = turnAfter(peer);
            }
            return Future.failedFuture(failure);
        }

        private Optional<HostPort> unasked(HostPort peer, List<HostPort> among) {
            return IntStream.rangeClosed(1, among.size())
                    .mapToObj(places -> after(peer, places, among))
                    .filter(other -> !asked.contains(other))
                    .findFirst();
        }
    }

    /** A peer leads: commands go there, and a watch that was elsewhere may come back. */
    private void follow(HostPort peer) {
        inVain = 0;
        if (!leader.equals(peer)) {
            leader = peer;
            watchedAfterLeader = 0;
        }
    }

    /** Where to begin after a peer: at a member, or, after as many turns in vain as there are members, at anybody. */
    private HostPort turnAfter(HostPort peer) {
        inVain++;
        return inVain < members.size() ? after(peer, 1) : after(peer, 1, peers);
    }

    /** The peer so many places further: of the members, where they are known and it is one. */
    private HostPort after(HostPort peer, int places) {
        return after(peer, places, members.contains(peer) ? members : peers);
    }

    /** One that is not among them stands before the first. */
    private static HostPort after(HostPort peer, int places, List<HostPort> among) {
        return places == 0 ? peer : among.get(Math.floorMod(among.indexOf(peer) + places, among.size()));
    }

    private HostPort watched() {
        return after(leader, watchedAfterLeader);
    }

    /** The next {@link #watch} asks another peer than the last one did, where there is one. */
    void watchElsewhere() {
        if (watched().equals(lastWatched)) {
            watchedAfterLeader = (watchedAfterLeader + 1) % peers.size();
        }
    }

    /**
     * Waits until something is newer than {@code since}.
     *
     * @param since version of the last view, 0 for none
     * @param wait how long a peer may hold the call, at most a minute
     * @return the newer view, or nothing if there was none in that time
     */
    public Future<Optional<StoreView>> watch(long since, Duration wait) {
        var request = WatchRequest.newBuilder()
                .setClusterId(belonging.cluster())
                .setSince(since)
                .setWaitMillis((int) wait.toMillis())
                .build();
        var peer = watched();
        lastWatched = peer;
        return watches.call(
                        peer.socketAddress(),
                        StoreRpc.WATCH,
                        request,
                        wait.plus(timeout).toMillis())
                .compose(reply -> {
                    if (!belonging.takes(reply)) {
                        return Future.failedFuture(belonging.refused(reply.getClusterId()));
                    }
                    learn(reply.getPeersList());
                    return Future.succeededFuture(
                            reply.hasView()
                                    ? Optional.of(ReplyDecoder.decode(reply.getVersion(), reply.getView()))
                                    : Optional.<StoreView>empty());
                })
                // Also where it answers what cannot be read: it would again.
                .onFailure(ofNoUse -> leaveWatched(peer));
    }

    /** Who is in the group now; those that settings name stay, as a peer that is behind may tell what was. */
    private void learn(List<String> told) {
        members = told.stream().map(HostPort::parse).toList();
        peers = Stream.concat(members.stream(), named.stream()).distinct().toList();
    }

    private void leaveWatched(HostPort peer) {
        if (watchedAfterLeader == 0) {
            leader = leader.equals(peer) ? turnAfter(peer) : leader;
        } else if (peer.equals(lastWatched)) {
            watchElsewhere();
        }
    }

    /** The cluster to which this process belongs; empty before the first answer, if nobody named it. */
    public String cluster() {
        return belonging.cluster();
    }

    /** Closes the connections. */
    public Future<Void> close() {
        return Future.join(commands.close(), renewals.close(), watches.close()).mapEmpty();
    }
}
