package io.seqsvr.chaos.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a run could have seen: how often somebody asked a new owner after the old one's reply, which is where a wrong
 * service shows. A run in which nobody did proves nothing, however right its history is.
 *
 * @param users how many users called
 * @param changes changes of owner that the users saw, each user's by itself: replies with an epoch newer than all
 *     before
 * @param fewestChanges changes that the user with the fewest of them saw
 * @param straddles changes across which a pair of calls shows whether the new owner knew of the old one: the last reply
 *     under the old epoch, and a request that was sent after it and answered under the new one; at most one pair a
 *     change and user
 * @param smallestGap the shortest time from such a reply to the first such request, by the clock of the operations;
 *     none if there is no pair
 * @param deposed calls that a former owner answered: it refused as NOT_OWNER, or its reply came with an older epoch
 *     than one that had been received before
 */
public record Power(
        long users, long changes, long fewestChanges, long straddles, OptionalLong smallestGap, long deposed) {
    /** What a recorded history could have seen; O(n log n). */
    public static Power of(List<? extends Operation> operations) {
        var meter = new PowerMeter();
        var replies = new ArrayList<Operation.Next>();
        for (Operation operation : operations) {
            if (operation instanceof Operation.Next next) {
                replies.add(next);
            } else if (operation instanceof Operation.Unserved unserved && unserved.byNonOwner()) {
                meter.refusedByNonOwner(unserved.uid());
            } else {
                meter.called(operation.uid());
            }
        }
        replies.sort(Comparator.comparingLong(Operation.Next::returned));
        for (Operation.Next reply : replies) {
            meter.answered(reply.uid(), reply.invoked(), reply.returned(), reply.epoch());
        }
        return meter.power();
    }

    @Override
    public String toString() {
        return straddles + " of " + changes + " changes of owner straddled, at least " + fewestChanges
                + " changes for each of " + users + " users, smallest gap "
                + (smallestGap.isPresent() ? smallestGap.getAsLong() : "none") + ", " + deposed
                + " calls answered by a former owner";
    }
}
