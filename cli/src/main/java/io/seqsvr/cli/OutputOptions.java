package io.seqsvr.cli;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** In which form a result goes to stdout. */
final class OutputOptions {
    /** The forms. */
    enum Form {
        /** For people and shell scripts. */
        TEXT,
        /** One JSON object on one line; 64-bit numbers are strings, as JavaScript would lose digits. */
        JSON
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            defaultValue = "text",
            description = "text or json (default: ${DEFAULT-VALUE}).")
    private Form form = Form.TEXT;

    boolean isJson() {
        return form == Form.JSON;
    }

    void print(PrintWriter out, Supplier<String> text, Supplier<JsonObject> json) {
        out.println(
                switch (form) {
                    case TEXT -> text.get();
                    case JSON -> json.get().encode();
                });
    }
}
