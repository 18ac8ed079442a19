package io.seqsvr.chaos.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What broke a promise, as a part of a page: the operations side by side, and how to see it again. */
final class WitnessSection {
    private WitnessSection() {}

    static Element of(RunFile run, Witness witness) {
        Set<String> names = new LinkedHashSet<>();
        witness.operations().forEach(operation -> names.addAll(operation.fieldNames()));
        var columns = new ArrayList<String>();
        columns.add("operation");
        names.forEach(name -> columns.add("#" + name));
        var table = new Table("Operations that cannot all be right", columns);
        int number = 0;
        for (var operation : witness.operations()) {
            number++;
            var row = new ArrayList<Element>();
            row.add(Table.rowHead().text(Integer.toString(number)));
            for (var name : names) {
                var value = operation.getValue(name);
                row.add(Table.number(value == null ? "\u2013" : value.toString()));
            }
            table.row(row);
        }
        return new Element("div")
                .with("class", "witness")
                .add(Element.of("h4", "Broken: " + witness.rule()))
                .add(Element.of("p", witness.words()))
                .addAll(witness.operations().isEmpty() ? List.of() : List.of(table.drawn()))
                .add(new Element("p")
                        .text("Seed " + run.seed() + "; repeat with ")
                        .add(Element.of("code", run.command())));
    }
}
