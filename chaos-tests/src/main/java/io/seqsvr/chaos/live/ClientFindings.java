package io.seqsvr.chaos.live;

/**
 * What an application with the Java client saw.
 *
 * @param answered calls that were answered, after however many tries
 * @param failed calls that were not, within the client's timeout
 * @param longestNanos how long the longest call took
 * @param backward answers that the client held back as they stepped back; anything but 0 is a broken promise
 */
public record ClientFindings(long answered, long failed, long longestNanos, long backward) {}
