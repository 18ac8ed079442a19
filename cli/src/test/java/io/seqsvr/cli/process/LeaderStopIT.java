package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader that is told to stop has another one lead first: the others never wait until they miss it, which would take
 * an election's time. The transfer ends while the old leader still runs, so its own log tells.
 */
@Timeout(600)
final class LeaderStopIT {
    private static final int PEERS = 3;
    /** On a busy machine an election may take longer than a stopping leader waits for it. */
    private static final int TRIES = 3;

    private static final int SOME = 30;
    private static final Duration WITHIN = Duration.ofMinutes(3);
    private static final Pattern GIVEN_UP = Pattern.compile("event=leadership_given_up to=(\\w+) outcome=(\\w+)");

    @TempDir
    private Path directory;

    private final StoreCalls calls = new StoreCalls();

    @AfterEach
    void close() {
        calls.close();
    }

    @Test
    void aLeaderThatIsAskedToStopHasAnotherOneLeadFirst() throws IOException {
        try (var peers = new StorePeers(PEERS, directory);
                var seen = new PeersSeen(peers.endpoints());
                var load = new RaiseLoad(calls, peers.endpoints())) {
            boolean handedOver = false;
            for (int attempt = 0; attempt < TRIES && !handedOver; attempt++) {
                load.awaitMore(SOME, WITHIN);
                seen.awaitWell();
                handedOver = stopLeader(peers, seen, load);
            }
            assertTrue(handedOver, "no transfer went well in " + TRIES + " tries");
            assertEquals(List.of(), load.losses());
        }
    }

    /** Whether another one led before this one had stopped. */
    private boolean stopLeader(StorePeers peers, PeersSeen seen, RaiseLoad load) throws IOException {
        int leader = peers.indexOf(seen.awaitLeader());
        int lines = peers.log(leader).size();
        int exit = peers.process(leader).terminate(WITHIN);
        assertTrue(exit == 0 || exit == 128 + 15, "exit code " + exit);
        var log = peers.log(leader).stream().skip(lines).toList();
        var given = log.stream().map(GIVEN_UP::matcher).filter(Matcher::find).toList();
        assertTrue(given.size() <= 1, log::toString);
        if (given.isEmpty()) {
            // It led no more when it was asked, or nobody could: there was nothing to give.
            peers.restart(leader).awaitPort();
            return false;
        }
        var heir = given.get(0).group(1);
        boolean done = given.get(0).group(2).equals("DONE");
        if (done) {
            // It led when the old one still ran, so the others did not have to miss anybody.
            assertTrue(
                    log.stream()
                            .anyMatch(line -> line.contains("event=leader_changed") && line.endsWith("leader=" + heir)),
                    log::toString);
            var pause = load.awaitMore(SOME, WITHIN);
            System.out.println("a leader stopped, " + heir + " led in its place: " + SOME + " more raises took "
                    + pause.toMillis() + " ms");
        }
        peers.restart(leader).awaitPort();
        return done;
    }
}
