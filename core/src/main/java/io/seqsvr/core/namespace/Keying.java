package io.seqsvr.core.namespace;

/**
 * How a namespace finds the counter of a uid: the index of the counter, from 0 to capacity - 1. Never changes in the
 * life of a namespace.
 */
public enum Keying {
    /** The uid is the index; uids from the capacity on do not exist. */
    DIRECT {
        @Override
        boolean holds(long uid, long capacity) {
            return uid >= 0 && uid < capacity;
        }

        @Override
        long index(long uid, long capacity) {
            return uid;
        }
    },

    /**
     * Any 64-bit key is mixed onto an index, so that sparse ids and hashed names need no stored key. Keys that collide
     * share a counter: that costs gaps, never uniqueness or order.
     *
     * <p>Version 1, for ever: the finalizer of MurmurHash3 (fmix64, Austin Appleby, public domain), then the high 64
     * bits of the product with the capacity.
     */
    HASHED {
        @Override
        boolean holds(long uid, long capacity) {
            return true;
        }

        @Override
        long index(long uid, long capacity) {
            long mixed = mix(uid);
            // The product with an unsigned factor; capacity is positive.
            return Math.multiplyHigh(mixed, capacity) + (mixed < 0 ? capacity : 0);
        }
    };

    abstract boolean holds(long uid, long capacity);

    abstract long index(long uid, long capacity);

    static long mix(long key) {
        long mixed = key;
        mixed ^= mixed >>> 33;
        mixed *= 0xff51afd7ed558ccdL;
        mixed ^= mixed >>> 33;
        mixed *= 0xc4ceb9fe1a85ec53L;
        mixed ^= mixed >>> 33;
        return mixed;
    }
}
