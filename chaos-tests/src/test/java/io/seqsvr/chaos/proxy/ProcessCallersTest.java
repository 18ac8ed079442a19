package io.seqsvr.chaos.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who calls, by what Linux writes about sockets; the addresses here are those of a little-endian machine. */
final class ProcessCallersTest {
    private static final String END_OF_LINE = " 01 00000000:00000000 00:00000000 00000000  1000        0 ";

    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final List<String> sockets = List.of(
            line("0100007F:1F90", "00000000:0000", 11),
            line("0100007F:C001", "0100007F:1F90", 12),
            line("0100007F:1F90", "0100007F:C001", 13),
            line("0200007F:C001", "0100007F:1F90", 14),
            line("0000000000000000FFFF00000100007F:C002", "0000000000000000FFFF00000100007F:1F90", 15),
            line("00000000000000000000000001000000:C003", "00000000000000000000000001000000:1F90", 16));

    private final Map<Long, List<String>> descriptorsByPid = Map.of(
            100L, List.of("/dev/null", "socket:[12]", "pipe:[13]"),
            200L, List.of("socket:[15]", "socket:[11]"),
            300L, List.of("socket:[16]", "anon_inode:[eventpoll]"));

    private final ProcessCallers callers = new ProcessCallers(
            new ProcFiles() {
                @Override
                public List<String> tcpSockets() {
                    return sockets;
                }

                @Override
                public List<String> descriptors(long pid) {
                    return descriptorsByPid.getOrDefault(pid, List.of());
                }
            },
            () -> Map.of("n1", 100L, "n2", 200L, "n3", 300L, "dead", 400L));

    @BeforeEach
    void assumeTheByteOrderOfTheLines() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void theHolderOfTheCallingSocketIsTheCaller() {
        assertEquals("n1", nameOf(LOOPBACK, 0xC001));
    }

    @Test
    void anAddressOfVersionFourIsTheSameInVersionSix() {
        assertEquals("n2", nameOf(LOOPBACK, 0xC002));
    }

    @Test
    void versionSixIsRead() {
        assertEquals("n3", nameOf(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 0xC003));
    }

    @Test
    void theSamePortOfAnotherAddressIsAnotherSocket() {
        assertEquals(CallerNames.UNKNOWN, nameOf(new byte[] {127, 0, 0, 2}, 0xC001));
    }

    @Test
    void aSocketThatIsGoneIsNobodys() {
        assertEquals(CallerNames.UNKNOWN, nameOf(LOOPBACK, 0xC004));
    }

    /** The server listens on the caller's address, and where that is another of version 4 on the usual one. */
    private String nameOf(byte[] host, int port) {
        try {
            var server = InetAddress.getByAddress(host.length == LOOPBACK.length ? LOOPBACK : host);
            return callers.nameOf(
                    new InetSocketAddress(InetAddress.getByAddress(host), port), new InetSocketAddress(server, 0x1F90));
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    private static String line(String local, String remote, int inode) {
        return "   " + inode + ": " + local + " " + remote + END_OF_LINE + inode + " 1 0000000000000000 20 4 30 10 -1";
    }
}
