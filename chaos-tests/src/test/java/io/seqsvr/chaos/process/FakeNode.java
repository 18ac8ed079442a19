package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that listens where its settings, a port and a status, make it, and says that status of its health. Asked
 * for that while a file beside the settings is named {@code .ending}, it says so once more, and ends as one that could
 * not go on; with {@code end}, a number and some words for settings it says these, and ends with that exit code.
 * Told to do something to the store it does nothing but say so, in a file beside the settings.
 */
public final class FakeNode {
    private static final Duration SOON = Duration.ofSeconds(40);

    private FakeNode() {}

    /** Has one that serves say that it cannot go on, and waits until it has ended. */
    public static void end(LocalNode node) {
        try {
            Files.createFile(Path.of(node.settings() + ".ending"));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
        assertTrue(node.answers());
        assertEquals(1, node.awaitEnd(SOON));
    }

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("store") && arguments[1].equals("remove")) {
            // It has no settings to stand beside: what it was told comes back as a refusal.
            System.err.println("asked for " + String.join(" ", arguments));
            System.exit(1);
        }
        if (arguments[0].equals("store")) {
            Files.writeString(Path.of(arguments[3] + ".done"), String.join(" ", arguments));
            return;
        }
        var settings = Files.readString(Path.of(arguments[2])).split(" ", -1);
        if (settings[0].equals("end")) {
            System.out.println(String.join(" ", settings));
            System.exit(Integer.parseInt(settings[1]));
        }
        System.out.println("started with " + Arrays.toString(settings));
        if (settings.length != 2) {
            System.exit(3);
        }
        var server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(settings[0])), 0);
        var ending = Path.of(arguments[2] + ".ending");
        server.createContext("/healthz", exchange -> {
            boolean last = Files.deleteIfExists(ending);
            if (last) {
                System.out.println("event=fatal error=\"it was told so\"");
            }
            exchange.sendResponseHeaders(Integer.parseInt(settings[1]), -1);
            exchange.close();
            if (last) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                System.exit(1);
            }
        });
        server.start();
    }
}
