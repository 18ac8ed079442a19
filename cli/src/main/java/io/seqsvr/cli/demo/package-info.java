/** Whole clusters of real processes on one machine under a load that is checked, while things are done to them. */
@NullMarked
package io.seqsvr.cli.demo;

import org.jspecify.annotations.NullMarked;
