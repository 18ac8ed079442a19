package io.seqsvr.chaos.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.proto.v1.AllocateReply;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.FrameRefusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each user gets its part of the reply to a frame, and a reply that makes no sense is noticed. */
final class FrameAnswerTest {
    private static final long[] USERS = {7, 12, 25};

    private static List<Optional<Told>> told(AllocateReply.Builder reply) {
        return new FrameAnswer(reply.build(), USERS, uid -> (int) (uid / 10)).each(Told::new);
    }

    private static AllocateReply.Builder reply() {
        return AllocateReply.newBuilder()
                .addAllSeqs(List.of(70L, 0L, 250L))
                .addAllSegments(List.of(0, 2))
                .addAllEpochs(List.of(100L, 102L));
    }

    @Test
    void whoWasRefusedGetsNothing() {
        assertEquals(
                List.of(Optional.of(new Told(7, 70, 100)), Optional.empty(), Optional.of(new Told(25, 250, 102))),
                told(reply().addRefusals(FrameRefusal.newBuilder().addPlaces(1))));
        var whole = AllocateReply.newBuilder().addRefusals(FrameRefusal.newBuilder());
        assertEquals(List.of(Optional.empty(), Optional.empty(), Optional.empty()), told(whole));
    }

    @Test
    void aDefectOfTheServerIsNoRefusal() {
        var refusal =
                FrameRefusal.newBuilder().setReason(ErrorReason.INTERNAL_DEFECT).addPlaces(1);
        assertThrows(IllegalArgumentException.class, () -> told(reply().addRefusals(refusal)));
    }

    @Test
    void anAnswerWithoutAnEpochOrToTooFewIsNone() {
        assertThrows(IllegalArgumentException.class, () -> told(reply()));
        assertThrows(IllegalArgumentException.class, () -> told(reply().clearEpochs()));
        assertThrows(
                IllegalArgumentException.class, () -> told(reply().clearSeqs().addSeqs(70)));
        assertThrows(
                IllegalArgumentException.class,
                () -> told(reply().addRefusals(FrameRefusal.newBuilder().addPlaces(3))));
    }
}
