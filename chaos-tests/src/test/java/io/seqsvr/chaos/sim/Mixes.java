package io.seqsvr.chaos.sim;

import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** Mixtures as seeds draw them, looked through for one that suits a test. */
final class Mixes {
    private Mixes() {}

    /** Nothing gets lost, doubled or late; of the faults only those of the aim happen. */
    static Mix calm(Aim aim) {
        return first(aim, mix -> mix.loss() == 0 && mix.duplication() == 0 && mix.longDelay() == 0);
    }

    static Mix calm() {
        return calm(Aim.ANYWHERE);
    }

    /** Much gets lost, doubled and late. */
    static Mix rough() {
        return first(Aim.ANYWHERE.withRoughNetwork(), mix -> true);
    }

    /** The first one with a second namespace, so that users of both can be told apart. */
    static Mix two() {
        return first(Aim.ANYWHERE, Mix::two);
    }

    private static Mix first(Aim aim, Predicate<Mix> suits) {
        return LongStream.range(0, 10_000)
                .mapToObj(seed -> Mix.draw(new SplittableRandom(seed), aim))
                .filter(suits)
                .findFirst()
                .orElseThrow();
    }
}
