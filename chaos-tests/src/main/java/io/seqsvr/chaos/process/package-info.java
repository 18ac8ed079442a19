/** Real processes of seqsvr: started, asked by real clients, and stopped, frozen or killed on purpose. */
@NullMarked
package io.seqsvr.chaos.process;

import org.jspecify.annotations.NullMarked;
