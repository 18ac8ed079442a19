/** A TCP proxy that breaks connections on purpose, for machines where nobody may touch the network itself. */
@NullMarked
package io.seqsvr.chaos.proxy;

import org.jspecify.annotations.NullMarked;
