package io.seqsvr.chaos.report;

import java.util.List;

/** A table of a page, which is moved sideways where the page is narrow. */
final class Table {
    private final Element body = new Element("tbody");
    private final String caption;
    private final Element head = new Element("tr");

    /**
     * A table without rows.
     *
     * @param caption what it shows
     * @param columns the heads of its columns; those of numbers begin with '#', which is not shown
     */
    Table(String caption, List<String> columns) {
        this.caption = caption;
        for (var column : columns) {
            boolean isNumber = column.startsWith("#");
            var cell = Element.of("th", isNumber ? column.substring(1) : column).with("scope", "col");
            head.add(isNumber ? cell.with("class", "number") : cell);
        }
    }

    /** The cell that says what its row is about. */
    static Element rowHead() {
        return new Element("th").with("scope", "row");
    }

    static Element cell(String text) {
        return Element.of("td", text);
    }

    static Element number(String text) {
        return Element.of("td", text).with("class", "number");
    }

    /** Appends a row. */
    void row(List<Element> cells) {
        body.add(new Element("tr").addAll(cells));
    }

    Element drawn() {
        return new Element("div")
                .with("class", "wide")
                .with("tabindex", "0")
                .with("role", "region")
                .with("aria-label", caption)
                .add(new Element("table")
                        .add(Element.of("caption", caption))
                        .add(new Element("thead").add(head))
                        .add(body));
    }
}
