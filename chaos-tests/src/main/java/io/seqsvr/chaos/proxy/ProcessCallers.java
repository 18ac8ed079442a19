package io.seqsvr.chaos.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Knows callers by the process that holds the other end of the connection, which must be on this machine. It reads
 * /proc, and must be allowed to look at these processes.
 */
public final class ProcessCallers implements CallerNames {
    private static final Pattern BLANKS = Pattern.compile(" +");
    private static final int LOCAL_FIELD = 1;
    private static final int REMOTE_FIELD = 2;
    private static final int INODE_FIELD = 9;

    private final ProcFiles files;
    private final Supplier<Map<String, Long>> pidsByName;

    /**
     * Names processes of the running system.
     *
     * @param pidsByName who is known now, asked anew for each connection, by many threads
     */
    public ProcessCallers(Supplier<Map<String, Long>> pidsByName) {
        this(new LinuxProcFiles(), pidsByName);
    }

    ProcessCallers(ProcFiles files, Supplier<Map<String, Long>> pidsByName) {
        this.files = files;
        this.pidsByName = pidsByName;
    }

    /**
     * The name of the process that holds the calling socket.
     *
     * @throws java.io.UncheckedIOException if /proc cannot be read
     */
    @Override
    public String nameOf(InetSocketAddress caller, InetSocketAddress listener) {
        return inodeOf(caller, listener).flatMap(this::holderOf).orElse(UNKNOWN);
    }

    private Optional<String> inodeOf(InetSocketAddress local, InetSocketAddress remote) {
        return files.tcpSockets().stream()
                .map(line -> BLANKS.split(line.strip()))
                .filter(fields -> fields.length > INODE_FIELD
                        && isAt(fields[LOCAL_FIELD], local)
                        && isAt(fields[REMOTE_FIELD], remote))
                .map(fields -> fields[INODE_FIELD])
                .findFirst();
    }

    private Optional<String> holderOf(String inode) {
        var link = "socket:[" + inode + "]";
        return pidsByName.get().entrySet().stream()
                .filter(process -> files.descriptors(process.getValue()).contains(link))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Compares the port first, which nearly always tells. */
    private static boolean isAt(String field, InetSocketAddress address) {
        int colon = field.indexOf(':');
        return Integer.parseInt(field, colon + 1, field.length(), 16) == address.getPort()
                && addressOf(field.substring(0, colon)).equals(address.getAddress());
    }

    /** Each 32 bits are written as a number of this machine; an IPv4 address in IPv6 becomes what it is. */
    private static InetAddress addressOf(String hex) {
        var words = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        var bytes = ByteBuffer.allocate(words.capacity()).order(ByteOrder.nativeOrder());
        while (words.hasRemaining()) {
            bytes.putInt(words.getInt());
        }
        try {
            return InetAddress.getByAddress(bytes.array());
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException("\"" + hex + "\" is no address of 4 or 16 bytes", impossible);
        }
    }
}
