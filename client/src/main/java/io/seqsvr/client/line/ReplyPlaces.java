package io.seqsvr.client.line;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.FrameReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a reply says of each place of its frame, once its columns were seen to fit the frame. */
public final class ReplyPlaces {
    private final Answer.@Nullable Refused @Nullable [] refused;
    private final boolean @Nullable [] bounds;

    private ReplyPlaces(Answer.@Nullable Refused @Nullable [] refused, boolean @Nullable [] bounds) {
        this.refused = refused;
        this.bounds = bounds;
    }

    /**
     * Looks at a reply.
     *
     * @param size how many calls its frame has
     * @throws BadReplyException if it is none to a frame of so many calls
     */
    public static ReplyPlaces of(FrameReply reply, int size) throws BadReplyException {
        var refused = reply.refusals().isEmpty() ? null : refusals(reply.refusals(), size);
        if (reply.seqs().isEmpty() && refused != null) {
            requireAll(refused);
        } else if (reply.seqs().size() != size) {
            throw new BadReplyException("the reply has " + reply.seqs().size() + " sequences for " + size + " calls");
        }
        if (reply.segments().size() != reply.epochs().size()) {
            throw new BadReplyException("the reply has " + reply.segments().size() + " segments and "
                    + reply.epochs().size() + " epochs");
        }
        return new ReplyPlaces(refused, bounds(reply.bounds(), size));
    }

    private static void requireAll(Answer.@Nullable Refused[] refused) throws BadReplyException {
        for (int place = 0; place < refused.length; place++) {
            if (refused[place] == null) {
                throw new BadReplyException("the reply says nothing of place " + place);
            }
        }
    }

    private static Answer.@Nullable Refused[] refusals(List<FrameRefusal> refusals, int size) throws BadReplyException {
        var refused = new Answer.@Nullable Refused[size];
        for (var refusal : refusals) {
            var answer = new Answer.Refused(refusal.refusal().orElse(Refusal.NOT_READY), refusal.message());
            var at = refusal.places();
            for (int i = 0; i < (at.isEmpty() ? size : at.size()); i++) {
                refused[at.isEmpty() ? i : placeIn(at.get(i), size)] = answer;
            }
        }
        return refused;
    }

    private static boolean @Nullable [] bounds(IntColumn places, int size) throws BadReplyException {
        if (places.isEmpty()) {
            return null;
        }
        var bounds = new boolean[size];
        for (int i = 0; i < places.size(); i++) {
            bounds[placeIn(places.get(i), size)] = true;
        }
        return bounds;
    }

    private static int placeIn(int place, int size) throws BadReplyException {
        if (place < 0 || place >= size) {
            throw new BadReplyException("the reply names place " + Integer.toUnsignedString(place) + " of " + size);
        }
        return place;
    }

    /** Why a call got nothing; null if the reply has its sequence. */
    public Answer.@Nullable Refused refusal(int place) {
        return refused == null ? null : refused[place];
    }

    /** Whether a call's sequence is the last one itself, rather than a bound above it. */
    public boolean isExact(int place) {
        return bounds == null || !bounds[place];
    }
}
