package io.seqsvr.storeclient;

/**
 * What StoreSvr knows of one segment.
 *
 * @param epoch of its last assignment
 * @param owner session to which it was assigned last; it may have ended since; 0 before the first assignment
 * @param base where that epoch began
 * @param maxSeq nothing above it was ever handed out
 */
public record SegmentFacts(long epoch, long owner, long base, long maxSeq) {}
