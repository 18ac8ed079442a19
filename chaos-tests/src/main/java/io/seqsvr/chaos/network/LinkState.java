package io.seqsvr.chaos.network;

import java.time.Duration;

/**
 * What a link does to the frames that it carries, in one direction.
 *
 * @param loss chance that a frame is lost, by the million
 * @param delay how much longer a frame takes
 * @param jitter by how much more or less, drawn evenly; frames keep their order nevertheless
 * @param doubling chance that a frame comes twice, by the million
 * @param reordering chance that a frame is held back until others have overtaken it, by the million
 * @param damage chance that a bit of a frame is flipped, by the million; checksums of TCP notice, and it is sent again
 * @param resets chance that a segment of TCP becomes a reset of its connection, by the million
 * @param kilobits how much is carried in a second; 0 for no limit
 * @param spike how much longer a frame takes that comes in the first half second of each four; frames keep their order,
 *     so that those which come after it wait too, until it is over
 */
public record LinkState(
        int loss,
        Duration delay,
        Duration jitter,
        int doubling,
        int reordering,
        int damage,
        int resets,
        int kilobits,
        Duration spike) {
    private static final int ALWAYS = 1_000_000;

    /** Carries everything at once. */
    public static final LinkState CLEAN = new LinkState(0, Duration.ZERO, Duration.ZERO, 0, 0, 0, 0, 0, Duration.ZERO);

    /** Carries nothing, and tells nobody. */
    public static final LinkState CUT = CLEAN.losing(ALWAYS);

    /** Throws {@link IllegalArgumentException} for a chance or a time out of range. */
    public LinkState {
        requireChance("loss", loss);
        requireChance("doubling", doubling);
        requireChance("reordering", reordering);
        requireChance("damage", damage);
        requireChance("resets", resets);
        if (delay.isNegative() || jitter.isNegative() || spike.isNegative() || kilobits < 0) {
            throw new IllegalArgumentException("delay is " + delay + ", jitter " + jitter + ", spike " + spike
                    + " and kilobits " + kilobits + "; none may be below 0");
        }
    }

    private static void requireChance(String name, int ofMillion) {
        if (ofMillion < 0 || ofMillion > ALWAYS) {
            throw new IllegalArgumentException(
                    name + " is " + ofMillion + " of a million; it must be from 0 to " + ALWAYS);
        }
    }

    /** The same with another chance of loss, by the million. */
    public LinkState losing(int ofMillion) {
        return new LinkState(ofMillion, delay, jitter, doubling, reordering, damage, resets, kilobits, spike);
    }

    /** The same with other times. */
    public LinkState delaying(Duration longer, Duration by) {
        return new LinkState(loss, longer, by, doubling, reordering, damage, resets, kilobits, spike);
    }

    /** The same with frames that are doubled, overtaken and damaged, each with its chance by the million. */
    public LinkState mangling(int twice, int overtaken, int damaged) {
        return new LinkState(loss, delay, jitter, twice, overtaken, damaged, resets, kilobits, spike);
    }

    /** The same with resets, by the million. */
    public LinkState resetting(int ofMillion) {
        return new LinkState(loss, delay, jitter, doubling, reordering, damage, ofMillion, kilobits, spike);
    }

    /** The same at a rate, in kilobits a second. */
    public LinkState limitedTo(int rate) {
        return new LinkState(loss, delay, jitter, doubling, reordering, damage, resets, rate, spike);
    }

    /** The same with frames that take longer, for a while and again and again. */
    public LinkState spiking(Duration longer) {
        return new LinkState(loss, delay, jitter, doubling, reordering, damage, resets, kilobits, longer);
    }

    /** Of both the worse, in each respect. */
    LinkState worst(LinkState other) {
        return new LinkState(
                Math.max(loss, other.loss),
                longer(delay, other.delay),
                longer(jitter, other.jitter),
                Math.max(doubling, other.doubling),
                Math.max(reordering, other.reordering),
                Math.max(damage, other.damage),
                Math.max(resets, other.resets),
                kilobits == 0 || other.kilobits == 0
                        ? Math.max(kilobits, other.kilobits)
                        : Math.min(kilobits, other.kilobits),
                longer(spike, other.spike));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** As the switch reads it. */
    String words() {
        return loss + " " + micros(delay) + " " + micros(jitter) + " " + doubling + " " + reordering + " " + damage
                + " " + resets + " " + kilobits + " " + micros(spike);
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }
}
