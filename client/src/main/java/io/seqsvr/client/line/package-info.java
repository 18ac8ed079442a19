/**
 * The lines from a caller to the allocators: calls from any thread come together on one event loop, leave in frames on
 * one stream to each owner, and end there. For the client library and the processes of seqsvr itself; it has Vert.x in
 * its signatures.
 */
@NullMarked
package io.seqsvr.client.line;

import org.jspecify.annotations.NullMarked;
