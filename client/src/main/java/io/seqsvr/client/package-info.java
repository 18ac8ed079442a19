/** The Java client library: sequences of users, without a type of the transport in its signatures. */
@NullMarked
package io.seqsvr.client;

import org.jspecify.annotations.NullMarked;
