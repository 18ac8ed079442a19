package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.live.ClientFindings;
import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.LiveRecord;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.chaos.report.RunVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is left of a run in which a promise was broken, when not all goes well afterwards. */
final class ChaosRunTest {
    private static final ChaosPlan PLAN = SamplePlan.ofKilledAllocators();

    private final Warm scene = new Warm();
    private final List<ChaosResult> heard = new ArrayList<>();

    /** A cluster whose users were answered something wrong before the first round. */
    private static final class Warm implements Scene {
        private final FaultLog log = new FaultLog(System::nanoTime);
        private final LiveRecord record = new LiveRecord(log, System::nanoTime, Set.of(), uid -> true);
        private boolean comparable = true;
        private boolean copies = true;

        private Warm() {
            record.nonsense("asked for 1 sequence of user 7, but the server answered for user 8");
        }

        @Override
        public Act only(Compound cell) {
            throw new AssertionError("no round is played once a promise is broken");
        }

        @Override
        public Act draw() {
            throw new AssertionError("no round is played once a promise is broken");
        }

        @Override
        public VerifiedLoad load() {
            throw new AssertionError("it is asked for its record");
        }

        @Override
        public LiveRecord record() {
            return record;
        }

        @Override
        public FaultLog log() {
            return log;
        }

        @Override
        public long begunNanos() {
            return 0;
        }

        @Override
        public void awaitReady() {}

        @Override
        public OptionalLong granted() {
            return OptionalLong.empty();
        }

        @Override
        public boolean storesFollow() {
            return true;
        }

        @Override
        public boolean compare() {
            if (!comparable) {
                throw new NodeFailure("the log of alloc-1 cannot be read: it is gone");
            }
            return true;
        }

        @Override
        public Network network() {
            return Network.LOOPBACK;
        }

        @Override
        public LoadReport report() {
            return new LoadReport(24, 1, 0, record.findings(), new ClientFindings(1, 0, 1, 0));
        }

        @Override
        public LoadReport soFar() {
            return new LoadReport(24, 1, 0, record.soFar(), new ClientFindings(1, 0, 1, 0));
        }

        @Override
        public boolean copyLogs(Path to) throws IOException {
            if (!copies) {
                throw new IOException("no space left on device");
            }
            return true;
        }

        @Override
        public void close() {}
    }

    private ChaosResult result() throws IOException {
        return new ChaosRun(PLAN, random -> scene, line -> {}).run(new ChaosRun.Watcher() {
            @Override
            public void soFar(ChaosResult result) {
                heard.add(result);
            }

            @Override
            public Optional<Path> logs() {
                return Optional.of(Path.of("logs"));
            }
        });
    }

    @Test
    void whatMadeNoSenseWhileTheClusterWarmedUpIsABrokenPromiseAndIsKeptAtOnce() throws IOException {
        var result = result();
        assertEquals(RunVerdict.VIOLATED, result.verdict());
        assertEquals(List.of(), result.rounds());
        assertTrue(result.text().contains("but the server answered for user 8"), result::text);
        assertEquals(
                List.of(RunVerdict.VIOLATED),
                heard.stream().map(ChaosResult::verdict).toList());
    }

    @Test
    void itStandsWhereTheNodesCannotBeCompared() throws IOException {
        scene.comparable = false;
        var result = result();
        assertEquals(RunVerdict.VIOLATED, result.verdict());
        assertTrue(result.text().contains("the log of alloc-1 cannot be read: it is gone"), result::text);
        assertEquals(false, result.compared());
    }

    @Test
    void itStandsWhereTheLogsCannotBeCopied() throws IOException {
        scene.copies = false;
        var result = result();
        assertEquals(RunVerdict.VIOLATED, result.verdict());
        assertTrue(result.text().contains("could not be copied to logs: no space left on device"), result::text);
    }
}
