package io.seqsvr.storesvr.rocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.ReleaseMark;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.proto.internal.v1.ClusterRow;
import io.seqsvr.proto.internal.v1.LeaseTerms;
import io.seqsvr.proto.internal.v1.Namespace;
import io.seqsvr.proto.internal.v1.SegmentRow;
import io.seqsvr.proto.internal.v1.SessionKind;
import io.seqsvr.proto.internal.v1.SessionRow;
import io.seqsvr.storesvr.RandomMessages;
import io.seqsvr.storesvr.Seed;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Every record comes back from its row as it was, and a row that says something unknown is refused. */
class RowCodecTest {
    private static final SegmentId ID = new SegmentId(1, 2);

    private static final SessionRow SESSION = SessionRow.newBuilder()
            .setSession(7)
            .setKind(SessionKind.ALLOCATOR)
            .setLease(LeaseTerms.newBuilder().setTtlNanos(3_000_000_000L).setDriftPermille(100))
            .build();

    private static final Namespace NAMESPACE = Namespace.newBuilder()
            .setId(1)
            .setName("messages")
            .setCapacity(100)
            .setSegmentSize(10)
            .setKeying(Namespace.Keying.DIRECT)
            .setOrder(Namespace.Order.LEASE)
            .setStep(1)
            .setMaxCount(1)
            .setMaxSequence(1)
            .build();

    @Test
    void randomRecordsComeBackAsTheyWere() throws IOException {
        Seed.announcedFor(RowCodecTest.class).run(RowCodecTest::randomRecords);
    }

    private static void randomRecords(SplittableRandom random) throws IOException {
        var records = new RandomMessages(random);
        for (int i = 0; i < 2_000; i++) {
            var cluster = records.cluster();
            assertEquals(cluster, RowCodec.cluster(RowCodec.encode(cluster)));
            var namespace = records.namespace();
            assertEquals(namespace, RowCodec.namespace(RowCodec.encode(namespace)));
            var session = records.session();
            assertEquals(session, RowCodec.session(RowCodec.encode(session)));
            var segment = records.segmentRecord();
            assertEquals(segment, RowCodec.segment(segment.id(), RowCodec.encode(segment)));
        }
    }

    @Test
    void aClusterOfBeforeThereWereDefaultsHasThoseThatWereBuiltIn() throws InvalidProtocolBufferException {
        var row = ClusterRow.newBuilder()
                .setLease(LeaseTerms.newBuilder().setTtlNanos(3_000_000_000L).setDriftPermille(100))
                .build();
        assertEquals(
                new NamespaceDefaults(100_000, 10_000),
                RowCodec.cluster(row.toByteArray()).defaults());
    }

    @Test
    void aHighOfZeroIsNotTheAbsentOne() throws InvalidProtocolBufferException {
        for (var mark : List.of(ReleaseMark.NONE, ReleaseMark.WITHOUT_HIGH, new ReleaseMark.WithHigh(0))) {
            var segment = new SegmentRecord(ID, 1, 2, 3, 4, 5, 6, mark);
            assertEquals(segment, RowCodec.segment(ID, RowCodec.encode(segment)));
        }
    }

    private static void assertRefused(String message, Executable reading) {
        assertEquals(
                message, assertThrows(IllegalArgumentException.class, reading).getMessage());
    }

    @Test
    void aSessionOfNoKnownKindIsRefusedByTheNumber() {
        var rule = "; it must be 1 (allocator) or 2 (router)";
        assertRefused(
                "the kind of a session is 0" + rule,
                () -> RowCodec.session(SESSION.toBuilder().clearKind().build().toByteArray()));
        assertRefused(
                "the kind of a session is 9" + rule,
                () -> RowCodec.session(
                        SESSION.toBuilder().setKindValue(9).build().toByteArray()));
    }

    @Test
    void aSessionWithoutTermsIsRefused() {
        assertRefused(
                "lease terms: [ttl is 0 ms; it must be from 500 ms to 60 s, drift is 0.0; it must be from 0.001 to 1]",
                () -> RowCodec.session(SESSION.toBuilder().clearLease().build().toByteArray()));
    }

    @Test
    void aReleaseMarkThatNobodyKnowsIsRefusedByTheNumber() {
        var rule = "; it must be 1 (not released), 2 (without high) or 3 (with high)";
        assertRefused(
                "the release mark of segment 1/2 is 0" + rule,
                () -> RowCodec.segment(ID, SegmentRow.getDefaultInstance().toByteArray()));
        assertRefused(
                "the release mark of segment 1/2 is 9" + rule,
                () -> RowCodec.segment(
                        ID, SegmentRow.newBuilder().setReleaseValue(9).build().toByteArray()));
    }

    @Test
    void aKeyingOrAnOrderThatNobodyKnowsIsRefusedByTheNumber() {
        var keying = "; it must be 1 (direct) or 2 (hashed)";
        var order = "; it must be 1 (lease) or 2 (quorum)";
        assertRefused(
                "the keying of namespace 'messages' is 0" + keying,
                () -> RowCodec.namespace(
                        NAMESPACE.toBuilder().clearKeying().build().toByteArray()));
        assertRefused(
                "the keying of namespace 'messages' is 9" + keying,
                () -> RowCodec.namespace(
                        NAMESPACE.toBuilder().setKeyingValue(9).build().toByteArray()));
        assertRefused(
                "the order of namespace 'messages' is 0" + order,
                () -> RowCodec.namespace(
                        NAMESPACE.toBuilder().clearOrder().build().toByteArray()));
        assertRefused(
                "the order of namespace 'messages' is 9" + order,
                () -> RowCodec.namespace(
                        NAMESPACE.toBuilder().setOrderValue(9).build().toByteArray()));
    }
}
