package io.seqsvr.core.picture;

import java.util.Optional;

/**
 * The picture that one caller has, as what it is told builds it up, whichever servers tell.
 *
 * <p>Invariants: the picture is of one cluster for good, the first that told. It never goes back, and changes are
 * applied to the version only that they build upon.
 */
public final class FollowedRoutes {
    private Optional<RoutePicture> picture = Optional.empty();

    /** What became of something told. */
    public enum Outcome {
        /** The picture is newer now. */
        NEWER,
        /** It tells no more than is known: a sign of life, or a server that is behind. */
        NOTHING_NEW,
        /** It builds upon a version that is not there: all has to be told again, from {@link #version} on. */
        MISSED,
        /** It is about another cluster: that server is to be left. */
        OTHER_CLUSTER
    }

    /** The picture; nothing before the first. */
    public Optional<RoutePicture> picture() {
        return picture;
    }

    /** Version of the picture, 0 before the first. */
    public long version() {
        return picture.map(RoutePicture::version).orElse(0L);
    }

    /** The cluster, empty before the first picture. */
    public String clusterId() {
        return picture.map(RoutePicture::clusterId).orElse("");
    }

    /**
     * Takes in what a server told.
     *
     * @throws IllegalArgumentException if it makes no picture: ranges overlap, or are out of order
     */
    public Outcome take(RouteChanges told) {
        if (picture.isPresent() && !clusterId().equals(told.clusterId())) {
            return Outcome.OTHER_CLUSTER;
        }
        if (told.version() <= version()) {
            return Outcome.NOTHING_NEW;
        }
        if (told.complete()) {
            picture = Optional.of(RoutePicture.empty(told.clusterId()).after(told));
            return Outcome.NEWER;
        }
        if (told.since() != version()) {
            return Outcome.MISSED;
        }
        picture = picture.map(known -> known.after(told));
        return Outcome.NEWER;
    }
}
