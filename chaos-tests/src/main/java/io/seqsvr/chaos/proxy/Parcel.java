package io.seqsvr.chaos.proxy;

import io.vertx.core.buffer.Buffer;

/** What passes through one direction of a connection, in order: bytes, and in the end one last word. */
sealed interface Parcel {
    /** How many bytes it holds. */
    int length();

    /** Some bytes, at least one. */
    record Data(Buffer bytes) implements Parcel {
        @Override
        public int length() {
            return bytes.length();
        }
    }

    /** How a direction ends; nothing comes after it. */
    enum Last implements Parcel {
        /** The sender sends no more, and may still read. */
        END,
        /** The whole connection is closed once what came before was written. */
        CLOSE,
        /** The whole connection is reset. */
        RESET;

        @Override
        public int length() {
            return 0;
        }
    }
}
