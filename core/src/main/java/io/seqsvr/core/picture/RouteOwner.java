package io.seqsvr.core.picture;

/**
 * An allocator with an open session, as callers know it.
 *
 * @param session its session, above 0
 * @param address where it serves, HOST:PORT
 * @param name its name, for people
 */
public record RouteOwner(long session, String address, String name) {}
