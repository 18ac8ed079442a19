package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * What a run leaves behind: enough to judge it, to show it and to repeat it.
 *
 * @param commit what ran: "abc1234"; "abc1234+0f1e2d3c", with a sum of the changes, if the checkout was not clean; or
 *     "unknown"
 * @param begun when it began, by the wall clock
 * @param seconds how long it went on
 * @param command what repeats it, "./seqsvr chaos run --minutes 4 --seed 5" for example
 * @param machine where it ran
 * @param network what carried its bytes
 * @param seed what drew its faults
 * @param cluster what was broken
 * @param verdict what it comes to
 * @param result all that {@code -o json} says of it, as it is
 * @param rounds what was done, in the order in which it was begun
 * @param skipped what could not be tried
 * @param timeline what users saw, in the order of time; a second that is not there was not watched
 * @param witnesses what broke a promise
 */
public record RunFile(
        String commit,
        Instant begun,
        double seconds,
        String command,
        Machine machine,
        Network network,
        String seed,
        Cluster cluster,
        RunVerdict verdict,
        JsonObject result,
        List<Round> rounds,
        List<Skip> skipped,
        List<Second> timeline,
        List<Witness> witnesses) {
    /** Which form of the file this is; it grows when a reader of the last one would be misled. */
    public static final int FORMAT = 2;

    private static final DateTimeFormatter COMPACT =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Keeps copies. */
    public RunFile {
        result = result.copy();
        rounds = List.copyOf(rounds);
        skipped = List.copyOf(skipped);
        timeline = List.copyOf(timeline);
        witnesses = List.copyOf(witnesses);
    }

    /** When it began and its seed, "20261122T114500Z-5" for example; what has no place in a file's name is a dash. */
    public String name() {
        return COMPACT.format(begun) + "-" + seed.replaceAll("[^A-Za-z0-9_-]", "-");
    }

    /** As it stands in the file. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("format", FORMAT)
                .put("commit", commit)
                .put("begun", begun.toString())
                .put("seconds", seconds)
                .put("command", command)
                .put("machine", machine.toJson())
                .put("network", Fields.word(network))
                .put("seed", seed)
                .put("cluster", cluster.toJson())
                .put("verdict", Fields.word(verdict))
                .put("result", result.copy())
                .put("rounds", new JsonArray(rounds.stream().map(Round::toJson).toList()))
                .put("skipped", new JsonArray(skipped.stream().map(Skip::toJson).toList()))
                .put(
                        "timeline",
                        new JsonArray(timeline.stream().map(Second::toJson).toList()))
                .put(
                        "witnesses",
                        new JsonArray(witnesses.stream().map(Witness::toJson).toList()));
    }

    /**
     * What stands in a file.
     *
     * @param file its name, for errors
     * @throws UnreadableRunFile if its format is another one, or a field is missing or of another kind
     */
    public static RunFile fromJson(String file, JsonObject json) {
        var fields = Fields.of(file, json);
        long format = fields.whole("format");
        if (format != FORMAT) {
            throw new UnreadableRunFile(
                    file,
                    "format is " + format + ", and this build reads " + FORMAT
                            + ": use a build of commit " + json.getValue("commit")
                            + ", or take the file out of the directory");
        }
        Totals.requireFigures(fields.object("result"));
        return new RunFile(
                fields.text("commit"),
                fields.instant("begun"),
                fields.number("seconds"),
                fields.text("command"),
                Machine.from(fields.object("machine")),
                fields.word("network", Network.class),
                fields.text("seed"),
                Cluster.from(fields.object("cluster")),
                fields.word("verdict", RunVerdict.class),
                fields.json("result"),
                fields.objects("rounds").stream().map(Round::from).toList(),
                fields.objects("skipped").stream().map(Skip::from).toList(),
                fields.objects("timeline").stream().map(Second::from).toList(),
                fields.objects("witnesses").stream().map(Witness::from).toList());
    }
}
