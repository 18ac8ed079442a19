package io.seqsvr.cli.broken;

import com.google.protobuf.Message;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.seqsvr.allocsvr.AllocSvrSettings;
import io.seqsvr.chaos.process.Launcher;
import io.seqsvr.cli.Main;
import io.seqsvr.client.SequenceRange;
import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.router.RouterSettings;
import io.seqsvr.storeclient.StoreClient;
import io.seqsvr.storesvr.StoreSvrSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftPeerId;
import org.rocksdb.RocksDB;
import org.slf4j.LoggerFactory;

/** One class for each way to break a rule; nothing here ever runs. */
public final class Breaks {
    private Breaks() {}

    interface KnowsProto {
        NextRequest request();
    }

    interface KnowsNode {
        void start() throws StartupException;
    }

    interface KnowsStoreClient {
        StoreClient client();
    }

    interface KnowsClient {
        SequenceRange range();
    }

    interface KnowsStoreSvr {
        StoreSvrSettings settings();
    }

    interface KnowsAllocSvr {
        AllocSvrSettings settings();
    }

    interface KnowsRouter {
        RouterSettings settings();
    }

    interface KnowsChaos {
        Launcher launcher();
    }

    interface KnowsCli {
        Class<Main> MAIN = Main.class;
    }

    interface KnowsVertx {
        Vertx vertx();
    }

    interface KnowsMicrometer {
        MeterRegistry registry();
    }

    interface KnowsRatis {
        RaftPeerId id();
    }

    interface KnowsRocks {
        RocksDB database();
    }

    interface KnowsNetty {
        Channel channel();
    }

    static final class AsksTheMonotonicClock {
        long now() {
            return System.nanoTime();
        }
    }

    static final class AsksTheWallClock {
        long now() {
            return System.currentTimeMillis();
        }
    }

    static final class AsksForAnInstant {
        Instant now() {
            return Instant.now();
        }
    }

    static final class HandsTheClockOn {
        LongSupplier clock() {
            return System::nanoTime;
        }
    }

    static final class StartsAThread {
        void start() {
            new Thread(() -> {}).start();
        }
    }

    interface HoldsAnExecutor {
        ExecutorService executor();
    }

    static final class ReadsAFile {
        boolean exists() {
            return Files.exists(Path.of("file"));
        }
    }

    static final class Logs {
        void log() {
            LoggerFactory.getLogger(Logs.class).info("event=broken");
        }
    }

    static final class MakesARandom {
        int draw() {
            return new Random(1).nextInt();
        }
    }

    static final class TakesTheThreadsRandom {
        int draw() {
            return ThreadLocalRandom.current().nextInt();
        }
    }

    static final class TakesTheDefaultRandom {
        int draw() {
            return RandomGenerator.getDefault().nextInt();
        }
    }

    static final class DrawsByMath {
        double draw() {
            return Math.random();
        }
    }

    static final class DrawsAnId {
        UUID draw() {
            return UUID.randomUUID();
        }
    }

    static final class SleepsInAThread {
        void pause() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final class SleepsByUnit {
        void pause() throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    static final class TakesAGuardAway {
        Guards guards() {
            return Guards.without(Set.of(Guard.LEASE_IS_CHECKED));
        }
    }

    static final class LetsOthersTakeGuardsAway {
        Function<Set<Guard>, Guards> knife() {
            return Guards::without;
        }
    }

    static final class LogsToTheJdk {
        void log() {
            Logger.getLogger("broken").info("broken");
        }
    }

    /** Returns a type of Vert.x. */
    public interface ReturnsAFuture {
        /** Leaks. */
        Future<String> next();
    }

    /** Takes a type of Vert.x, inside another. */
    public interface TakesAListOfVertx {
        /** Leaks. */
        void use(Optional<List<Vertx>> list);
    }

    /** Returns a generated type, inside another. */
    public interface ReturnsAStageOfARequest {
        /** Leaks. */
        CompletableFuture<NextRequest> next();
    }

    /** Bounds a parameter by a type of protobuf. */
    public interface BoundsByAMessage {
        /** Leaks. */
        <M extends Message> void use(Stream<M> messages);
    }

    /** Is a type of Vert.x. */
    public static final class IsAVertxException extends io.vertx.core.VertxException {
        private static final long serialVersionUID = 1L;

        /** Leaks. */
        public IsAVertxException() {
            super("broken");
        }
    }
}
