package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.storesvr.disk.DiskFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A vote that cannot be kept ends the process, with a line that says what to do. */
final class VoteDirectoryTest {
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    @TempDir
    private Path parent;

    private final List<Throwable> fatal = new ArrayList<>();

    private Path directory() {
        return parent.resolve("current");
    }

    /** As Ratis does: beside it, and then in its place. */
    private static void replace(Path file, byte[] content) throws IOException {
        var beside = file.resolveSibling("beside");
        Files.write(beside, content);
        Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private void vote(long term) throws IOException {
        replace(
                VoteDirectory.voteFile(directory()),
                ("#\nterm=" + term + "\nvotedFor=n1\n").getBytes(StandardCharsets.UTF_8));
    }

    private static LogEntryProto members(long index, String... peers) {
        var group = RaftConfigurationProto.newBuilder();
        for (var peer : peers) {
            group.addPeers(RaftPeerProto.newBuilder().setId(ByteString.copyFromUtf8(peer)));
        }
        return LogEntryProto.newBuilder()
                .setIndex(index)
                .setConfigurationEntry(group)
                .build();
    }

    private VoteDirectory written() throws IOException {
        Files.createDirectory(directory());
        vote(7);
        replace(VoteDirectory.membersFile(directory()), members(70, "n1", "n2").toByteArray());
        return new VoteDirectory(directory(), fatal::add, SOON_NANOS);
    }

    /** As on a disk without space, where nothing else can be written either. */
    private void fill() throws IOException {
        Files.createDirectory(directory().resolve("raft-meta.probe"));
    }

    /** Whoever looks at a version gives it a name, if only for a moment. */
    private void awaitLook(FileTime before) throws IOException {
        while (Files.getLastModifiedTime(directory()).equals(before)) {
            Thread.onSpinWait();
        }
    }

    private byte[] inFile() throws IOException {
        return Files.readAllBytes(VoteDirectory.membersFile(directory()));
    }

    private String fatal(int which) {
        return String.valueOf(
                assertInstanceOf(DiskFailure.class, fatal.get(which)).getMessage());
    }

    @Test
    void whatIsKeptEndsNothing() throws Exception {
        var votes = written();
        votes.begin();
        votes.keep();
        votes.keep(7);
        votes.keepMembers(members(70, "n1", "n2"));
        votes.look(7, 0);
        assertEquals(List.of(), fatal);
    }

    @Test
    void aVoteThatCannotBeWrittenEndsTheProcessAtOnceAndTheOneBeforeIsThereAgain() throws Exception {
        var votes = written();
        votes.keep();
        replace(VoteDirectory.voteFile(directory()), new byte[0]);
        fill();
        assertThrows(UncheckedIOException.class, votes::keep);
        assertTrue(
                fatal(0).matches("the vote in " + directory() + " cannot be written: .*; this peer has stopped, .*"),
                fatal(0));
        votes.look(7, 0);
        assertEquals(1, fatal.size(), "one line is enough");

        var next = new VoteDirectory(directory(), fatal::add);
        next.putBack();
        next.begin();
        next.keep(7);
        assertEquals(1, fatal.size());
    }

    /** Two threads of Ratis may write at once, over each other: a moment later it is whole. */
    @Test
    void aVoteThatIsNotWholeForAMomentIsWaitedFor() throws Exception {
        var votes = new VoteDirectory(directory(), fatal::add);
        written().begin();
        replace(VoteDirectory.voteFile(directory()), new byte[0]);
        var before = Files.getLastModifiedTime(directory());
        var answered = CompletableFuture.runAsync(votes::keep);
        awaitLook(before);
        assertFalse(answered.isDone(), "no vote that is on no disk may be answered");
        vote(8);
        answered.get(30, TimeUnit.SECONDS);
        assertEquals(List.of(), fatal);
    }

    @Test
    void aVoteThatIsNotWholeForLongEndsTheProcessOnADiskThatTakesTheRestToo() throws Exception {
        var votes = written();
        replace(VoteDirectory.voteFile(directory()), new byte[0]);
        assertThrows(UncheckedIOException.class, votes::keep);
        assertEquals(
                "the vote in " + directory()
                        + " cannot be written: term 0 was not written, or not to its end; this peer"
                        + " has stopped, and a majority of others goes on: look at the kernel's log and the device;"
                        + " start it again once it can be written to, or put a new peer in its place with 'seqsvr store"
                        + " replace'",
                fatal(0));
    }

    /** It asks nobody for a vote, so that nobody else hears of it. */
    @Test
    void aVoteOfACandidateThatCannotBeWrittenIsSeenByALook() throws Exception {
        var votes = written();
        votes.begin();
        replace(VoteDirectory.voteFile(directory()), new byte[0]);
        fill();
        votes.look(8, 0);
        votes.look(8, 1);
        assertEquals(1, fatal.size());
        assertTrue(fatal(0).startsWith("the vote in " + directory() + " cannot be written: "), fatal(0));
    }

    /** A candidate counts its own term before it has written it; meanwhile another one may be elected in it. */
    @Test
    void aTermThatIsStillBeingWrittenIsWaitedFor() throws Exception {
        written();
        var votes = new VoteDirectory(directory(), fatal::add);
        var leaderIsKnown = CompletableFuture.runAsync(() -> votes.keep(8));
        var kept = directory().resolve("raft-meta.kept");
        while (!Files.exists(kept)) {
            Thread.onSpinWait();
        }
        assertFalse(leaderIsKnown.isDone(), "nothing of term 8 may be in the log yet");
        vote(8);
        leaderIsKnown.get(30, TimeUnit.SECONDS);
        assertTrue(Files.readString(kept).contains("term=8"));
        assertEquals(List.of(), fatal);
    }

    /** Where its file could not even be begun, the one before it stands there, whole. */
    @Test
    void aTermThatIsNeverWrittenEndsTheProcess() throws Exception {
        var votes = written();
        long second = TimeUnit.SECONDS.toNanos(1);
        votes.look(8, 0);
        votes.look(8, 60 * second);
        vote(8);
        votes.look(8, 61 * second);
        votes.look(9, 62 * second);
        votes.look(9, 122 * second);
        assertEquals(List.of(), fatal);
        votes.look(9, 123 * second);
        votes.look(9, 124 * second);
        assertEquals(1, fatal.size());
        assertTrue(
                fatal(0).startsWith("the vote in " + directory() + " cannot be written: term 9 was not written"),
                fatal(0));
    }

    /** Several threads of Ratis write them while a snapshot is taken in: what they leave is nothing to rely on. */
    @Test
    void membersAreKeptWhateverRatisHasWrittenOfThem() throws Exception {
        var votes = written();
        replace(VoteDirectory.membersFile(directory()), new byte[0]);
        votes.keepMembers(members(71, "n1"));
        var next = new VoteDirectory(directory(), fatal::add);
        next.putBack();
        next.begin();
        assertArrayEquals(members(71, "n1").toByteArray(), inFile());

        next.keepMembers(members(72, "n2"));
        next.putBack();
        assertArrayEquals(members(71, "n1").toByteArray(), inFile(), "a whole one stays");
        assertEquals(List.of(), fatal);
    }

    @Test
    void membersThatCannotBeWrittenEndTheProcess() throws Exception {
        var votes = written();
        Files.createDirectories(directory().resolve("raft-meta.conf.kept-next").resolve("in the way"));
        assertThrows(UncheckedIOException.class, () -> votes.keepMembers(members(71, "n1")));
        assertTrue(
                fatal(0).startsWith("the members of the group in " + directory() + " cannot be written: "), fatal(0));
    }

    @Test
    void aGroupThatHasNoMembersYetIsNoHindrance() throws Exception {
        Files.createDirectory(directory());
        vote(0);
        replace(VoteDirectory.membersFile(directory()), new byte[0]);
        var votes = new VoteDirectory(directory(), fatal::add);
        votes.putBack();
        votes.begin();
        votes.keep(0);
        assertEquals(List.of(), fatal);
    }

    @Test
    void whatCannotBeKeptEndsTheProcessAndIsNotTriedAgain() throws Exception {
        var votes = new VoteDirectory(directory(), fatal::add);
        assertThrows(UncheckedIOException.class, votes::keep);
        var first =
                String.valueOf(assertInstanceOf(DiskFailure.class, fatal.get(0)).getMessage());
        assertTrue(first.startsWith("the vote in " + directory() + " cannot be written: "), first);
        assertTrue(first.endsWith("put a new peer in its place with 'seqsvr store replace'"), first);

        Files.createDirectory(directory());
        vote(1);
        assertThrows(UncheckedIOException.class, votes::keep, "the sync that failed may have lost it");
        var second = String.valueOf(fatal.get(1).getMessage());
        assertTrue(second.contains("an earlier write or sync of " + directory() + " failed"), second);
    }
}
