package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Makes peers drop entries of their log, so that whoever is behind these needs a snapshot. */
final class PurgedLog {
    private static final int MOST_SEGMENTS = 2_000;
    private static final Duration WITHIN = Duration.ofMinutes(3);
    private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

    private PurgedLog() {}

    /** Commands that change nothing and are as large as they may be, until these keep nothing up to an entry. */
    static void writeUntilPurged(StoreCalls calls, StorePeers peers, List<Integer> those, long entry) {
        var items = IntStream.range(0, MOST_SEGMENTS)
                .mapToObj(segment ->
                        new StoreCommand.RaiseItem(new SegmentId(2, segment), Long.MAX_VALUE, Long.MAX_VALUE))
                .toList();
        calls.await("logs that begin after entry " + entry, WITHIN, () -> {
            var reply = calls.execute(peers.endpoints(), new StoreCommand.Raise(-1, items), WITHIN);
            assertTrue(reply instanceof StoreReply.SessionGone, reply::toString);
            return those.stream().allMatch(peer -> firstEntry(peers.data(peer)) > entry)
                    ? Optional.of(true)
                    : Optional.empty();
        });
    }

    /** Of the entries that a peer keeps; 0 if it cannot be told just now. */
    private static long firstEntry(Path data) {
        return beginnings(data).min().orElse(0);
    }

    /** The first entry of a peer's last file. */
    static long lastFile(Path data) {
        return beginnings(data).max().orElse(0);
    }

    /** Where the files of its log begin; none if that cannot be told just now. */
    private static LongStream beginnings(Path data) {
        try (var files = Files.walk(data.resolve("raft"))) {
            return LongStream.of(files.map(file -> SEGMENT.matcher(String.valueOf(file.getFileName())))
                    .filter(Matcher::matches)
                    .mapToLong(name -> Long.parseLong(name.group(1)))
                    .toArray());
        } catch (UncheckedIOException | IOException moved) {
            // A file went away meanwhile.
            return LongStream.empty();
        }
    }
}
