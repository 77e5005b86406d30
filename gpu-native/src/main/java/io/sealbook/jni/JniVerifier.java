package io.sealbook.jni;

import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SM3Digest;

/**
 * Verification in C: SM2 here, secp256k1 by the reference provider.
 *
 * <p>A batch crosses to C in one call for every {@value #SLICE_MAX} signatures; messages of 48 bytes, the platform's own, are hashed there and others
 * here. Each thread that verifies keeps about two megabytes of working memory. Thread-safe.
 */
final class JniVerifier implements SignatureVerifier {
    private static final int SLICE_MAX = 1024;
    private static final int SCALARS_LENGTH = 64;

    private final Backend backend;
    private final ByteBuffer generatorTable;
    private final KeyTables tables;
    private final SignatureVerifier reference =
            new BouncyCastleProvider().openVerifier().orElseThrow();
    private final ThreadLocal<Slice> slices = ThreadLocal.withInitial(Slice::new);

    /** A thread's working memory: what goes to C in one call. */
    private static final class Slice {
        final ByteBuffer records = NativeVerification.allocate(SLICE_MAX * NativeVerification.RECORD_SIZE);
        final ByteBuffer states = NativeVerification.allocate(SLICE_MAX);
        final ByteBuffer scratch = NativeVerification.allocate(NativeVerification.scratchSize());
        final int[] entries = new int[SLICE_MAX];
        /** Keeps keys and tables from being freed while C reads them. */
        final Object[] held = new Object[2 * SLICE_MAX];

        final SM3Digest digest = new SM3Digest();
        final byte[] e = new byte[digest.getDigestSize()];
        int count;
    }

    JniVerifier(Backend backend, long tableMemoryMaxBytes) {
        this.backend = backend;
        generatorTable = backend.generatorTable();
        tables = new KeyTables(backend, tableMemoryMaxBytes);
    }

    @Override
    public String provider() {
        return JniProvider.NAME;
    }

    KeyTables tables() {
        return tables;
    }

    @Override
    public int verify(SignatureBatch batch) {
        Slice slice = slices.get();
        slice.count = 0;
        long now = tables.tick();
        int validCount = 0;
        int otherCount = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.key(i).scheme() != SignatureScheme.SM2_SM3) {
                otherCount++;
                continue;
            }
            batch.setValid(i, false);
            add(slice, batch, i, now);
            if (slice.count == SLICE_MAX) {
                validCount += settle(slice, batch);
            }
        }
        validCount += settle(slice, batch);
        return otherCount == 0 ? validCount : validCount + verifyOthers(batch, otherCount);
    }

    /** Writes one record. A signature whose v is not 0 is invalid whatever the rest. */
    private void add(Slice slice, SignatureBatch batch, int entry, long now) {
        byte[] signatures = batch.signatures();
        int offset = batch.signatureOffset(entry);
        if (signatures[offset + SCALARS_LENGTH] != 0) {
            return;
        }
        int index = slice.count++;
        int record = index * NativeVerification.RECORD_SIZE;
        slice.records.put(record, signatures, offset, SCALARS_LENGTH);
        VerificationKey key = batch.key(entry);
        int length = batch.messageLength(entry);
        if (length == NativeVerification.MESSAGE_LENGTH) {
            slice.records.put(
                    record + NativeVerification.MESSAGE_OFFSET,
                    batch.message(entry),
                    batch.messageOffset(entry),
                    length);
            slice.states.put(index, NativeVerification.GIVEN_MESSAGE);
        } else {
            slice.digest.update(key.z(), 0, key.z().length);
            slice.digest.update(batch.message(entry), batch.messageOffset(entry), length);
            slice.digest.doFinal(slice.e, 0);
            slice.records.put(record + NativeVerification.MESSAGE_OFFSET, slice.e);
            slice.states.put(index, NativeVerification.GIVEN_E);
        }
        KnownKey known = tables.use(key, now);
        KnownKey.Table table = known.table;
        slice.records.putLong(record + NativeVerification.KEY_OFFSET, known.address);
        slice.records.putLong(record + NativeVerification.TABLE_OFFSET, table == null ? 0 : table.address());
        slice.held[2 * index] = known;
        slice.held[2 * index + 1] = table;
        slice.entries[index] = entry;
    }

    private int settle(Slice slice, SignatureBatch batch) {
        if (slice.count == 0) {
            return 0;
        }
        int count = slice.count;
        int validCount = NativeVerification.verify(
                slice.records, slice.states, count, generatorTable, backend.code, slice.scratch);
        for (int i = 0; i < count; i++) {
            batch.setValid(slice.entries[i], slice.states.get(i) == NativeVerification.VALID);
        }
        Arrays.fill(slice.held, 0, 2 * count, null);
        slice.count = 0;
        return validCount;
    }

    private int verifyOthers(SignatureBatch batch, int otherCount) {
        SignatureBatch others = new SignatureBatch(otherCount);
        int[] entries = new int[otherCount];
        for (int i = 0; i < batch.size(); i++) {
            if (batch.key(i).scheme() != SignatureScheme.SM2_SM3) {
                entries[others.size()] = i;
                others.add(
                        batch.key(i),
                        batch.message(i),
                        batch.messageOffset(i),
                        batch.messageLength(i),
                        batch.signatures(),
                        batch.signatureOffset(i));
            }
        }
        int validCount = reference.verify(others);
        for (int i = 0; i < otherCount; i++) {
            batch.setValid(entries[i], others.isValid(i));
        }
        return validCount;
    }

    @Override
    public void close() {
        tables.close();
        slices.remove();
        reference.close();
    }
}
