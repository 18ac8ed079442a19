package io.seqsvr.chaos.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** An element of XML, or of HTML that is well-formed XML too. Whatever its texts hold, it stays well-formed. */
final class Element {
    /** Of HTML only these may have no closing tag, and of these only these must not. */
    private static final Set<String> WITHOUT_CONTENT = Set.of("meta", "br");

    private final String name;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final List<Object> content = new ArrayList<>();
    private boolean hasText;

    /**
     * An empty one.
     *
     * @param name which must be a name of XML: it is a constant of the program
     */
    Element(String name) {
        this.name = name;
    }

    /** With a text in it. */
    static Element of(String name, String text) {
        return new Element(name).text(text);
    }

    /** Sets an attribute. */
    Element with(String attribute, String value) {
        attributes.put(attribute, value);
        return this;
    }

    /** Sets an attribute to a number, to a tenth. */
    Element with(String attribute, double value) {
        return with(attribute, number(value));
    }

    /** Appends text. */
    Element text(String text) {
        hasText = true;
        content.add(text);
        return this;
    }

    /**
     * Appends text as it is, for a place where HTML reads no entities.
     *
     * @param text which must hold nothing that XML gives a meaning: it is a constant of the program
     */
    Element verbatim(String text) {
        if (text.indexOf('<') >= 0 || text.indexOf('&') >= 0) {
            throw new IllegalArgumentException("a text that is to stay as it is holds < or &: " + text);
        }
        hasText = true;
        content.add(new Verbatim(text));
        return this;
    }

    private record Verbatim(String text) {}

    /** Appends an element. */
    Element add(Element child) {
        content.add(child);
        return this;
    }

    /** Appends elements. */
    Element addAll(List<Element> children) {
        content.addAll(children);
        return this;
    }

    /** A number as attributes and paths hold it: to a tenth, and without one that is 0. */
    static String number(double value) {
        double rounded = Math.round(value * 10) / 10.0;
        return rounded == Math.rint(rounded)
                ? Long.toString((long) rounded)
                : String.format(Locale.ROOT, "%.1f", rounded);
    }

    private void write(StringBuilder to) {
        to.append('<').append(name);
        attributes.forEach((attribute, value) -> to.append(' ')
                .append(attribute)
                .append("=\"")
                .append(attribute(value))
                .append('"'));
        if (content.isEmpty() && WITHOUT_CONTENT.contains(name)) {
            to.append("/>");
            return;
        }
        to.append('>');
        for (var each : content) {
            if (each instanceof Element child) {
                // Blanks beside a text would be seen.
                if (!hasText) {
                    to.append('\n');
                }
                child.write(to);
            } else if (each instanceof Verbatim verbatim) {
                to.append(verbatim.text);
            } else {
                to.append(escaped((String) each));
            }
        }
        to.append("</").append(name).append('>');
    }

    /** With every character that XML gives a meaning named, and without those that XML has no place for. */
    private static String escaped(String text) {
        var escaped = new StringBuilder(text.length());
        text.codePoints().filter(Element::isOfXml).forEach(point -> {
            switch (point) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(point);
            }
        });
        return escaped.toString();
    }

    /** Line ends and tabs would be read as blanks there. */
    private static String attribute(String value) {
        return escaped(value).replace("\n", "&#10;").replace("\t", "&#9;");
    }

    /** The characters of XML 1.0; of the line ends, readers would make one of two. */
    private static boolean isOfXml(int point) {
        return point == '\t'
                || point == '\n'
                || (point >= 0x20 && point < 0x7f)
                || (point > 0x9f && point < 0xd800)
                || (point > 0xdfff && point < 0xfffe)
                || point > 0xffff;
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        write(text);
        return text.toString();
    }
}
