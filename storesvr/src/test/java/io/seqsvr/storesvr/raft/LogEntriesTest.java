package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.LogEntry;
import io.seqsvr.proto.internal.v1.Renew;
import java.io.IOException;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Entries of the log, those of a later version among them. */
class LogEntriesTest {
    private static LogEntryProto entry(int format, Command... commands) {
        var content = LogEntry.newBuilder()
                .setFormat(format)
                .addAllCommands(List.of(commands))
                .build();
        return LogEntryProto.newBuilder()
                .setIndex(4_711)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(content.toByteArray())))
                .build();
    }

    private static String refusal(LogEntryProto entry) {
        return String.valueOf(assertThrows(IOException.class, () -> LogEntries.commands(entry))
                .getMessage());
    }

    @Test
    void itsCommandsAreThoseOfTheRules() throws IOException {
        var renew =
                Command.newBuilder().setRenew(Renew.newBuilder().setSession(9)).build();
        assertEquals(
                List.of(new StoreCommand.Renew(9, List.of(), 0, 0)),
                LogEntries.commands(entry(RaftMember.ENTRY_FORMAT, renew)));
    }

    /** A peer that was not upgraded yet stops at it, and whoever reads its last line must know what to do. */
    @Test
    void whatALaterVersionPutThereIsRefusedWithWhatToDo() {
        assertEquals(
                "log entry 4711 has format 2; this version reads format 1: start the version that wrote it, or a later"
                        + " one",
                refusal(entry(2)));
        assertEquals(
                "log entry 4711 holds what this version does not know, the command is of no known kind: start the"
                        + " version that wrote it, or a later one",
                refusal(entry(RaftMember.ENTRY_FORMAT, Command.getDefaultInstance())));
    }
}
