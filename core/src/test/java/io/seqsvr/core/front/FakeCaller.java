package io.seqsvr.core.front;

/** A caller over a connection of its own, which stays until it is told to go. */
final class FakeCaller implements Caller {
    private final OpenShare share;
    private boolean gone;

    FakeCaller() {
        this(new OpenShare());
    }

    private FakeCaller(OpenShare share) {
        this.share = share;
    }

    /** Another one over the same connection. */
    FakeCaller beside() {
        return new FakeCaller(share);
    }

    void go() {
        gone = true;
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    @Override
    public OpenShare share() {
        return share;
    }
}
