package io.seqsvr.chaos.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.fault.LinkFault;
import io.seqsvr.chaos.network.LinkState;
import io.seqsvr.chaos.network.Links.Link;
import io.seqsvr.chaos.network.VirtualNetwork;
import io.seqsvr.chaos.process.Loopback;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** This process calls a node that it plays itself, through the proxy before it. */
@Timeout(60)
final class ProxyLinksTest {
    private static final Link TO_NODE = new Link(VirtualNetwork.US, "alloc-1");
    private static final Link FROM_NODE = new Link("alloc-1", VirtualNetwork.US);
    private static final int SOON_MILLIS = 300;

    private ProxyLinks links;
    private ServerSocket node;
    private Socket caller;
    private Socket called;

    @BeforeEach
    void connect() throws IOException {
        var missing = Need.PROXIES.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        links = new ProxyLinks(List.of("alloc-1", "alloc-2"), new Loopback(), 1);
        var seen = links.open("alloc-1");
        node = new ServerSocket(links.behind(seen).port(), 50, InetAddress.getLoopbackAddress());
        caller = new Socket(seen.host(), seen.port());
        called = node.accept();
        caller.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
        called.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
        assertPasses(caller, called);
    }

    @AfterEach
    void close() throws IOException {
        if (links != null) {
            caller.close();
            node.close();
            links.close();
        }
    }

    private static void assertPasses(Socket from, Socket to) throws IOException {
        from.getOutputStream().write(7);
        assertEquals(7, to.getInputStream().read());
    }

    @Test
    void eachDirectionIsCutByItself() throws IOException {
        links.add(List.of(FROM_NODE), LinkState.CUT);
        assertPasses(caller, called);
        called.getOutputStream().write(8);
        caller.setSoTimeout(SOON_MILLIS);
        assertThrows(SocketTimeoutException.class, () -> caller.getInputStream().read());
        assertTrue(links.counts(List.of(FROM_NODE)).show(LinkState.CUT));

        links.remove(List.of(FROM_NODE), LinkState.CUT);
        caller.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
        assertEquals(8, caller.getInputStream().read(), "what was cut was held back");
    }

    @Test
    void aConnectionIsReset() throws IOException {
        links.add(List.of(TO_NODE), LinkState.CLEAN.resetting(10_000));
        assertThrows(SocketException.class, () -> caller.getInputStream().read());
        assertTrue(links.counts(List.of(TO_NODE)).reset() > 0);
    }

    @Test
    void othersAreNotStruck() throws IOException {
        links.add(List.of(new Link("alloc-2", "alloc-1"), new Link("alloc-1", "alloc-2")), LinkState.CUT);
        assertPasses(caller, called);
        assertPasses(called, caller);
    }

    @Test
    void twoFaultsOfOneLinkEndOneByOne() throws IOException {
        var both = List.of(TO_NODE);
        links.add(both, LinkState.CUT);
        links.add(both, LinkState.CLEAN.limitedTo(64));
        links.remove(both, LinkState.CUT);
        assertPasses(caller, called);
        links.remove(both, LinkState.CLEAN.limitedTo(64));
        assertPasses(caller, called);
        assertEquals(List.of(VirtualNetwork.US, "alloc-2"), links.others("alloc-1"));
    }

    /** One whom nobody named passes by all that is done to others. */
    @Test
    void aCutIsNoneWhileAStrangerPassesIt() throws IOException {
        var cut = LinkFault.out("cut-out", "alloc-1", List.of(VirtualNetwork.US), links, LinkState.CUT);
        var stranger = new ProcessBuilder(
                        "bash",
                        "-c",
                        "exec 3<>/dev/tcp/" + caller.getInetAddress().getHostAddress() + "/" + caller.getPort()
                                + "; read -r line")
                .start();
        try (var accepted = node.accept()) {
            assertTrue(accepted.isConnected());
            cut.start();
            called.getOutputStream().write(8);
            while (!links.counts(List.of(FROM_NODE)).show(LinkState.CUT)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertFalse(cut.isInEffect());
        } finally {
            stranger.destroyForcibly();
        }
        while (!cut.isInEffect()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        cut.stop();
    }
}
