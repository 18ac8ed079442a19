package io.seqsvr.client;

import io.seqsvr.core.front.PicturePatience;
import io.seqsvr.core.front.RouteBook;
import io.vertx.core.Vertx;

/**
 * Has another endpoint asked for the picture where the one that is watched shows one that has been in doubt for a
 * while. Only on the loop.
 */
final class DoubtedPicture {
    /** Some more than the patience with a picture: a call that names what is not shown ends, and is the only one. */
    private static final long LOOK_AGAIN_MILLIS = 350;

    private final Vertx vertx;
    private final Runnable elsewhere;
    private final PicturePatience patience = new PicturePatience();
    private boolean looksAgain;

    DoubtedPicture(Vertx vertx, Runnable elsewhere) {
        this.vertx = vertx;
        this.elsewhere = elsewhere;
    }

    /** A picture is in doubt, which is told several times a second while calls are open. */
    void look(RouteBook book) {
        if (patience.isOver(System.nanoTime())) {
            elsewhere.run();
        } else if (book.missesName() && !looksAgain) {
            looksAgain = true;
            vertx.setTimer(LOOK_AGAIN_MILLIS, passed -> {
                looksAgain = false;
                if (book.missesName()) {
                    look(book);
                }
            });
        }
    }
}
