/**
 * The Java client library: sequences of users, without a type of the transport in its signatures.
 *
 * <p>A {@link io.seqsvr.client.SequenceClient} watches the routes at its endpoints, so it knows the owner of every
 * user. Each call is an object that goes through a bounded queue to one event loop. There it joins the frame that
 * leaves next to its owner, together with whatever else was asked meanwhile, and ends with its place of the reply. What
 * is refused for a moment or lost is tried again until the call's timeout is over; what would step back is held back
 * and counted.
 */
@NullMarked
package io.seqsvr.client;

import org.jspecify.annotations.NullMarked;
