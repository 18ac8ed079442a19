package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** A run as a cluster might have had it, drawn from a seed: load that dips while something is at work. */
final class SampleRun {
    private static final List<String> VICTIMS = List.of("allocator", "router", "store-leader", "store-follower");
    private static final List<String> VERBS = List.of("kill", "pause", "restart");

    private final SplittableRandom random;
    private final long seed;
    private final int seconds;
    private final List<Round> rounds = new ArrayList<>();
    private final List<String> missed = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final List<String> doubts = new ArrayList<>();
    private final List<Witness> witnesses = new ArrayList<>();
    private List<Skip> skipped = List.of();
    private String commit = "abc1234";
    private Instant begun = Instant.parse("2026-11-22T11:45:00Z");

    /**
     * A run in which all went well.
     *
     * @param rounds how many, spread over its seconds
     */
    SampleRun(long seed, int seconds, int rounds) {
        this.seed = seed;
        this.seconds = seconds;
        random = new SplittableRandom(seed);
        long each = seconds * 1_000L / rounds;
        for (int i = 0; i < rounds; i++) {
            this.rounds.add(round(i + 1, i * each + 500, each));
        }
    }

    private Round round(int number, long begunMillis, long most) {
        var fault = draw(VERBS) + " " + draw(VICTIMS);
        var cells = new ArrayList<>(List.of(fault.replace(' ', '-')));
        var faults = new ArrayList<>(List.of(fault + "-" + (1 + random.nextInt(3))));
        if (random.nextInt(3) == 0) {
            cells.add("pause-router");
            faults.add("pause router-2");
        }
        cells.sort(null);
        long bound = 2_000L * faults.size() + (fault.endsWith("allocator") ? 3_301 : 0);
        long lasts = Math.min(most - 600, 2_000 + random.nextLong(Math.max(1, most - 3_000)));
        return new Round(
                number,
                String.join(" + ", cells),
                faults,
                begunMillis,
                begunMillis + Math.max(400, lasts),
                bound,
                random.nextLong(bound * 9 / 10),
                random.nextLong(30),
                new Bystanders(2_400, random.nextLong(3), 1),
                RoundVerdict.PASS,
                List.of());
    }

    private String draw(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    SampleRun of(String commit) {
        this.commit = commit;
        return this;
    }

    SampleRun begunAt(String time) {
        begun = Instant.parse(time);
        return this;
    }

    SampleRun skips(String cell, String why) {
        skipped = new ArrayList<>(skipped);
        skipped.add(new Skip(cell, why));
        return this;
    }

    /** Takes the round of this number for one that came to something else. */
    SampleRun comesTo(int number, RoundVerdict verdict, String words) {
        var was = rounds.get(number - 1);
        long waited = verdict == RoundVerdict.MISSED ? was.boundMillis() + 1_234 : was.waitedMillis();
        rounds.set(
                number - 1,
                new Round(
                        number,
                        was.cell(),
                        was.faults(),
                        was.begunMillis(),
                        was.endedMillis(),
                        was.boundMillis(),
                        waited,
                        was.waits(),
                        was.bystanders(),
                        verdict,
                        List.of(words)));
        switch (verdict) {
            case MISSED -> missed.add(words);
            case VOID -> doubts.add(words);
            case VIOLATED -> {
                broken.add(words);
                witnesses.add(new Witness("UNIQUE", words, List.of(operation(991, 1_000, 7), operation(997, 997, 8))));
            }
            case PASS -> throw new IllegalArgumentException("it passes without that");
        }
        return this;
    }

    private static JsonObject operation(long first, long last, long epoch) {
        return new JsonObject()
                .put("uid", "42")
                .put("first", Long.toString(first))
                .put("last", Long.toString(last))
                .put("epoch", Long.toString(epoch))
                .put("begun_ms", 131_004)
                .put("ended_ms", 131_009);
    }

    private RunVerdict verdict() {
        if (!broken.isEmpty()) {
            return RunVerdict.VIOLATED;
        }
        if (!missed.isEmpty()) {
            return RunVerdict.MISSED;
        }
        return doubts.isEmpty() ? RunVerdict.PASS : RunVerdict.INCONCLUSIVE;
    }

    private Second second(int second) {
        var atWork = rounds.stream()
                .filter(round -> round.begunMillis() / 1_000 <= second
                        && second * 1_000L < round.begunMillis() + round.waitedMillis())
                .findFirst();
        long answered = 380 + random.nextLong(60);
        long p50 = 900 + random.nextLong(250);
        long p99 = 4_000 + random.nextLong(3_000);
        if (atWork.isEmpty()) {
            return new Second(second, answered, 0, 0, p50, p99, p99 * (1 + random.nextLong(3)));
        }
        answered = random.nextInt(4) == 0 ? 0 : answered / (2 + random.nextLong(4));
        long slowest = atWork.get().waitedMillis() * 1_000 + p99;
        return answered == 0
                ? new Second(second, 0, random.nextLong(90), random.nextLong(20), 0, 0, 0)
                : new Second(second, answered, random.nextLong(60), random.nextLong(8), p50 * 2, slowest / 2, slowest);
    }

    RunFile file() {
        var timeline = new ArrayList<Second>();
        for (int i = 0; i < seconds; i++) {
            timeline.add(second(i));
        }
        var result = new JsonObject()
                .put("verdict", verdict().name().toLowerCase(Locale.ROOT))
                .put("operations", timeline.stream().mapToLong(Second::answered).sum() / 2)
                .put(
                        "checked_online",
                        timeline.stream().mapToLong(Second::answered).sum())
                .put("refused", timeline.stream().mapToLong(Second::refused).sum())
                .put(
                        "unknown_outcomes",
                        timeline.stream().mapToLong(Second::unknown).sum())
                .put("violations", broken.size())
                .put("owner_changes", rounds.size() * 3)
                .put("straddling_pairs", rounds.size() * 8)
                .put("asked_a_former_owner", rounds.size())
                .put(
                        "longest_unavailable_ms",
                        rounds.stream().mapToLong(Round::waitedMillis).max().orElse(0))
                .put("unexplained_gaps", 0)
                .put("missed", new JsonArray(missed))
                .put("doubts", new JsonArray(doubts))
                .put("broken", new JsonArray(broken));
        return new RunFile(
                commit,
                begun,
                seconds,
                "./seqsvr chaos run --minutes " + Math.max(1, seconds / 60) + " --seed " + seed,
                new Machine(2, 23_000, "Linux 6.1.0", "Eclipse Adoptium 25.0.1"),
                Network.NAMESPACES,
                Long.toString(seed),
                new Cluster(3, 3, 2, 3_000, 100, 10_000, 24),
                verdict(),
                result,
                rounds,
                skipped,
                timeline,
                witnesses);
    }
}
