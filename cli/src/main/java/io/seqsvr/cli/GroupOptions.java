package io.seqsvr.cli;

import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.GroupCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which StoreSvr group to change, and how long that may take. */
final class GroupOptions {
    @Mixin
    private PeerOptions peers = new PeerOptions();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "40s",
            converter = TimeConverter.class,
            description = "How long it may take in all, from 1ms to 1m (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(40);

    List<HostPort> store() {
        return peers.addresses();
    }

    /** Talks to the group, and waits for what comes of it. */
    <T> T talk(Function<GroupCaller, Future<T>> talk) {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try {
            var caller = new GroupCaller(vertx, timeout);
            return NodeServer.onContext(vertx.getOrCreateContext(), () -> talk.apply(caller))
                    .await();
        } finally {
            vertx.close().await();
        }
    }

    /** The exit code of what came of a change. */
    static int exitCode(GroupCaller.Outcome outcome) {
        return switch (outcome) {
            case DONE -> ExitCode.OK;
            case REFUSED -> ExitCode.FAILED;
            case UNAVAILABLE, UNKNOWN -> ExitCode.UNAVAILABLE;
        };
    }

    /** What to say of a change that is not done. */
    static String explain(GroupCaller.Answer answer) {
        return switch (answer.outcome()) {
            case UNKNOWN ->
                "the outcome is unknown (" + answer.detail() + "); 'seqsvr store status' shows who is in the group and"
                        + " who leads it";
            case DONE, REFUSED, UNAVAILABLE -> answer.detail();
        };
    }
}
