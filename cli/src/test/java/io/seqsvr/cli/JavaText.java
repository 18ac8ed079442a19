package io.seqsvr.cli;

/**
 * Java source with what is no code taken out: a character of a Javadoc comment reads as {@link #JAVADOC}, of another
 * comment as {@link #COMMENT}, of a literal as {@link #LITERAL}. Lines stay where they were.
 */
final class JavaText {
    static final char JAVADOC = '\u0001';
    static final char COMMENT = '\u0002';
    static final char LITERAL = '\u0003';

    private final String source;
    private final StringBuilder masked = new StringBuilder();
    private int at;

    private JavaText(String source) {
        this.source = source;
    }

    static String mask(String source) {
        return new JavaText(source).mask();
    }

    private String mask() {
        while (at < source.length()) {
            if (source.startsWith("//", at)) {
                take(end("\n", 0), COMMENT);
            } else if (source.startsWith("/**/", at)) {
                take(at + 4, COMMENT);
            } else if (source.startsWith("/*", at)) {
                take(end("*/", 2), source.startsWith("/**", at) ? JAVADOC : COMMENT);
            } else if (source.startsWith("\"\"\"", at)) {
                take(endOfLiteral("\"\"\""), LITERAL);
            } else if (source.charAt(at) == '"') {
                take(endOfLiteral("\""), LITERAL);
            } else if (source.charAt(at) == '\'') {
                take(endOfLiteral("'"), LITERAL);
            } else {
                masked.append(source.charAt(at));
                at++;
            }
        }
        return masked.toString();
    }

    private int end(String mark, int including) {
        int found = source.indexOf(mark, at + mark.length());
        return found < 0 ? source.length() : found + including;
    }

    private int endOfLiteral(String quote) {
        int end = at + quote.length();
        while (end < source.length() && !source.startsWith(quote, end)) {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        return Math.min(source.length(), end + quote.length());
    }

    private void take(int end, char as) {
        for (; at < end; at++) {
            char one = source.charAt(at);
            masked.append(one == '\n' ? one : as);
        }
    }
}
