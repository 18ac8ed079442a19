package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.seqsvr.proto.internal.v1.Claim;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CounterPage;
import io.seqsvr.proto.internal.v1.CounterTable;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.StoreTables;
import io.seqsvr.proto.internal.v1.StoredTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that are longer than anybody needs, or take more than they are long: the bounds hold all the same. */
@Timeout(30)
class EntryWeightTest {
    private static final int MOST_BYTES = 4 * EntryQueue.MOST_WEIGHT;
    private static final Command CLAIM =
            Command.newBuilder().setClaim(Claim.newBuilder().setSession(1)).build();

    private final BlockingQueue<List<Command>> log = new LinkedBlockingQueue<>();
    private final List<CompletableFuture<List<Reply>>> outcomes = Collections.synchronizedList(new ArrayList<>());
    private final EntryQueue queue = new EntryQueue(
            commands -> {
                var outcome = new CompletableFuture<List<Reply>>();
                outcomes.add(outcome);
                log.add(commands);
                return outcome;
            },
            () -> 0,
            Runnable::run,
            MOST_BYTES);

    /** As many entries as may be are under way: what comes now waits. */
    @BeforeEach
    void fill() throws InterruptedException {
        for (int i = 0; i < EntryQueue.ENTRIES_UNDER_WAY; i++) {
            put(CLAIM);
            assertEquals(List.of(CLAIM), log.poll(10, TimeUnit.SECONDS));
        }
    }

    @AfterEach
    void close() {
        queue.close();
    }

    private void put(Command command) {
        assertTrue(queue.offer(command).isPresent(), "the queue is full");
    }

    /** What goes with the next entry, once the first one has ended. */
    private List<Command> nextEntry() throws InterruptedException {
        outcomes.remove(0).complete(List.of());
        var entry = log.poll(10, TimeUnit.SECONDS);
        assertTrue(entry != null, "no entry reached the log");
        return entry;
    }

    private static Command renewal(long session) {
        return Command.newBuilder()
                .setRenew(Renew.newBuilder().setSession(session))
                .build();
    }

    private static Command withUnknown(Command command, int bytes) {
        var unknown = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFrom(new byte[bytes]))
                .build();
        return command.toBuilder()
                .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(1_000, unknown).build())
                .build();
    }

    /** Else as many as an entry may have would make one that no leader can send, and the next one neither. */
    @Test
    void aRenewalThatIsLongerThanARenewalIsHasItsWeight() throws Exception {
        for (int i = 0; i < 5; i++) {
            put(withUnknown(renewal(i), MOST_BYTES / 6));
        }
        put(renewal(7));
        assertEquals(5, queue.waiting(EntryQueue.Lane.CONFIRMATION));
        var entry = nextEntry();
        assertEquals(2, entry.size());
        assertEquals(renewal(7), entry.get(0));
        assertEquals(1, nextEntry().size());
    }

    @Test
    void theLongestRenewalIsOne() {
        var longest = Command.newBuilder()
                .setRenew(Renew.newBuilder().setSession(-1).setAttempt(-1).setHeard(-1))
                .build();
        assertEquals(35, longest.getSerializedSize());
        put(longest);
        assertEquals(1, queue.waiting(EntryQueue.Lane.RENEWAL));
    }

    @Test
    void aClaimThatIsLongerThanItsAnswerHasItsOwnWeight() throws Exception {
        put(withUnknown(CLAIM, EntryQueue.MOST_WEIGHT));
        put(withUnknown(CLAIM, EntryQueue.MOST_WEIGHT));
        assertEquals(1, nextEntry().size());
    }

    /** A page of eight bytes is an object with two lists. */
    @Test
    void whatWaitsCountsAsWhatItTakesAndNotAsWhatItIsOnTheWire() {
        var page = CounterPage.newBuilder().addPlaces(1).addBelowHigh(1).build();
        var table = CounterTable.newBuilder().addAllPages(Collections.nCopies(1_000, page));
        var tables = Command.newBuilder()
                .setStoreTables(StoreTables.newBuilder()
                        .addTables(StoredTable.newBuilder().setTable(table)))
                .build();
        assertTrue(tables.getSerializedSize() < MOST_BYTES / 100, () -> tables.getSerializedSize() + " bytes");
        put(tables);
        put(tables);
        assertTrue(queue.offer(tables).isEmpty());
        var confirmation = Command.newBuilder()
                .setRenew(Renew.newBuilder()
                        .setSession(1)
                        .addAllHoldings(Collections.nCopies(2_000, Holding.getDefaultInstance())))
                .build();
        int waiting = 0;
        while (queue.offer(confirmation).isPresent()) {
            waiting++;
        }
        assertTrue(waiting < 10, waiting + " of " + confirmation.getSerializedSize() + " bytes");
    }
}
