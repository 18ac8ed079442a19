package io.seqsvr.client.line;

/**
 * How long a frame that is passed on is waited for; by {@link System#nanoTime}.
 *
 * @param dueNanos where its owner says nothing meanwhile
 * @param lastNanos where it answers others; not earlier
 */
public record FrameTimes(long dueNanos, long lastNanos) {}
