package io.sealbook.nativecode;

import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;
import org.bouncycastle.crypto.digests.SM3Digest;

/** SM2 with SM3, under one backend. */
final class Sm2Scheme implements NativeScheme {
    private final Backend backend;
    private final ByteBuffer generatorTable;

    Sm2Scheme(Backend backend) {
        this.backend = backend;
        generatorTable = backend.generatorTable();
    }

    @Override
    public int usesBeforeTable() {
        return backend.usesBeforeTable;
    }

    @Override
    public int scratchSize() {
        return NativeVerification.scratchSize();
    }

    @Override
    public int keyTableSize() {
        return NativeVerification.keyTableSize();
    }

    @Override
    public boolean makeKey(ByteBuffer memory, VerificationKey key) {
        return NativeVerification.makeKey(memory, key.point(), key.z());
    }

    @Override
    public void buildKeyTable(ByteBuffer table, ByteBuffer key) {
        NativeVerification.buildKeyTable(table, key, backend.code);
    }

    @Override
    public int state(byte v, byte given) {
        return v == 0 ? given : INVALID;
    }

    @Override
    public byte[] digest(VerificationKey key, byte[] message, int offset, int length) {
        SM3Digest digest = new SM3Digest();
        byte[] z = key.z();
        digest.update(z, 0, z.length);
        digest.update(message, offset, length);
        byte[] e = new byte[digest.getDigestSize()];
        digest.doFinal(e, 0);
        return e;
    }

    @Override
    public int verify(ByteBuffer records, ByteBuffer states, int count, ByteBuffer scratch) {
        return NativeVerification.verify(records, states, count, generatorTable, backend.code, scratch);
    }
}
