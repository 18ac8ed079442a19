/** Router: failover controller and front door. {@link io.seqsvr.router.Router} wires it. */
@NullMarked
package io.seqsvr.router;

import org.jspecify.annotations.NullMarked;
