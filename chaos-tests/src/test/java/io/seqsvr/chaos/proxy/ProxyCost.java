package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.process.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;

/** What the proxy costs without toxics, beside the same without the proxy; run by hand: it depends on the machine. */
final class ProxyCost {
    private static final int BYTES = 512 << 20;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int ROUND_TRIPS = 20_000;
    private static final int LOOKUPS = 500;

    private ProxyCost() {}

    /** Prints bytes per second, the round trip of one byte, and what it takes to name a caller. */
    public static void main(String[] args) throws IOException {
        var pids = Map.of("me", ProcessHandle.current().pid());
        var names = new ProcessCallers(() -> pids);
        try (var sink = new TcpServer(ProxyCost::countAndConfirm);
                var echo = TcpServer.echo();
                var proxy = new FaultProxy(names, new SplittableRandom(1))) {
            var toSink = proxy.create("sink", sink.endpoint());
            var toEcho = proxy.create("echo", echo.endpoint());
            for (int round = 0; round < 3; round++) {
                System.out.printf(
                        "MB/s      direct %,8.0f  proxied %,8.0f%n", megabytes(sink.endpoint()), megabytes(toSink));
                System.out.printf("micros    direct %s%n", roundTrips(echo.endpoint()));
                System.out.printf("micros   proxied %s%n", roundTrips(toEcho));
                System.out.printf("micros to name a caller %s%n", lookups(names, toEcho));
            }
        }
    }

    private static void countAndConfirm(Socket socket) throws IOException {
        long left = BYTES;
        var buffer = new byte[CHUNK_BYTES];
        while (left > 0) {
            left -= socket.getInputStream().read(buffer);
        }
        socket.getOutputStream().write(1);
    }

    private static double megabytes(Endpoint server) throws IOException {
        var chunk = new byte[CHUNK_BYTES];
        try (var caller = new Caller(server)) {
            long since = System.nanoTime();
            for (long sent = 0; sent < BYTES; sent += CHUNK_BYTES) {
                caller.socket().getOutputStream().write(chunk);
            }
            caller.hear(1);
            return BYTES / 1e6 / ((System.nanoTime() - since) / 1e9);
        }
    }

    private static String roundTrips(Endpoint server) throws IOException {
        var nanos = new long[ROUND_TRIPS];
        try (var caller = new Caller(server)) {
            for (int i = 0; i < ROUND_TRIPS; i++) {
                long since = System.nanoTime();
                caller.echo("x");
                nanos[i] = System.nanoTime() - since;
            }
        }
        return distribution(nanos);
    }

    private static String lookups(CallerNames names, Endpoint server) throws IOException {
        var nanos = new long[LOOKUPS];
        try (var caller = new Caller(server)) {
            var local = new InetSocketAddress(
                    caller.socket().getLocalAddress(), caller.socket().getLocalPort());
            var remote = new InetSocketAddress(server.host(), server.port());
            for (int i = 0; i < LOOKUPS; i++) {
                long since = System.nanoTime();
                if (!names.nameOf(local, remote).equals("me")) {
                    throw new IllegalStateException("not named");
                }
                nanos[i] = System.nanoTime() - since;
            }
        }
        return distribution(nanos);
    }

    private static String distribution(long[] nanos) {
        Arrays.sort(nanos);
        return String.format(
                "median %,6.0f  p99 %,6.0f", nanos[nanos.length / 2] / 1e3, nanos[nanos.length * 99 / 100] / 1e3);
    }
}
