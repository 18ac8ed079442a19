/** The guards of the protocol by name, so that a simulation can take one away and show that it is needed. */
@NullMarked
package io.seqsvr.core.guard;

import org.jspecify.annotations.NullMarked;
