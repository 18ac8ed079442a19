package io.seqsvr.chaos.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Whatever a text holds, it is read as that text. */
final class ElementTest {
    @Test
    void textAndAttributesAreReadAsTheyWereGiven() {
        var words = "a < b && \"c\" > 'd' ]]>\n\te";
        var read = Parsed.document(Element.of("a", words).with("b", words).toString())
                .getDocumentElement();
        assertEquals(words, read.getTextContent());
        assertEquals(words, read.getAttribute("b"));
    }

    @Test
    void whatXmlHasNoPlaceForIsLeftOut() {
        assertEquals(
                "<a>[31mred</a>",
                Element.of("a", "\u0000\u001b[31mred\r\u0085\ufffe\udc00").toString());
    }

    @Test
    void onlyBesideTextNoLineEnds() {
        assertEquals("<a>\n<b></b></a>", new Element("a").add(new Element("b")).toString());
        assertEquals(
                "<a>x<b></b></a>", Element.of("a", "x").add(new Element("b")).toString());
        assertEquals("<meta/>", new Element("meta").toString());
    }

    @Test
    void aTextThatStaysAsItIsMayHoldNoMarkup() {
        assertEquals(
                "<style>a > b</style>", new Element("style").verbatim("a > b").toString());
        var style = new Element("style");
        assertThrows(IllegalArgumentException.class, () -> style.verbatim("</style>"));
    }

    @Test
    void numbersAreShort() {
        assertEquals("3", Element.number(3.04));
        assertEquals("3.1", Element.number(3.06));
        assertEquals("-0.5", Element.number(-0.5));
    }
}
