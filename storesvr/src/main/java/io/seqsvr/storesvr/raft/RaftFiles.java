package io.seqsvr.storesvr.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads a member's log and vote before Ratis does, and finds what is damaged. Ratis checks the checksum of each entry
 * too, but takes an entry that is longer than the rest of its file for one that was never finished, and drops it with
 * all that follow: one changed bit in a length, and acknowledged entries are gone without a word.
 */
final class RaftFiles {
    private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_(\\d+)|(\\d+)-(\\d+))");
    private static final Pattern META = Pattern.compile(
            "(?:#[^\n]*\n)*(?:votedFor=[^\n]*\nterm=(\\d{1,18})\n" + "|term=(\\d{1,18})\nvotedFor=[^\n]*\n)");
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.UTF_8);
    private static final int CHECKSUM_BYTES = 4;

    private RaftFiles() {}

    /** One file of the log, whose last entry is known where the file was closed. */
    private record Segment(Path file, long first, OptionalLong last) {}

    /** What stands in a file. */
    private record Content(long entries, long lastIndex, long lastTerm) {}

    private static final class DamagedException extends Exception {
        private static final long serialVersionUID = 1;

        DamagedException(String what) {
            super(what);
        }
    }

    /**
     * The first damage found.
     *
     * @param current where Ratis keeps the files of a group
     * @return which file, and what is wrong with it
     */
    static Optional<String> damage(Path current) throws IOException {
        try {
            long logTerm = 0;
            long next = -1;
            var segments = segments(current);
            checkBeginning(current, segments);
            for (var segment : segments) {
                var content = read(segment, next);
                if (content.entries() > 0) {
                    next = content.lastIndex() + 1;
                    logTerm = content.lastTerm();
                }
            }
            checkMeta(VoteDirectory.voteFile(current), logTerm);
            return Optional.empty();
        } catch (DamagedException damaged) {
            return Optional.of(String.valueOf(damaged.getMessage()));
        }
    }

    /**
     * Drops a log that ends before the newest snapshot begins to count: the leader has sent that, and the process ended
     * before Ratis had dropped the log. Ratis drops its closed files only (RATIS-2507), and cannot add anything to what
     * is left: the peer would look healthy and hold nothing new.
     *
     * @return whether there was such a log; it held nothing that the snapshot lacks
     */
    static boolean dropSuperseded(Path current) throws IOException {
        var segments = segments(current);
        var newest = SnapshotDirectory.latest(SnapshotDirectory.beside(current));
        if (segments.isEmpty()
                || newest.isEmpty()
                || lastIndex(segments) >= newest.get().at().getIndex()) {
            return false;
        }
        for (var segment : segments) {
            Files.delete(segment.file());
        }
        try (var names = FileChannel.open(current, StandardOpenOption.READ)) {
            names.force(true);
        }
        return true;
    }

    private static long lastIndex(List<Segment> segments) throws IOException {
        var last = segments.get(segments.size() - 1);
        try {
            var content = read(last, -1);
            return content.entries() > 0 ? content.lastIndex() : last.first() - 1;
        } catch (DamagedException damaged) {
            throw new IOException(damaged);
        }
    }

    private static List<Segment> segments(Path current) throws IOException {
        var segments = new ArrayList<Segment>();
        try (var files = Files.newDirectoryStream(current, "log_*")) {
            for (var file : files) {
                var name = SEGMENT.matcher(String.valueOf(file.getFileName()));
                if (name.matches()) {
                    segments.add(
                            name.group(1) != null
                                    ? new Segment(file, Long.parseLong(name.group(1)), OptionalLong.empty())
                                    : new Segment(
                                            file,
                                            Long.parseLong(name.group(2)),
                                            OptionalLong.of(Long.parseLong(name.group(3)))));
                }
            }
        }
        segments.sort(Comparator.comparingLong(Segment::first));
        return segments;
    }

    /**
     * What the log has dropped must be in a snapshot. Ratis looks for the next entry, finds none, and goes on without
     * applying anything: it votes, acknowledges, and may lead.
     */
    private static void checkBeginning(Path current, List<Segment> segments) throws IOException, DamagedException {
        if (segments.isEmpty()) {
            return;
        }
        long first = segments.get(0).first();
        var directory = SnapshotDirectory.beside(current);
        var newest = SnapshotDirectory.latest(directory);
        long next = newest.isPresent() ? newest.get().at().getIndex() + 1 : 0;
        if (next < first) {
            throw new DamagedException("the Raft log in " + current + " begins with entry " + first + ", and "
                    + newest.map(it -> "the newest snapshot in " + directory + " is "
                                    + it.path().getFileName())
                            .orElse("there is no snapshot in " + directory)
                    + ": entries " + next + " to " + (first - 1) + " are missing");
        }
    }

    private static Content read(Segment segment, long expected) throws IOException, DamagedException {
        var bytes = Files.readAllBytes(segment.file());
        if (expected >= 0 && segment.first() != expected) {
            throw damaged(segment.file(), "it should begin with entry " + expected);
        }
        boolean fresh = isZero(bytes, 0) && segment.last().isEmpty();
        var content = fresh ? new Content(0, -1, 0) : entries(segment, bytes);
        if (segment.last().isPresent() && content.lastIndex() != segment.last().getAsLong()) {
            throw damaged(segment.file(), "its last entry is missing");
        }
        return content;
    }

    private static Content entries(Segment segment, byte[] bytes) throws DamagedException {
        if (bytes.length < HEADER.length || !Arrays.equals(bytes, 0, HEADER.length, HEADER, 0, HEADER.length)) {
            throw damaged(segment.file(), "its header is not that of a log");
        }
        int position = HEADER.length;
        int lastEntry = -1;
        int lastLength = 0;
        long count = 0;
        while (position < bytes.length && bytes[position] != 0) {
            var entry = frame(segment, bytes, position);
            lastEntry = entry.position();
            lastLength = entry.remaining();
            position = entry.limit() + CHECKSUM_BYTES;
            count++;
        }
        // Ratis fills files with zeros in advance.
        if (!isZero(bytes, position)) {
            throw damaged(segment.file(), "there is something after its end at byte " + position);
        }
        if (count == 0) {
            return new Content(0, -1, 0);
        }
        try {
            var last = LogEntryProto.parser().parseFrom(bytes, lastEntry, lastLength);
            if (last.getIndex() != segment.first() + count - 1) {
                throw damaged(segment.file(), "an entry before entry " + last.getIndex() + " is missing");
            }
            return new Content(count, last.getIndex(), last.getTerm());
        } catch (InvalidProtocolBufferException unreadable) {
            throw damaged(segment.file(), "the entry at byte " + lastEntry + " is none");
        }
    }

    /** The bytes of an entry, between its length and its checksum. */
    private static ByteBuffer frame(Segment segment, byte[] bytes, int start) throws DamagedException {
        long length = 0;
        int position = start;
        boolean more = true;
        for (int shift = 0; more && shift < 35 && position < bytes.length; shift += 7) {
            byte next = bytes[position++];
            length |= (next & 0x7FL) << shift;
            more = next < 0;
        }
        if (position + length + CHECKSUM_BYTES > bytes.length) {
            throw damaged(segment.file(), "the entry at byte " + start + " is longer than the file");
        }
        int end = position + (int) length;
        var checksum = new CRC32C();
        checksum.update(bytes, start, end - start);
        if ((int) checksum.getValue()
                != ByteBuffer.wrap(bytes, end, CHECKSUM_BYTES).getInt()) {
            throw damaged(segment.file(), "the checksum of the entry at byte " + start + " does not fit");
        }
        return ByteBuffer.wrap(bytes, position, (int) length);
    }

    /** Whether these bytes are a term and a vote. They bear no checksum. */
    static boolean isVote(byte[] bytes) {
        return META.matcher(new String(bytes, StandardCharsets.UTF_8)).matches();
    }

    /**
     * The term of a vote.
     *
     * @param vote bytes of which {@link #isVote} is true
     */
    static long term(byte[] vote) {
        var meta = META.matcher(new String(vote, StandardCharsets.UTF_8));
        if (!meta.matches()) {
            throw new IllegalArgumentException("these " + vote.length + " bytes are no vote");
        }
        return Long.parseLong(meta.group(1) != null ? meta.group(1) : meta.group(2));
    }

    /** Whether these bytes say who is in a group. They bear no checksum. */
    static boolean isConfiguration(byte[] bytes) {
        try {
            return LogEntryProto.parseFrom(bytes).hasConfigurationEntry();
        } catch (InvalidProtocolBufferException other) {
            return false;
        }
    }

    /** What can be seen is that it is no vote at all, or one of a term before that of the log. */
    private static void checkMeta(Path file, long logTerm) throws IOException, DamagedException {
        var bytes = Files.readAllBytes(file);
        if (!isVote(bytes)) {
            throw damaged(file, "it holds no term and vote");
        }
        long term = term(bytes);
        if (term < logTerm) {
            throw damaged(file, "its term is " + term + ", the log's " + logTerm);
        }
    }

    private static boolean isZero(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static DamagedException damaged(Path file, String how) {
        return new DamagedException(file + " is damaged: " + how);
    }
}
