package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.storesvr.backup.BackupException;
import io.seqsvr.storesvr.backup.BackupFacts;
import io.seqsvr.storesvr.backup.BackupWriter;
import io.seqsvr.storesvr.rocks.BackupRowsCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is offered to whoever restores, for the first time and again. */
@Timeout(120)
final class RestoreCommandTest {
    private static final String CLUSTER = "0f1e2d3c-0000-4000-8000-000000000001";
    /** Of a quiet cluster, at an age below 100 minutes: twice a hundred changes of owner, by a step of 100 each. */
    private static final long ONCE = 2 * 100 * 100;

    @TempDir
    private Path root = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Path backup() {
        return root.resolve("backup");
    }

    private Path notes() {
        return backup().resolve("RESTORED");
    }

    private void backUp(long growthPerSecond, Duration growthOver, Duration age) throws BackupException {
        var terms = new LeaseTerms(2_000_000_000L, 50);
        try (var writer = BackupWriter.begin(backup())) {
            writer.page(BackupRowsCodec.encode(List.of(
                    new StoreChange.PutCluster(
                            new Cluster(CLUSTER, terms, new NamespaceDefaults(50, 60), 0, 0, 11, 12, 13)),
                    new StoreChange.PutNamespace(new Namespace(1, "messages", 100, 10, 100, 20, Long.MAX_VALUE)))));
            writer.complete(new BackupFacts(
                    CLUSTER,
                    0,
                    "n1",
                    4,
                    77,
                    true,
                    0,
                    Instant.now().minus(age).truncatedTo(ChronoUnit.MILLIS),
                    growthPerSecond,
                    growthOver));
        }
    }

    private void backUpQuietly() throws BackupException {
        backUp(0, Duration.ofHours(1), Duration.ofMinutes(1));
    }

    /** Settings of a peer with a data directory of that name. */
    private String config(String data) throws IOException {
        return Files.writeString(root.resolve(data + ".yaml"), """
                data: %s
                peer: n1
                listen: 127.0.0.1:1
                raft: 127.0.0.1:2
                """.formatted(root.resolve(data)))
                .toString();
    }

    private int seqsvr(List<String> words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words.toArray(String[]::new));
    }

    private int restore(String data, String... options) throws IOException {
        var words = new ArrayList<>(List.of("store", "restore", backup().toString(), "--config", config(data)));
        words.addAll(List.of(options));
        return seqsvr(words);
    }

    /** The line to type that is offered, as words; nothing if none is. */
    private List<String> offered(String data, String... options) throws IOException {
        assertEquals(ExitCode.USAGE, restore(data, options), err::toString);
        return err.toString()
                .lines()
                .filter(line -> line.startsWith("./seqsvr "))
                .findFirst()
                .map(line -> Arrays.asList(line.split(" ", -1)))
                .orElse(List.of());
    }

    private static long valueOf(String option, List<String> line) {
        return Long.parseLong(line.get(line.indexOf(option) + 1));
    }

    private void assertRefused(int exitCode, String words) {
        assertEquals(ExitCode.FAILED, exitCode, err::toString);
        assertTrue(err.toString().contains(words), err::toString);
    }

    /** The life that began with it is lost before there is another backup; the operator types what is printed. */
    @Test
    void aSecondRestoreOfTheSameBackupBeginsAboveTheLifeThatTheFirstOneBegan() throws Exception {
        backUpQuietly();
        var first = offered("one");
        assertEquals(1, valueOf("--incarnation", first));
        assertEquals(ONCE, valueOf("--advance", first));
        assertEquals(ExitCode.OK, seqsvr(first.subList(1, first.size())), err::toString);

        var second = offered("two");
        assertEquals(2, valueOf("--incarnation", second));
        assertEquals(2 * ONCE, valueOf("--advance", second));
        assertTrue(err.toString().contains("as incarnation 1 with an advance of " + ONCE), err::toString);
        assertEquals(ExitCode.OK, seqsvr(second.subList(1, second.size())), err::toString);

        var third = offered("three");
        assertEquals(3, valueOf("--incarnation", third));
        assertEquals(3 * ONCE, valueOf("--advance", third));
        assertEquals(2, Files.readAllLines(notes()).size());
    }

    @Test
    void whatALifeHadThatBeganWithTheBackupIsRefused() throws Exception {
        backUpQuietly();
        assertEquals(ExitCode.OK, restore("one", "--advance", "500", "--incarnation", "4"), err::toString);
        assertRefused(
                restore("two", "--advance", "900", "--incarnation", "4"),
                "incarnation is 4, and this backup was restored as incarnation 4 before: take 5 or more");
        assertRefused(restore("two", "--incarnation", "1"), "take 5 or more");
        assertRefused(
                restore("two", "--advance", "500"), "advance is 500, and this backup was restored with 500 before");
        assertFalse(Files.exists(root.resolve("two")));
        assertEquals(ExitCode.OK, restore("two", "--advance", "501"), err::toString);
        assertTrue(out.toString().contains(" incarnation=5 advance=501 "), out::toString);
    }

    /** It was restored from a copy perhaps: nothing stands beside this one. */
    @Test
    void forEachLifeOfWhichNothingIsNotedAsMuchIsOfferedOnceMore() throws Exception {
        backUpQuietly();
        assertEquals(3 * ONCE, valueOf("--advance", offered("one", "--incarnation", "3")));
        assertTrue(err.toString().contains("How 2 earlier lives began is not noted here"), err::toString);
        assertEquals(ExitCode.OK, restore("one", "--advance", "700000", "--incarnation", "2"), err::toString);
        var third = offered("two");
        assertEquals(3, valueOf("--incarnation", third));
        assertEquals(700_000 + 2 * ONCE, valueOf("--advance", third), "of incarnation 1 nothing is known still");
    }

    @Test
    void theFirstOfferAsksForEarlierRestoresFromElsewhere() throws Exception {
        backUpQuietly();
        assertFalse(offered("one").isEmpty());
        assertTrue(err.toString().contains("Was this backup restored before from elsewhere"), err::toString);
    }

    @Test
    void aRestoreThatWasRefusedIsNotNoted() throws Exception {
        backUpQuietly();
        Files.writeString(Files.createDirectory(root.resolve("one")).resolve("letter"), "to Ada");
        assertRefused(restore("one", "--advance", "500"), "is not empty");
        assertFalse(Files.exists(notes()));
    }

    @Test
    void whereTheRestoreCannotBeNotedItSaysWhatToRemember() throws Exception {
        backUpQuietly();
        Files.createDirectory(backup().resolve("RESTORED.next"));
        assertEquals(ExitCode.OK, restore("one", "--advance", "500"), err::toString);
        assertTrue(
                err.toString().contains("an incarnation above 1, and an advance of 500 more than is offered"),
                err::toString);
    }

    @Test
    void aNoteThatSaysNothingIsNamed() throws Exception {
        backUpQuietly();
        Files.writeString(notes(), "incarnation=1 advance=400 at=2026-03-01T10:00:00Z\n\nincarnation=2 advance=\n");
        assertRefused(restore("one"), "says 'incarnation=2 advance=', which is no");
        Files.writeString(notes(), "incarnation=1 advance=9999999999999999999 at=today\n");
        assertRefused(restore("one"), "9999999999999999999");
    }

    /** A peer that had just started saw a quiet minute; the load of the day came after it. */
    @Test
    void whereThePeerHadLookedForLessThanAnHourNoAdvanceIsOffered() throws Exception {
        backUp(0, Duration.ofMinutes(60).minusSeconds(1), Duration.ofMinutes(1));
        assertEquals(List.of(), offered("one"));
        assertTrue(err.toString().contains("No advance is offered: "), err::toString);
        // The minute may have ended meanwhile.
        assertTrue(
                err.toString().matches("(?s).*state --advance 20000 \\+ 1[2-9]\\d x G, with --incarnation 1\\..*"),
                err::toString);
        assertEquals(ExitCode.OK, restore("one", "--advance", "500"), err::toString);
    }

    @Test
    void whereItLookedForAnHourWhatItSawCounts() throws Exception {
        backUp(1_000_000, Duration.ofHours(1), Duration.ofMinutes(1));
        assertTrue(valueOf("--advance", offered("one")) >= 2 * 60 * 1_000_000L + ONCE);
    }
}
