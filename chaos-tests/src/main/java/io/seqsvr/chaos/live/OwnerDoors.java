package io.seqsvr.chaos.live;

import io.seqsvr.chaos.process.Doors;
import io.seqsvr.chaos.process.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The doors of allocators: that of the user's owner, as the routes tell, and now and then, or always, that of the owner
 * before it, which must not answer any more.
 */
final class OwnerDoors implements Doors {
    private final List<Endpoint> allocators;
    /** In the same order, under what the routes call them. */
    private final List<String> addresses;

    private final Owners owners;
    private final long formerEvery;
    private final Map<Long, Places> places = new ConcurrentHashMap<>();

    /** Of a user's owner and of the one before it, places among the allocators. */
    private record Places(int owner, int former) {
        private Places then(int next) {
            return next == owner ? this : new Places(next, owner);
        }
    }

    /**
     * Doors of a cluster.
     *
     * @param allocators where they are asked, by the address under which the routes name them
     * @param owners who owns its users
     * @param formerEvery of so many calls, one goes to the former owner; 1 for all
     */
    OwnerDoors(Map<String, Endpoint> allocators, Owners owners, long formerEvery) {
        this.formerEvery = formerEvery;
        this.allocators = List.copyOf(allocators.values());
        this.addresses = List.copyOf(allocators.keySet());
        this.owners = owners;
    }

    @Override
    public List<Endpoint> all() {
        return allocators;
    }

    @Override
    public int pick(long uid, long turn) {
        var known = owner(uid);
        if (known < 0) {
            // Whoever it is: the others say that they are not the owner.
            return (int) (turn % allocators.size());
        }
        var seen = places.merge(uid, new Places(known, known), (before, now) -> before.then(now.owner()));
        return turn % formerEvery == 0 ? seen.former() : seen.owner();
    }

    /** Whether who is asked there was the owner of a user before the one that the routes tell now. */
    boolean isFormer(long uid, String door) {
        int now = owner(uid);
        var known = places.get(uid);
        if (now < 0 || known == null) {
            return false;
        }
        var seen = known.then(now);
        return seen.former() != seen.owner()
                && allocators.get(seen.former()).toString().equals(door);
    }

    /** The place of a user's owner, negative where nobody tells. */
    private int owner(long uid) {
        return owners.addressOf(uid).map(addresses::indexOf).orElse(-1);
    }
}
