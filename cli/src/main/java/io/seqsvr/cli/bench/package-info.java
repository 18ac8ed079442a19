/** Measures what runs as real processes on this machine: starts them, loads them, checks every reply, removes them. */
@NullMarked
package io.seqsvr.cli.bench;

import org.jspecify.annotations.NullMarked;
