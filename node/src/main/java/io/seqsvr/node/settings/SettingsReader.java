package io.seqsvr.node.settings;

import io.seqsvr.proto.rpc.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads one section of a settings file and remembers every problem; {@link #finish} throws them all at once. A key that
 * nobody asked for is a problem too. A value with a problem reads as a harmless stand-in, which never gets past finish.
 */
public final class SettingsReader {
    /** In place of an address that was refused; no further rule refuses it. */
    private static final HostPort REFUSED = new HostPort("invalid", 1);

    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");

    private final String source;
    private final String prefix;
    private final Map<?, ?> values;
    private final List<String> problems;
    private final Set<String> asked = new HashSet<>();
    private final List<SettingsReader> sections = new ArrayList<>();

    private SettingsReader(String source, String prefix, Map<?, ?> values, List<String> problems) {
        this.source = source;
        this.prefix = prefix;
        this.values = values;
        this.problems = problems;
    }

    /** Reads a file; a file that is no YAML mapping is all that is wrong then. */
    public static SettingsReader ofFile(Path file) throws SettingsException {
        try {
            return ofText(file.toString(), Files.readString(file));
        } catch (IOException unreadable) {
            throw new SettingsException(
                    file.toString(), List.of("the file cannot be read; it must be a readable YAML file"));
        }
    }

    /** Reads YAML. */
    public static SettingsReader ofText(String source, String yaml) throws SettingsException {
        try {
            var loaded = new Load(LoadSettings.builder()
                            .setLabel(source)
                            .setAllowDuplicateKeys(false)
                            .build())
                    .loadFromString(yaml);
            if (loaded == null) {
                return new SettingsReader(source, "", Map.of(), new ArrayList<>());
            }
            if (loaded instanceof Map<?, ?> map) {
                return new SettingsReader(source, "", map, new ArrayList<>());
            }
            throw new SettingsException(source, List.of("the file holds no 'key: value' lines"));
        } catch (YamlEngineException broken) {
            throw new SettingsException(
                    source,
                    List.of("no valid YAML: "
                            + String.valueOf(broken.getMessage()).replace('\n', ' ')));
        }
    }

    /** A text that must be there. */
    public String text(String key) {
        var text = optionalText(key);
        if (value(key) == null) {
            problem(key, "is missing", "it must be given");
        } else if (text.isPresent() && text.get().isBlank()) {
            problem(key, "is empty", "it must be given");
        }
        return text.orElse("");
    }

    /** A text that may be absent. */
    public Optional<String> optionalText(String key) {
        var value = value(key);
        if (value instanceof Map || value instanceof List) {
            problem(key, "is '" + value + "'", "it must be a text");
            return Optional.empty();
        }
        return Optional.ofNullable(value).map(Object::toString);
    }

    /** A whole number within bounds. */
    public long number(String key, long otherwise, long least, long most) {
        var value = value(key);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Integer || value instanceof Long) {
            long number = ((Number) value).longValue();
            if (number >= least && number <= most) {
                return number;
            }
        }
        problem(
                key,
                "is " + (value instanceof String ? "'" + value + "'" : value),
                "it must be a whole number from " + least + " to " + most);
        return otherwise;
    }

    /** A number, with decimals or without. */
    public double decimal(String key, double otherwise) {
        var value = value(key);
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        if (value != null) {
            problem(key, "is '" + value + "'", "it must be a number");
        }
        return otherwise;
    }

    /** One of a few words: the names of an enum, in small letters. */
    public <E extends Enum<E>> E choice(String key, E otherwise) {
        var value = value(key);
        if (value == null) {
            return otherwise;
        }
        var words = new ArrayList<String>();
        for (var choice : otherwise.getDeclaringClass().getEnumConstants()) {
            var word = choice.name().toLowerCase(Locale.ROOT);
            if (value.equals(word)) {
                return choice;
            }
            words.add(word);
        }
        problem(key, "is '" + value + "'", "it must be " + String.join(" or ", words));
        return otherwise;
    }

    /** A span of time such as {@code 500ms}, {@code 3s}, {@code 2m}. */
    public Duration duration(String key, Duration otherwise) {
        var value = value(key);
        if (value == null) {
            return otherwise;
        }
        var parts = DURATION.matcher(value.toString());
        if (!parts.matches()) {
            problem(key, "is '" + value + "'", "it must be a time such as 500ms, 3s or 2m");
            return otherwise;
        }
        long amount = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    /** An address that must be there. */
    public HostPort address(String key) {
        var value = value(key);
        return value == null ? missingAddress(key) : parseAddress(key, value.toString());
    }

    /** An address that may be absent. */
    public HostPort address(String key, HostPort otherwise) {
        var value = value(key);
        return value == null ? otherwise : parseAddress(key, value.toString());
    }

    /** The same of an address that others are told: one of a single machine. */
    public HostPort addressForOthers(String key) {
        return notOfAllMachines(key, address(key));
    }

    /** The same of an address that others are told: one of a single machine. */
    public HostPort addressForOthers(String key, HostPort otherwise) {
        return notOfAllMachines(key, address(key, otherwise));
    }

    private HostPort notOfAllMachines(String key, HostPort address) {
        if (WILDCARDS.contains(address.host())) {
            problem(
                    key,
                    "is " + address,
                    "others are told it, so it must be an address at which they reach the process, and not all"
                            + " addresses of a machine");
        }
        return address;
    }

    /**
     * {@code advertise}: under which address others know a process. May be absent, but not where it listens on all
     * addresses of its machine.
     *
     * @param listen where it listens
     */
    public Optional<HostPort> advertise(HostPort listen) {
        var advertise = optionalText("advertise").map(given -> addressForOthers("advertise", listen));
        if (advertise.isEmpty() && WILDCARDS.contains(listen.host())) {
            problem("listen is " + listen + ", where nobody else can reach it; advertise must say where");
        }
        return advertise;
    }

    /** One address or a list of them; at least one must be there. */
    public List<HostPort> addresses(String key) {
        var value = value(key);
        if (value instanceof List<?> list && !list.isEmpty()) {
            return list.stream()
                    .map(one -> parseAddress(key, String.valueOf(one)))
                    .toList();
        }
        return List.of(address(key));
    }

    /** A nested section; an absent one reads as empty. */
    public SettingsReader section(String key) {
        var value = value(key);
        if (value != null && !(value instanceof Map)) {
            problem(key, "is '" + value + "'", "it must be a section of 'key: value' lines");
        }
        return nested(key, value);
    }

    /** A list of nested sections; an absent one is an empty list. */
    public List<SettingsReader> sections(String key) {
        var value = value(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            problem(key, "is '" + value + "'", "it must be a list of sections");
            return List.of();
        }
        var nested = new ArrayList<SettingsReader>();
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof Map)) {
                problem(key + "[" + i + "]", "is '" + list.get(i) + "'", "it must be a section of 'key: value' lines");
            }
            nested.add(nested(key + "[" + i + "]", list.get(i)));
        }
        return nested;
    }

    /** Notes that a relation between values is broken. */
    public void problem(String sentence) {
        problems.add(prefix.isEmpty() ? sentence : "in " + prefix.substring(0, prefix.length() - 1) + ": " + sentence);
    }

    /**
     * Ends the reading of the whole file.
     *
     * @throws SettingsException if anything was wrong, unknown keys included
     */
    public void finish() throws SettingsException {
        noteUnknownKeys();
        if (!problems.isEmpty()) {
            throw new SettingsException(source, problems);
        }
    }

    private void noteUnknownKeys() {
        var known = new TreeSet<>(asked);
        for (var key : values.keySet()) {
            if (!known.contains(String.valueOf(key))) {
                problems.add(prefix + key + " is no setting; known here are " + String.join(", ", known));
            }
        }
        sections.forEach(SettingsReader::noteUnknownKeys);
    }

    private SettingsReader nested(String key, @Nullable Object value) {
        var map = value instanceof Map<?, ?> given ? given : Map.of();
        var nested = new SettingsReader(source, prefix + key + ".", map, problems);
        sections.add(nested);
        return nested;
    }

    private @Nullable Object value(String key) {
        asked.add(key);
        return values.get(key);
    }

    private HostPort missingAddress(String key) {
        problem(key, "is missing", "it must be given as HOST:PORT");
        return REFUSED;
    }

    private HostPort parseAddress(String key, String text) {
        try {
            return HostPort.parse(text);
        } catch (IllegalArgumentException wrong) {
            problem(key, "is '" + text + "'", "it must be HOST:PORT with a port from 0 to 65535");
            return REFUSED;
        }
    }

    private void problem(String key, String state, String rule) {
        problems.add(prefix + key + " " + state + "; " + rule);
    }
}
