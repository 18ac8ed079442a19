package io.seqsvr.cli;

import static java.util.Objects.requireNonNull;

import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * One commented example of ops/, as its reader is to understand it: above each key stands what it is, ended by
 * {@code Required.} or {@code Default: ...}; a line such as {@code #key: value} is a setting that is switched off.
 *
 * @param text the whole file
 */
record OpsExample(String text) {
    private static final Pattern SWITCHED_OFF = Pattern.compile("(?m)^#((?: {2,})?(?:- )?(?:[a-z_]+:(?: .*)?|# .*))$");
    private static final Pattern KEY = Pattern.compile("( *)(- )?([a-z_]+):(?: .*)?");
    private static final Pattern LITERAL_DEFAULT = Pattern.compile("Default: (\\S+)");

    /**
     * One key where it first stands.
     *
     * @param path names from the top, with dots between them and {@code []} for the items of a list
     * @param comment the lines above it
     */
    record Setting(String path, List<String> comment) {
        private String lastLine() {
            return comment.isEmpty() ? "" : comment.get(comment.size() - 1);
        }

        boolean isRequired() {
            return lastLine().equals("Required.");
        }

        boolean hasDefault() {
            return lastLine().startsWith("Default: ");
        }

        /** The default, if it is a value and not a sentence. */
        Optional<String> literalDefault() {
            var line = LITERAL_DEFAULT.matcher(lastLine());
            return line.matches() ? Optional.of(line.group(1)) : Optional.empty();
        }
    }

    /** Reads settings of one kind. */
    interface Reading<T> {
        /** As the settings classes do. */
        T read(SettingsReader file) throws SettingsException;
    }

    /** The example with everything switched on. */
    OpsExample whole() {
        return new OpsExample(SWITCHED_OFF.matcher(text).replaceAll("$1"));
    }

    /** All keys, each once. */
    List<Setting> settings() {
        var settings = new LinkedHashMap<String, Setting>();
        Deque<Level> levels = new ArrayDeque<>();
        var comment = new ArrayList<String>();
        for (var line : text.lines().toList()) {
            var key = KEY.matcher(line);
            if (line.strip().startsWith("#")) {
                comment.add(line.strip().substring(1).strip());
                continue;
            }
            if (key.matches()) {
                boolean item = key.group(2) != null;
                int indent = key.group(1).length() + (item ? 2 : 0);
                levels.removeIf(level -> level.indent >= indent);
                var above = levels.isEmpty() ? "" : levels.getFirst().path;
                boolean inList = item || (!levels.isEmpty() && levels.getFirst().isList);
                if (item) {
                    levels.getFirst().isList = true;
                }
                var path = above + (above.isEmpty() ? "" : inList ? "[]." : ".") + key.group(3);
                settings.putIfAbsent(path, new Setting(path, List.copyOf(comment)));
                levels.push(new Level(indent, path));
            }
            comment.clear();
        }
        return List.copyOf(settings.values());
    }

    private static final class Level {
        private final int indent;
        private final String path;
        private boolean isList;

        Level(int indent, String path) {
            this.indent = indent;
            this.path = path;
        }
    }

    /** What the settings class makes of it. */
    <T> T read(Reading<T> reading) throws SettingsException {
        return reading.read(SettingsReader.ofText("example", text));
    }

    /** The same without a key. */
    <T> T readWithout(String path, Reading<T> reading) throws SettingsException {
        return readChanged(path, (section, name) -> section.remove(name), reading);
    }

    /** The same with another value, written as in the file. */
    <T> T readWith(String path, String value, Reading<T> reading) throws SettingsException {
        var parsed = parse(value);
        return readChanged(path, (section, name) -> section.put(name, parsed), reading);
    }

    private <T> T readChanged(String path, Change change, Reading<T> reading) throws SettingsException {
        @SuppressWarnings("unchecked") // the top of each example is a mapping
        var top = (Map<String, Object>) parse(text);
        int dot = path.lastIndexOf('.');
        change.apply(section(top, path.substring(0, Math.max(0, dot))), path.substring(dot + 1));
        return reading.read(SettingsReader.ofText("example", new JsonObject(top).encode()));
    }

    private interface Change {
        void apply(Map<String, Object> section, String name);
    }

    @SuppressWarnings("unchecked") // what is no mapping is no section and fails the test
    private static Map<String, Object> section(Map<String, Object> top, String path) {
        var section = top;
        for (String name : path.isEmpty() ? List.<String>of() : List.of(path.split("\\.", -1))) {
            var value = requireNonNull(section.get(name.replace("[]", "")), path);
            section = (Map<String, Object>) (name.endsWith("[]") ? first((List<?>) value) : value);
        }
        return section;
    }

    private static Object first(List<?> list) {
        return requireNonNull(list.get(0));
    }

    private static Object parse(String yaml) {
        return new Load(LoadSettings.builder().build()).loadFromString(yaml);
    }
}
