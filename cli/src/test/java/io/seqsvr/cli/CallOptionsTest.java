package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.v1.ErrorReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom commands about a user ask, and what they say where nobody answers. */
@Timeout(90)
final class CallOptionsTest {
    private static final String HINT = "; start a server with './seqsvr dev' or name another with --endpoint";
    private static final String BRIEFLY = " --timeout 4s";

    private record Said(int exitCode, String out, String err) {}

    private static Said run(HostPort endpoint, String line) {
        var out = new StringWriter();
        var err = new StringWriter();
        var arguments = Stream.concat(Stream.of(line.split(" ", -1)), Stream.of("--endpoint", endpoint.toString()))
                .toArray(String[]::new);
        int exitCode = Main.commandLine(arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Said(exitCode, out.toString().strip(), err.toString().strip());
    }

    private static HostPort whereNobodyListens() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new HostPort("127.0.0.1", socket.getLocalPort());
        } catch (IOException noPort) {
            throw new AssertionError(noPort);
        }
    }

    /** The first call of a process takes seconds on a busy machine. */
    @BeforeAll
    static void beWarm() {
        try (var router = new FakeRouter(whereNobodyListens(), Optional.empty())) {
            run(router.address(), "next 42 --via-router --timeout 30s");
            run(whereNobodyListens(), "next 42" + BRIEFLY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"next 42", "current 42", "raise-floor 42 6"})
    void viaTheRouterTheOwnerIsNotAsked(String line) {
        try (var router = new FakeRouter(whereNobodyListens(), Optional.empty())) {
            var through = run(router.address(), line + " --via-router --timeout 30s");
            assertEquals(ExitCode.OK, through.exitCode(), through::toString);
            assertTrue(through.out().startsWith(Long.toString(FakeRouter.SEQ)), through::toString);
        }
    }

    @Test
    void theReasonOfTheRouterIsNamed() {
        try (var router = new FakeRouter(whereNobodyListens(), Optional.of(ErrorReason.LEASE_EXPIRED))) {
            var refused = run(router.address(), "current 42 --via-router" + BRIEFLY);
            assertEquals(ExitCode.UNAVAILABLE, refused.exitCode(), refused::toString);
            assertTrue(
                    refused.err().startsWith("seqsvr: LEASE_EXPIRED: current of user 42 in namespace 'default': "),
                    refused::toString);
            var several = run(router.address(), "current 42 43 --via-router" + BRIEFLY);
            assertTrue(
                    several.err().contains("seqsvr: user 43: LEASE_EXPIRED: current of user 43 in namespace"),
                    several::toString);
        }
    }

    @Test
    void whereNobodyListensAServerIsHintedAt() {
        var nowhere = whereNobodyListens();
        var said = run(nowhere, "next 42" + BRIEFLY);
        assertEquals(ExitCode.UNAVAILABLE, said.exitCode(), said::toString);
        assertEquals("", said.out());
        assertEquals(1, said.err().lines().count(), said::toString);
        assertTrue(said.err().startsWith("seqsvr: NOT_READY: next of user 42 in namespace 'default'"), said::toString);
        assertTrue(said.err().contains(nowhere.toString()), said::toString);
        assertTrue(said.err().endsWith(HINT), said::toString);
    }

    /** There is a server: another one is what does not answer. */
    @Test
    void whereAnOwnerIsGoneNoServerIsHintedAt() {
        var owner = whereNobodyListens();
        try (var router = new FakeRouter(owner, Optional.empty())) {
            var said = run(router.address(), "next 42" + BRIEFLY);
            assertEquals(ExitCode.UNAVAILABLE, said.exitCode(), said::toString);
            assertTrue(said.err().contains(owner.toString()), said::toString);
            assertFalse(said.err().contains(HINT), said::toString);
        }
    }
}
