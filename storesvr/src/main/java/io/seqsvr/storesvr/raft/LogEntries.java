package io.seqsvr.storesvr.raft;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.codec.CommandDecoder;
import io.seqsvr.proto.internal.v1.LogEntry;
import java.io.IOException;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/** What stands in the entries of the Raft log. */
final class LogEntries {
    private static final String ANOTHER_VERSION = "start the version that wrote it, or a later one";

    private LogEntries() {}

    /**
     * The commands of an entry that holds some.
     *
     * @throws IOException if another version wrote it, and this one cannot read it
     */
    static List<StoreCommand> commands(LogEntryProto entry) throws IOException {
        var data = entry.getStateMachineLogEntry().getLogData();
        var decoded = LogEntry.parseFrom(data.asReadOnlyByteBuffer());
        if (decoded.getFormat() != RaftMember.ENTRY_FORMAT) {
            throw new IOException("log entry " + entry.getIndex() + " has format " + decoded.getFormat()
                    + "; this version reads format " + RaftMember.ENTRY_FORMAT + ": " + ANOTHER_VERSION);
        }
        try {
            return decoded.getCommandsList().stream()
                    .map(CommandDecoder::decode)
                    .toList();
        } catch (IllegalArgumentException unknown) {
            // What a leader does not know it does not put into the log, so a version that knew it has led.
            throw new IOException(
                    "log entry " + entry.getIndex() + " holds what this version does not know, " + unknown.getMessage()
                            + ": " + ANOTHER_VERSION,
                    unknown);
        }
    }
}
