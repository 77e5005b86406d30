package io.sealbook.nativecode;

import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Verification in C, of both schemes.
 *
 * <p>A batch crosses to C in one call a scheme for every {@value #SLICE_MAX} signatures; messages of 48 bytes, the
 * platform's own, are hashed there and others here. Each thread that verifies keeps about two megabytes of working
 * memory a scheme. Thread-safe.
 */
final class JniVerifier implements SignatureVerifier {
    private static final int SLICE_MAX = 1024;
    private static final int FULL_RATE_MIN = 64;
    private static final int SCALARS_LENGTH = 64;

    private final NativeScheme sm2;
    private final NativeScheme secp256k1;
    private final NativeKeyTables tables;
    private final ThreadLocal<Slice> sm2Slices;
    private final ThreadLocal<Slice> secp256k1Slices;

    /** A thread's working memory: what goes to C in one call. */
    private static final class Slice {
        final NativeScheme scheme;
        final ByteBuffer records = NativeVerification.allocate(SLICE_MAX * NativeVerification.RECORD_SIZE);
        final ByteBuffer states = NativeVerification.allocate(SLICE_MAX);
        final ByteBuffer scratch;
        final int[] entries = new int[SLICE_MAX];
        /** Keeps the memory of tables from getting other tables while C reads it. */
        final TableMemory.Reading reading;
        /** Keeps keys and tables from being freed while C reads them. */
        final Object[] held = new Object[2 * SLICE_MAX];

        int count;

        Slice(NativeScheme scheme, TableMemory.Reading reading) {
            this.scheme = scheme;
            this.reading = reading;
            scratch = NativeVerification.allocate(scheme.scratchSize());
        }
    }

    JniVerifier(Backend backend, long tableMemoryMaxBytes) {
        this(new Sm2Scheme(backend), new Secp256k1Scheme(backend), tableMemoryMaxBytes);
    }

    JniVerifier(NativeScheme sm2, NativeScheme secp256k1, long tableMemoryMaxBytes) {
        this.sm2 = sm2;
        this.secp256k1 = secp256k1;
        tables = new NativeKeyTables(
                scheme -> scheme == SignatureScheme.SM2_SM3 ? sm2 : secp256k1,
                tableMemoryMaxBytes,
                NativeKeyTables.newBuilder());
        sm2Slices = ThreadLocal.withInitial(() -> new Slice(sm2, tables.newReading()));
        secp256k1Slices = ThreadLocal.withInitial(() -> new Slice(secp256k1, tables.newReading()));
    }

    @Override
    public String provider() {
        return JniProvider.NAME;
    }

    /** The rate is that of 64 up to a slice; batches of 8 have three quarters of it, single ones a tenth. */
    @Override
    public BatchPreference preferredBatch() {
        return BatchPreference.perCore(FULL_RATE_MIN, SLICE_MAX);
    }

    NativeKeyTables tables() {
        return tables;
    }

    @Override
    public int verify(SignatureBatch batch) {
        long now = tables.tick();
        return verify(batch, SignatureScheme.SM2_SM3, sm2Slices, now)
                + verify(batch, SignatureScheme.ECDSA_SECP256K1_SHA256, secp256k1Slices, now);
    }

    private int verify(SignatureBatch batch, SignatureScheme scheme, ThreadLocal<Slice> slices, long now) {
        int first = 0;
        while (first < batch.size() && batch.key(first).scheme() != scheme) {
            first++;
        }
        if (first == batch.size()) {
            return 0;
        }
        Slice slice = slices.get();
        slice.count = 0;
        slice.reading.begin(now);
        try {
            return verify(slice, batch, scheme, first, now);
        } finally {
            slice.reading.end();
        }
    }

    private int verify(Slice slice, SignatureBatch batch, SignatureScheme scheme, int first, long now) {
        int validCount = 0;
        for (int i = first; i < batch.size(); i++) {
            if (batch.key(i).scheme() != scheme) {
                continue;
            }
            batch.setValid(i, false);
            add(slice, batch, i, now);
            if (slice.count == SLICE_MAX) {
                validCount += settle(slice, batch);
            }
        }
        return validCount + settle(slice, batch);
    }

    /** Writes one record, unless v alone makes the signature invalid. */
    private void add(Slice slice, SignatureBatch batch, int entry, long now) {
        byte[] signatures = batch.signatures();
        int offset = batch.signatureOffset(entry);
        int length = batch.messageLength(entry);
        boolean isMessage = length == NativeVerification.MESSAGE_LENGTH;
        int state = slice.scheme.state(
                signatures[offset + SCALARS_LENGTH],
                isMessage ? NativeVerification.GIVEN_MESSAGE : NativeVerification.GIVEN_E);
        if (state == NativeScheme.INVALID) {
            return;
        }
        int index = slice.count++;
        int record = index * NativeVerification.RECORD_SIZE;
        slice.records.put(record, signatures, offset, SCALARS_LENGTH);
        VerificationKey key = batch.key(entry);
        if (isMessage) {
            slice.records.put(
                    record + NativeVerification.MESSAGE_OFFSET,
                    batch.message(entry),
                    batch.messageOffset(entry),
                    length);
        } else {
            slice.records.put(
                    record + NativeVerification.MESSAGE_OFFSET,
                    slice.scheme.digest(key, batch.message(entry), batch.messageOffset(entry), length));
        }
        slice.states.put(index, (byte) state);
        KnownKey known = tables.use(key, now);
        KnownKey.Table table = known.table;
        slice.records.putLong(record + NativeVerification.KEY_OFFSET, known.address);
        slice.records.putLong(record + NativeVerification.TABLE_OFFSET, table == null ? 0 : table.address());
        slice.held[2 * index] = known;
        slice.held[2 * index + 1] = table;
        slice.entries[index] = entry;
    }

    private static int settle(Slice slice, SignatureBatch batch) {
        if (slice.count == 0) {
            return 0;
        }
        int count = slice.count;
        int validCount = slice.scheme.verify(slice.records, slice.states, count, slice.scratch);
        for (int i = 0; i < count; i++) {
            batch.setValid(slice.entries[i], slice.states.get(i) == NativeVerification.VALID);
        }
        Arrays.fill(slice.held, 0, 2 * count, null);
        slice.count = 0;
        return validCount;
    }

    @Override
    public void close() {
        tables.close();
        sm2Slices.remove();
        secp256k1Slices.remove();
    }
}
