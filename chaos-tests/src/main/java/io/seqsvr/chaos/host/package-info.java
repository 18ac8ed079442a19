/** What the machine itself is used for: programs of the system, and some of ours in C. */
@NullMarked
package io.seqsvr.chaos.host;

import org.jspecify.annotations.NullMarked;
