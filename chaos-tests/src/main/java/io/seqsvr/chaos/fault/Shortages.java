package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.host.CpuQuota;
import io.seqsvr.chaos.host.FileLimit;
import io.seqsvr.chaos.host.Limit;
import io.seqsvr.chaos.host.MemoryLimit;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One process gets less of the machine than it needs. */
public final class Shortages {
    private static final Duration GOES_ON_WITHIN = Duration.ofMinutes(1);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(10);
    /** Who is kept from files for longer has said so: it looks once a second. */
    private static final Duration NOTICES_WITHIN = Duration.ofSeconds(4);

    private static final String NO_FILE = "event=no_file_left ";

    private Shortages() {}

    /**
     * It gets so much processor time, until the fault is stopped.
     *
     * @param percent of one processor
     */
    public static Fault ofProcessor(String verb, LocalNode node, int percent) {
        return new Limited(verb, node, pid -> CpuQuota.limit(pid, percent));
    }

    /**
     * It may open no more files, nor connections, than it has, until the fault is stopped. A node that goes without for
     * some seconds has to end by itself, and is started again.
     */
    public static Fault ofFiles(String verb, LocalNode node) {
        return ofFiles(verb, node, System::nanoTime);
    }

    static Fault ofFiles(String verb, LocalNode node, LongSupplier nanoClock) {
        return new Limited(verb, node, FileLimit::atWhatIsOpen) {
            private long begunNanos = nanoClock.getAsLong();
            /** How long its log was. */
            private long begins;

            private boolean refused;

            @Override
            public void start() {
                begins = node.log().toFile().length();
                super.start();
                begunNanos = nanoClock.getAsLong();
            }

            /** It looks once a second whether there is a file left for it; that none was free may have hurt nobody. */
            @Override
            public boolean hasShown() {
                return refused;
            }

            private boolean wasRefused() {
                return nanoClock.getAsLong() - begunNanos < NOTICES_WITHIN.toNanos()
                        || hasEnded()
                        || hasSaidSince(node, begins, NO_FILE);
            }

            @Override
            public boolean isInEffect() {
                return hasEnded() || super.isInEffect();
            }

            private boolean hasEnded() {
                return node.exitCode().equals(OptionalInt.of(OwnEnd.EXIT_CODE));
            }

            @Override
            public void stop() {
                refused = wasRefused();
                super.stop();
                try {
                    node.awaitReady(GOES_ON_WITHIN);
                } catch (NodeFailure failure) {
                    if (!hasEnded()) {
                        throw failure;
                    }
                }
                // It may serve still, and have said already that it hands over what it has, and ends.
                if (node.hasSaid(OwnEnd.FATAL) && node.awaitEnd(GOES_ON_WITHIN) != OwnEnd.EXIT_CODE) {
                    throw new NodeFailure(name() + " was to end with exit code " + OwnEnd.EXIT_CODE
                            + ", as it said, and ended with " + node.exitCode().orElseThrow());
                }
                if (hasEnded()) {
                    node.start();
                }
            }
        };
    }

    /** It gets no more memory than it has, so that the kernel kills it; stopping the fault starts it again. */
    public static Fault ofMemory(String verb, LocalNode node) {
        return new Limited(verb, node, MemoryLimit::atWhatItHas) {
            @Override
            public boolean isInEffect() {
                return super.isInEffect() && !node.isAlive();
            }

            @Override
            public void stop() {
                node.killIfAlive();
                super.stop();
                node.start();
            }
        };
    }

    private static boolean hasSaidSince(LocalNode node, long begins, String words) {
        try (var log = Files.newInputStream(node.log())) {
            log.skipNBytes(begins);
            return new String(log.readAllBytes(), StandardCharsets.UTF_8).contains(words);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the log of " + node.name() + " cannot be read", unreadable);
        }
    }

    private static class Limited extends OfNode {
        private final LongFunction<Limit> begin;
        private @Nullable Limit limit;

        private Limited(String verb, LocalNode node, LongFunction<Limit> begin) {
            super(verb, node);
            this.begin = begin;
        }

        @Override
        public void start() {
            limit = begin.apply(node().pid());
        }

        @Override
        public boolean isInEffect() {
            return limit != null && limit.isFelt();
        }

        /** What it closes, or gets on with, is taken too. */
        @Override
        public void keepUp() {
            try {
                var unused = isInEffect();
            } catch (UncheckedIOException | IllegalStateException noProcess) {
                // It may be about to end, as it has to: then it shows nothing any more. Else this fails.
                int code = node().awaitEnd(ENDS_WITHIN);
                if (code != OwnEnd.EXIT_CODE) {
                    throw noProcess;
                }
            }
        }

        @Override
        public boolean hasShown() {
            return limit != null && limit.wasFelt();
        }

        @Override
        public void stop() {
            if (limit == null) {
                throw new NodeFailure(name() + " was never started");
            }
            limit.close();
        }
    }
}
