package io.seqsvr.client.line;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.v1.ErrorReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Columns hold what the calls want, and a reply is an answer to each of them or nothing at all. */
class FrameColumnsTest {
    private final FrameColumns columns = new FrameColumns();

    private static Frame frame(Call... calls) {
        var places = new ArrayList<Frame.Place>();
        for (var call : calls) {
            places.add(new Frame.Place(call, new SegmentId(1, (int) (call.uid() / 10)), 3));
        }
        return new Frame(9, "alloc-1:7401", places, 1);
    }

    private static Call next(long uid) {
        return new Call.Next("messages", uid, 1, 0);
    }

    private static FrameReply reply(LongColumn seqs) {
        return new FrameReply(seqs, IntColumn.of(0, 1), LongColumn.of(4, 5), new IntColumn());
    }

    private void refuses(Frame frame, FrameReply reply) {
        assertThrows(BadReplyException.class, () -> columns.read(frame, reply));
    }

    @Test
    void columnsThatSayNothingAreLeftOutAndEachSegmentIsNamedOnce() {
        var written = columns.write(frame(next(1), next(11), next(2)));
        assertEquals("messages", written.namespaceName());
        assertEquals(FrameVerb.NEXT.number(), written.verb());
        assertArrayEquals(new long[] {1, 11, 2}, written.uids().toArray());
        assertTrue(written.counts().isEmpty() && written.floors().isEmpty());
        assertArrayEquals(new int[] {0, 1}, written.segments().toArray());
        assertArrayEquals(new long[] {3, 3}, written.leastEpochs().toArray());
    }

    @Test
    void countsBoundsAndFloorsAreColumnsWhereAnyCallHasOne() {
        var written =
                columns.write(frame(next(1), new Call.Next("messages", 2, 5, 0), new Call.Next("messages", 3, 1, 8)));
        assertArrayEquals(new long[] {1, 5, 1}, written.counts().toArray());
        assertArrayEquals(new long[] {0, 0, 8}, written.floors().toArray());
        written = columns.write(frame(new Call.RaiseFloor("messages", 1, 0)));
        assertEquals(FrameVerb.RAISE_FLOOR.number(), written.verb());
        assertArrayEquals(new long[] {0}, written.floors().toArray());
        written = columns.write(frame(new Call.Current("messages", 1)));
        assertTrue(written.counts().isEmpty() && written.floors().isEmpty());
    }

    @Test
    void theNewestEpochOfASegmentIsAskedForWhereItsCallsNameTwo() {
        var segment = new SegmentId(1, 0);
        var frame = new Frame(
                9,
                "alloc-1:7401",
                List.of(new Frame.Place(next(1), segment, 3), new Frame.Place(next(2), segment, 4)),
                1);
        var written = columns.write(frame);
        assertArrayEquals(new long[] {4}, written.leastEpochs().toArray());
    }

    @Test
    void eachPlaceGetsItsAnswerUnderTheEpochOfItsSegment() throws BadReplyException {
        var frame = frame(new Call.Next("messages", 1, 3, 0), next(11));
        assertEquals(
                List.of(new Answer.Range(1, 7, 9, 4), new Answer.Range(11, 2, 2, 5)),
                columns.read(frame, reply(LongColumn.of(7, 2))));
    }

    @Test
    void readingsAreExactButAtTheBounds() throws BadReplyException {
        var reply = reply(LongColumn.of(7, 0));
        reply.bounds().add(0);
        var frame = frame(new Call.Current("messages", 1), new Call.Current("messages", 2));
        assertEquals(
                List.of(new Answer.Reading(1, 7, false, 4), new Answer.Reading(2, 0, true, 4)),
                columns.read(frame, reply));
    }

    @Test
    void refusalsStandAtTheirPlacesOrAtAll() throws BadReplyException {
        var frame = frame(next(1), next(2));
        var reply = reply(LongColumn.of(7, 0));
        var lease = ErrorReason.LEASE_EXPIRED.getNumber();
        reply.refusals().add(new FrameRefusal(lease, "too late", 0, IntColumn.of(1)));
        var refused = new Answer.Refused(Refusal.LEASE_EXPIRED, "too late");
        assertEquals(List.of(new Answer.Range(1, 7, 7, 4), refused), columns.read(frame, reply));
        var wholly = reply(new LongColumn());
        wholly.refusals().add(new FrameRefusal(lease, "too late", 0, new IntColumn()));
        assertEquals(List.of(refused, refused), columns.read(frame, wholly));
        var unknown = reply(new LongColumn());
        unknown.refusals().add(new FrameRefusal(999, "of a later version", 0, new IntColumn()));
        assertEquals(
                List.of(true, true),
                columns.read(frame, unknown).stream()
                        .map(answer -> ((Answer.Refused) answer).refusal().passes())
                        .toList());
    }

    @Test
    void whatDoesNotFitIsNoAnswer() {
        var one = frame(next(1));
        refuses(one, reply(LongColumn.of()));
        refuses(one, reply(LongColumn.of(1, 2)));
        refuses(one, reply(LongColumn.of(0)));
        refuses(one, reply(LongColumn.of(-1)));
        refuses(one, new FrameReply(LongColumn.of(1), new IntColumn(), new LongColumn(), new IntColumn()));
        refuses(one, new FrameReply(LongColumn.of(1), IntColumn.of(0), new LongColumn(), new IntColumn()));
        refuses(one, new FrameReply(LongColumn.of(1), IntColumn.of(1), LongColumn.of(4), new IntColumn()));
        refuses(frame(new Call.Next("messages", 1, 2, 0)), reply(LongColumn.of(Long.MAX_VALUE)));
        refuses(frame(new Call.Next("messages", 1, 1, 9)), reply(LongColumn.of(8)));
        refuses(frame(new Call.RaiseFloor("messages", 1, 9)), reply(LongColumn.of(8)));
        refuses(frame(new Call.Current("messages", 1)), reply(LongColumn.of(-1)));
        for (int place : new int[] {1, -1}) {
            var beyond = reply(LongColumn.of(1));
            beyond.bounds().add(place);
            refuses(one, beyond);
            var elsewhere = reply(LongColumn.of(1));
            elsewhere.refusals().add(new FrameRefusal(7, "no", 0, IntColumn.of(place)));
            refuses(one, elsewhere);
        }
    }

    @Test
    void thousandsOfSegmentsEachHaveTheirPlace() {
        var places = new SegmentPlaces();
        for (int use = 0; use < 3; use++) {
            places.clear();
            for (int segment = 0; segment < 5_000; segment++) {
                assertEquals(-1, places.get(7 * segment));
                places.put(7 * segment, segment);
            }
            for (int segment = 0; segment < 5_000; segment++) {
                assertEquals(segment, places.get(7 * segment));
            }
        }
    }
}
