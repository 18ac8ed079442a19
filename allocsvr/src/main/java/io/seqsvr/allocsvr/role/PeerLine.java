package io.seqsvr.allocsvr.role;

import io.seqsvr.core.alloc.AllocatorEffect;
import io.seqsvr.core.alloc.PeerMessage;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.AllocatorCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An allocator's line to the others: messages about segments on their way. A message that cannot be carried is lost,
 * which costs a gap and nothing else, so nobody waits for it. Use it from one context.
 */
final class PeerLine {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLine.class);
    /** Messages of one segment may be long; whoever waits for them gives up after two seconds. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** No page takes 14 KiB. */
    private static final int MOST_PAGES = 256;

    private final AllocatorCaller caller;
    private Optional<StoreView> view = Optional.empty();

    PeerLine(Vertx vertx) {
        this.caller = new AllocatorCaller(vertx, TIMEOUT);
    }

    /** Where everybody is. */
    void seen(StoreView newest) {
        view = Optional.of(newest);
    }

    /** Whether nothing that was seen speaks against giving a session segments. */
    boolean mayReceive(long session) {
        return view.isEmpty() || view.get().mayReceive(session);
    }

    /**
     * Sends what an allocator has to say, in few calls to each receiver.
     *
     * @param cluster the cluster of both
     * @param from session of the sender
     */
    void tell(String cluster, long from, List<AllocatorEffect.Tell> messages) {
        Map<Long, List<PeerMessage>> byReceiver = messages.stream()
                .collect(Collectors.groupingBy(
                        AllocatorEffect.Tell::to,
                        LinkedHashMap::new,
                        Collectors.mapping(AllocatorEffect.Tell::message, Collectors.toList())));
        byReceiver.forEach((to, told) -> inCalls(told).forEach(part -> tell(cluster, from, to, part)));
    }

    /** As few calls as there may be, none of which is longer than a call may be. */
    static List<List<PeerMessage>> inCalls(List<PeerMessage> messages) {
        var calls = new ArrayList<List<PeerMessage>>();
        var call = new ArrayList<PeerMessage>();
        int pages = 0;
        for (var message : messages) {
            pages += message.pageCount();
            if (!call.isEmpty() && pages > MOST_PAGES) {
                calls.add(call);
                call = new ArrayList<>();
                pages = message.pageCount();
            }
            call.add(message);
        }
        calls.add(call);
        return calls;
    }

    private void tell(String cluster, long from, long to, List<PeerMessage> messages) {
        var receiver = view.flatMap(seen -> seen.session(to)).filter(member -> member.kind() == SessionKind.ALLOCATOR);
        if (receiver.isEmpty()) {
            LOG.warn("event=peer_unknown session={} messages={}", to, messages.size());
            return;
        }
        var address = receiver.get().address();
        HostPort.reachable(address)
                .map(known -> caller.tell(known, cluster, from, to, messages))
                // StoreSvr takes no such address in any more, but its log may have one.
                .orElseGet(() -> Future.failedFuture("that is no address at which anybody can be told"))
                .onFailure(lost -> LOG.warn(
                        "event=peer_not_told session={} address={} messages={} error=\"{}\"",
                        to,
                        address,
                        messages.size(),
                        lost.getMessage()));
    }

    /** Closes the connections. */
    Future<Void> close() {
        return caller.close();
    }
}
