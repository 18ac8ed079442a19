package io.seqsvr.chaos.report;

import java.io.IOException;
import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** XML as another program reads it. */
final class Parsed {
    private Parsed() {}

    /** Fails if it is not well-formed. */
    static Document document(String text) {
        try {
            var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            builder.setErrorHandler(null);
            return builder.parse(new InputSource(new StringReader(text)));
        } catch (ParserConfigurationException | SAXException | IOException notWellFormed) {
            throw new AssertionError("not well-formed: " + notWellFormed.getMessage(), notWellFormed);
        }
    }
}
