package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/** What has become of every call of every frame that was sent, user by user: see {@link SendingsOfUser}. */
final class Sendings {
    private final SendingsOfUser[] users;
    private final ToIntFunction<Frame.Place> userOf;

    /**
     * None yet.
     *
     * @param users how many users there are
     * @param userOf number of the user of a call
     */
    Sendings(int users, ToIntFunction<Frame.Place> userOf) {
        this.users = new SendingsOfUser[users];
        Arrays.setAll(this.users, user -> new SendingsOfUser());
        this.userOf = userOf;
    }

    /** A frame leaves; of the user of each of its calls so much has been received by now. */
    void sent(Frame frame, long[] floors) {
        for (int i = 0; i < floors.length; i++) {
            if (takes(frame, i)) {
                user(frame, i).sent(floors[i]);
            }
        }
    }

    /** It reaches nobody. */
    void lost(Frame frame, long[] floors) {
        for (int i = 0; i < floors.length; i++) {
            if (takes(frame, i)) {
                user(frame, i).lost(floors[i]);
            }
        }
    }

    /** Its answers leave its owner, whether or not anybody will receive them; so much has been received by now. */
    void left(Frame frame, long[] floors, List<Answer> answers, long[] received) {
        for (int i = 0; i < floors.length; i++) {
            if (!takes(frame, i)) {
                continue;
            }
            if (answers.get(i) instanceof Answer.Range range) {
                user(frame, i).handedOut(floors[i], range.last());
            } else {
                user(frame, i).refused(floors[i], received[i]);
            }
        }
    }

    /**
     * The answer to one of its calls, other than a refusal, is received.
     *
     * @param most what was taken before the frame left lies at or below it
     */
    void arrived(Frame frame, int place, long floor, Answer answer, long most) {
        var user = user(frame, place);
        user.answered(floor, most);
        if (answer instanceof Answer.Reading reading && reading.exact() && reading.seq() > 0) {
            user.read(reading.seq());
        }
    }

    /** A sequence of a call's user that was read as EXACT although nobody can have taken it, 0 if there is none. */
    long takenByNobody(Frame frame, int place) {
        return user(frame, place).takenByNobody();
    }

    /** How many readings came too late to be judged. */
    long unjudged() {
        return Arrays.stream(users).mapToLong(SendingsOfUser::unjudged).sum();
    }

    private static boolean takes(Frame frame, int place) {
        return frame.places().get(place).call() instanceof Call.Next;
    }

    private SendingsOfUser user(Frame frame, int place) {
        return users[userOf.applyAsInt(frame.places().get(place))];
    }
}
