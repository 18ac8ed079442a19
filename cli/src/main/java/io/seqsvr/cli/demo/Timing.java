package io.seqsvr.cli.demo;

import java.time.Duration;
import java.util.Optional;

/**
 * How long things go on.
 *
 * @param minutes for how long another round is begun, where faults are drawn
 * @param lasting how long each fault lasts once it shows; if it is not given, until the users are served by others, and
 *     a little longer
 * @param bound how long a user may wait; if it is not given, as long as the faults that are at work explain
 */
public record Timing(double minutes, Optional<Duration> lasting, Optional<Duration> bound) {}
