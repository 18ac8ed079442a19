package io.seqsvr.chaos.report;

/** Verdicts as words with a sign, so that they are told apart without colours too. */
final class Verdicts {
    private Verdicts() {}

    /** A sign for a verdict of any kind. */
    static String sign(Enum<?> verdict) {
        return switch (Fields.word(verdict)) {
            case "pass" -> "\u2713";
            case "violated" -> "\u2717";
            case "missed", "failed" -> "!";
            case "skipped" -> "\u2013";
            default -> "?";
        };
    }

    /** A word on a ground that says the same. */
    static Element badge(Enum<?> verdict) {
        return new Element("span")
                .with("class", "badge " + Fields.word(verdict))
                .text(sign(verdict) + "\u00a0" + verdict.name());
    }

    /** What a verdict on all means. */
    static String meaning(RunVerdict verdict) {
        return switch (verdict) {
            case VIOLATED -> "A promise was broken: the guarantee did not hold.";
            case MISSED ->
                "Every promise was kept, but a user waited too long, calls of bystanders failed, or numbers were"
                        + " left out without a reason.";
            case INCONCLUSIVE -> "Nothing was wrong, but too little happened to have seen it.";
            case PASS -> "Every promise was kept, and a breach would have shown.";
        };
    }
}
