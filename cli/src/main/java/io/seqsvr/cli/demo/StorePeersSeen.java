package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.PeerStatus;
import io.seqsvr.storeclient.SegmentFacts;
import io.seqsvr.storeclient.StatusCaller;
import io.seqsvr.storeclient.StoreSurvey;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the StoreSvr peers of a local cluster say of themselves. */
public final class StorePeersSeen implements AutoCloseable {
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(2);
    private static final Duration QUICKLY = Duration.ofSeconds(1);

    /**
     * Entries of the log: some are applied while all of them are asked. Far fewer than lie between two snapshots of a
     * lab, so that whoever has one to take in is behind.
     */
    private static final long MOST_BEHIND = 20;

    private final EventLoop loop = new EventLoop();
    private final StatusCaller caller = new StatusCaller(loop.vertx(), ANSWERS_WITHIN);
    /** A round goes on meanwhile, and a peer to which something is done may say nothing. */
    private final StatusCaller quickly = new StatusCaller(loop.vertx(), QUICKLY);

    private final LocalCluster cluster;

    /** Of a cluster, whose peers may be replaced meanwhile. */
    public StorePeersSeen(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** They change when a peer is replaced. */
    private List<HostPort> addresses() {
        return cluster.endpoints(Tier.STORESVR).stream()
                .map(endpoint -> HostPort.parse(endpoint.toString()))
                .toList();
    }

    /** What those say that answer. */
    private List<PeerStatus> peers(Function<HostPort, Future<PeerStatus>> ask) {
        var addresses = addresses();
        return loop.await(() -> new StoreSurvey(ask).of(addresses)).stream()
                .flatMap(finding -> finding.status().stream())
                .toList();
    }

    /** The peer that leads and is ready, if one says so. */
    public Optional<LocalNode> leader() {
        return peers(caller::status).stream()
                .filter(peer -> peer.leads() && peer.ready())
                .flatMap(peer -> cluster.peer(peer.id()).stream())
                .findFirst();
    }

    /**
     * Whether every peer answers, one leads and is ready, and none is far behind: another one may then be lost, and
     * the rest are a majority that goes on at once.
     */
    boolean follow() {
        return follow(peers(caller::status), addresses().size());
    }

    /** Whether so many peers are well, by what those say that answered. */
    static boolean follow(List<PeerStatus> peers, int count) {
        var applied = peers.stream()
                .flatMapToLong(peer -> peer.appliedIndex().stream())
                .summaryStatistics();
        return applied.getCount() == count
                && peers.stream().anyMatch(peer -> peer.leads() && peer.ready())
                && applied.getMax() - applied.getMin() <= MOST_BEHIND;
    }

    /** What the leader keeps of segments, as far as it answers; nothing of any without a leader. */
    Function<SegmentId, Optional<SegmentFacts>> segments() {
        var leader = leader().map(node -> HostPort.parse(node.endpoint().toString()));
        return segment -> leader.flatMap(
                peer -> loop.await(() -> caller.segment(peer, segment).otherwise(Optional.empty())));
    }

    /** The sum of max_seq of these segments, of each the greatest that a peer tells; nothing if nobody tells of one. */
    OptionalLong granted(Set<SegmentId> segments) {
        var peers = addresses();
        var told = loop.await(() ->
                all(segments.stream().map(segment -> greatest(peers, segment)).toList()));
        return told.stream().allMatch(Optional::isPresent)
                ? OptionalLong.of(told.stream().mapToLong(Optional::orElseThrow).sum())
                : OptionalLong.empty();
    }

    private Future<Optional<Long>> greatest(List<HostPort> peers, SegmentId segment) {
        return all(peers.stream()
                        .map(peer -> quickly.segment(peer, segment).otherwise(Optional.empty()))
                        .toList())
                .map(told -> told.stream()
                        .flatMap(Optional::stream)
                        .map(SegmentFacts::maxSeq)
                        .max(Comparator.naturalOrder()));
    }

    private static <T> Future<List<T>> all(List<Future<T>> each) {
        return Future.join(each).map(ended -> each.stream().map(Future::result).toList());
    }

    /**
     * What the states of all peers amount to, by their names, at the newest place of the log that each of them tells
     * of; nothing if there is none, as one is behind or does not answer.
     */
    public Optional<Map<String, String>> digests() {
        var peers = peers(caller::statusWithDigests);
        if (peers.size() < addresses().size()) {
            return Optional.empty();
        }
        return peers.get(0).digests().stream()
                .map(PeerStatus.DigestAt::index)
                .filter(index -> peers.stream().allMatch(peer -> at(peer, index).isPresent()))
                .findFirst()
                .map(index -> peers.stream()
                        .collect(Collectors.toMap(
                                PeerStatus::id, peer -> at(peer, index).orElseThrow())));
    }

    private static Optional<String> at(PeerStatus peer, long index) {
        return peer.digests().stream()
                .filter(digest -> digest.index() == index)
                .map(PeerStatus.DigestAt::digest)
                .findFirst();
    }

    @Override
    public void close() {
        loop.close();
    }
}
