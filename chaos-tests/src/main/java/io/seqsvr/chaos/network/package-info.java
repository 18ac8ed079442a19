/** Networks whose links lose, delay, double, reorder and damage what they carry. */
@NullMarked
package io.seqsvr.chaos.network;

import org.jspecify.annotations.NullMarked;
