/** The clocks of the machine, read for the rules in core. */
@NullMarked
package io.seqsvr.node.clock;

import org.jspecify.annotations.NullMarked;
