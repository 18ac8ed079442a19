/** What is done to the processes of a running cluster on purpose, and undone. */
@NullMarked
package io.seqsvr.chaos.fault;

import org.jspecify.annotations.NullMarked;
