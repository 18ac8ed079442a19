/**
 * The simulator: a whole cluster in one thread and in virtual time, with the very objects of core that run in
 * production, and everything between them and inside their machines failing as a seed says.
 */
@NullMarked
package io.seqsvr.chaos.sim;

import org.jspecify.annotations.NullMarked;
