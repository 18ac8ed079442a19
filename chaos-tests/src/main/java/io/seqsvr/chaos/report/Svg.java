package io.seqsvr.chaos.report;

/** The parts of which drawings are made. What they look like says the style sheet, by their class. */
final class Svg {
    private Svg() {}

    /** A drawing with words for those who do not see it. */
    static Element drawing(String styled, double width, double height, String title, String words) {
        return new Element("svg")
                .with("xmlns", "http://www.w3.org/2000/svg")
                .with("class", styled)
                .with("viewBox", "0 0 " + Element.number(width) + " " + Element.number(height))
                .with("role", "img")
                .add(Element.of("title", title))
                .add(Element.of("desc", words));
    }

    static Element box(String styled, double x, double y, double width, double height) {
        return new Element("rect")
                .with("class", styled)
                .with("x", x)
                .with("y", y)
                .with("width", Math.max(0, width))
                .with("height", Math.max(0, height));
    }

    static Element line(String styled, double fromX, double fromY, double toX, double toY) {
        return new Element("line")
                .with("class", styled)
                .with("x1", fromX)
                .with("y1", fromY)
                .with("x2", toX)
                .with("y2", toY);
    }

    /**
     * Words in a drawing.
     *
     * @param anchor which part of them stands at x: start, middle or end
     */
    static Element words(String styled, double x, double y, String anchor, String text) {
        return Element.of("text", text)
                .with("class", styled)
                .with("x", x)
                .with("y", y)
                .with("text-anchor", anchor);
    }
}
