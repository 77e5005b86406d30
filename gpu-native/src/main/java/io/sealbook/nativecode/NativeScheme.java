package io.sealbook.nativecode;

import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;

/** What C does for the signatures of one scheme: makes keys and tables, and verifies. Any thread. */
interface NativeScheme {
    /** What {@link #state} returns for a signature that is invalid whatever the rest. */
    int INVALID = -1;

    /** Break-even of a key's table: what making it costs, in what each verification under it saves. */
    int usesBeforeTable();

    int scratchSize();

    /** Returns bytes of a key's table. */
    int keyTableSize();

    boolean makeKey(ByteBuffer memory, VerificationKey key);

    void buildKeyTable(ByteBuffer table, ByteBuffer key);

    /**
     * Returns the state of a record before, 0..255, from the signature's v and what its message is; or
     * {@link #INVALID}.
     */
    int state(byte v, byte given);

    /** Returns the digest that a signature of this message signs, 32 bytes. */
    byte[] digest(VerificationKey key, byte[] message, int offset, int length);

    /** Verifies as {@link NativeVerification#verify}. */
    int verify(ByteBuffer records, ByteBuffer states, int count, ByteBuffer scratch);
}
