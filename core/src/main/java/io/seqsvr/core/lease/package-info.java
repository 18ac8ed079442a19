/** The lease arithmetic of holder and granter. Clocks are arguments. */
@NullMarked
package io.seqsvr.core.lease;

import org.jspecify.annotations.NullMarked;
