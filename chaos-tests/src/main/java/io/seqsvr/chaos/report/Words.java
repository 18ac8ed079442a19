package io.seqsvr.chaos.report;

/** What a run or a round says for people: what it is stands there, what a node wrote is shown when it is asked for. */
final class Words {
    private Words() {}

    /** Puts a text into an element: its first line, and all others folded up. */
    static Element in(Element place, String words) {
        int end = words.indexOf('\n');
        if (end < 0) {
            return place.text(words);
        }
        var rest = words.substring(end + 1).stripTrailing();
        return place.text(words.substring(0, end).stripTrailing())
                .add(new Element("details")
                        .add(Element.of("summary", Units.count(rest.lines().count()) + " lines"))
                        .add(Element.of("pre", rest)));
    }
}
