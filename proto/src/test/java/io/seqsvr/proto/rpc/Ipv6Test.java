package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.proto.v1.NextReply;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call to a server at an IPv6 address. */
@Timeout(20)
class Ipv6Test {
    private static final NextReply REPLY =
            NextReply.newBuilder().setUid(7).setFirst(1).setLast(1).setEpoch(1).build();

    /** Without brackets the server's parser takes the authority for none, and resets the stream. */
    @Test
    void theAddressStandsInBracketsInTheAuthorityAndTheCallIsAnswered() throws Exception {
        var loopback = new byte[16];
        loopback[15] = 1;
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByAddress(loopback)) != null, "no ::1 here");
        var authority = new CompletableFuture<String>();
        try (var caller = new TestCaller();
                var server = BadServer.http("::1", request -> {
                    authority.complete(String.valueOf(request.authority()));
                    var response = BadServer.reply(request);
                    response.write(BadServer.frame(REPLY));
                    BadServer.end(response, 0);
                })) {
            assertEquals(REPLY, caller.replyOf(caller.next(server, TestCaller.GENEROUS_MILLIS)));
            assertEquals("[::1]:" + server.address().port(), authority.join());
        }
    }
}
