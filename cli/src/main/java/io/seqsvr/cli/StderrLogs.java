package io.seqsvr.cli;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.jul.LevelChangePropagator;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.pattern.DynamicConverter;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Logs go to stderr, one line each and without stack traces; {@code SEQSVR_LOG=DEBUG} shows more,
 * {@code SEQSVR_LOG_TRACES=%ex} the traces. Logback finds this as a service, and would read the same from a file of XML
 * in three times as long, at each start of each command. A file that {@code -Dlogback.configurationFile} names takes
 * its place.
 */
public final class StderrLogs extends ContextAwareBase implements Configurator {
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} %msg%" + ThrownOnOneLine.WORD + "%n";

    /** What libraries have to say. */
    private static final Map<String, Level> LIBRARIES = Map.of(
            "org.apache.ratis", Level.ERROR,
            "org.apache.ratis.thirdparty", Level.OFF,
            // A log that cannot be written is told by event=fatal, once.
            "org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogOutputStream", Level.OFF,
            "io.netty", Level.ERROR,
            // Of a connection that closes while trailers wait (Vert.x 5.0.12 fails a promise that it has not made): by
            // then all who wait have been told.
            "io.netty.handler.codec.http2.DefaultHttp2Connection", Level.OFF,
            // Of a connection that closes with its event loop, where a command ends: the group of connections is told
            // on a loop that has ended by then, and nobody waits for that any more.
            "io.netty.util.concurrent.DefaultPromise.rejectedExecution", Level.OFF,
            "io.vertx", Level.WARN,
            // The calls on a connection that breaks are told of it, and tell; the library would call it an error
            // besides.
            "io.vertx.core.net.impl.ConnectionBase", Level.OFF,
            // The same of a connection that is given up; the library would warn of it besides.
            "io.vertx.core.http.impl.HttpClientConnectionInternal", Level.ERROR);

    /** For Logback. */
    public StderrLogs() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Map<String, Supplier<DynamicConverter<ILoggingEvent>>> words =
                Map.of(ThrownOnOneLine.WORD, ThrownOnOneLine::new);
        context.putObject(CoreConstants.PATTERN_RULE_REGISTRY_FOR_SUPPLIERS, words);
        var lines = new PatternLayoutEncoder();
        lines.setContext(context);
        lines.setPattern(PATTERN + environment("SEQSVR_LOG_TRACES", "%nopex"));
        lines.start();
        var stderr = new ConsoleAppender<ILoggingEvent>();
        stderr.setContext(context);
        stderr.setName("stderr");
        stderr.setTarget("System.err");
        stderr.setEncoder(lines);
        stderr.start();

        // What java.util.logging need not pass on is not even made.
        var levels = new LevelChangePropagator();
        levels.setContext(context);
        levels.start();
        context.addListener(levels);

        var root = context.getLogger("ROOT");
        root.setLevel(Level.WARN);
        root.addAppender(stderr);
        LIBRARIES.forEach((name, level) -> context.getLogger(name).setLevel(level));
        context.getLogger("io.seqsvr").setLevel(Level.toLevel(environment("SEQSVR_LOG", "INFO"), Level.INFO));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static String environment(String name, String otherwise) {
        return Objects.requireNonNullElse(System.getenv(name), otherwise);
    }
}
