package io.seqsvr.chaos.report;

/** How long a user waited against how long was allowed, as a small bar; the stroke across it is the bound. */
final class WaitBar {
    private static final double WIDTH = 96;
    private static final double HEIGHT = 12;
    /** Where the bound stands: what goes beyond has room, up to a half more. */
    private static final double BOUND_AT = 64;

    private WaitBar() {}

    static Element of(long waitedMillis, long boundMillis) {
        double share = waitedMillis / (double) Math.max(1, boundMillis);
        var words = Units.millis(waitedMillis) + " of " + Units.millis(boundMillis);
        return Svg.drawing("wait", WIDTH, HEIGHT, words, "The stroke is the bound.")
                .add(Svg.box("ground", 0, 3, WIDTH, 6))
                .add(Svg.box(share > 1 ? "beyond" : "within", 0, 3, Math.min(WIDTH, share * BOUND_AT), 6))
                .add(Svg.line("bound", BOUND_AT, 0, BOUND_AT, HEIGHT));
    }

    /** The bar and the figures beside it. */
    static Element cell(Round round) {
        return new Element("td")
                .with("class", "waits")
                .add(of(round.waitedMillis(), round.boundMillis()))
                .add(Element.of(
                        "span", Units.millis(round.waitedMillis()) + " of " + Units.millis(round.boundMillis())));
    }
}
