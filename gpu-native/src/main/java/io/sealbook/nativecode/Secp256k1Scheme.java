package io.sealbook.nativecode;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;

/** ECDSA on secp256k1 with SHA-256, under one backend. */
final class Secp256k1Scheme implements NativeScheme {
    /** Making a table costs some 570 µs, and each verification under it saves some 20. */
    private static final int USES_BEFORE_TABLE = 28;

    /** In lanes a verification under a table saves some 2.5 µs. */
    private static final int USES_BEFORE_TABLE_IN_LANES = 230;

    private static ByteBuffer generatorTable;

    private final Backend backend;

    Secp256k1Scheme(Backend backend) {
        this.backend = backend;
    }

    /** Returns the generator's table, 5 MiB, made at its first use in some 20 ms. It is the same for all code. */
    private static synchronized ByteBuffer generatorTable() {
        if (generatorTable == null) {
            ByteBuffer table = NativeVerification.allocate(NativeSecp256k1.generatorTableSize());
            NativeSecp256k1.buildGeneratorTable(table, Backend.best().code);
            generatorTable = table;
        }
        return generatorTable;
    }

    @Override
    public int usesBeforeTable() {
        return backend == Backend.IFMA ? USES_BEFORE_TABLE_IN_LANES : USES_BEFORE_TABLE;
    }

    @Override
    public int scratchSize() {
        return NativeSecp256k1.scratchSize();
    }

    @Override
    public int keyTableSize() {
        return NativeSecp256k1.keyTableSize();
    }

    @Override
    public boolean makeKey(ByteBuffer memory, VerificationKey key) {
        return NativeSecp256k1.makeKey(memory, key.point());
    }

    @Override
    public void buildKeyTable(ByteBuffer table, ByteBuffer key) {
        NativeSecp256k1.buildKeyTable(table, key, backend.code);
    }

    @Override
    public int state(byte v, byte given) {
        return v >= 0 && v <= NativeSecp256k1.V_MAX ? given | v << NativeSecp256k1.V_SHIFT : INVALID;
    }

    @Override
    public byte[] digest(VerificationKey key, byte[] message, int offset, int length) {
        return Sha256.of(message, offset, length);
    }

    @Override
    public int verify(ByteBuffer records, ByteBuffer states, int count, ByteBuffer scratch) {
        return NativeSecp256k1.verify(records, states, count, generatorTable(), backend.code, scratch);
    }
}
