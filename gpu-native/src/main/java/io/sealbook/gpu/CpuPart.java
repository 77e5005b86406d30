package io.sealbook.gpu;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;

/** Some entries of a batch, to be verified apart from the rest. Reusable; one thread at a time. */
final class CpuPart {
    private final SignatureBatch part;
    private final int[] entryOf;

    CpuPart(int capacity) {
        part = new SignatureBatch(capacity);
        entryOf = new int[capacity];
    }

    void clear() {
        part.clear();
    }

    int size() {
        return part.size();
    }

    void add(SignatureBatch batch, int entry) {
        entryOf[part.size()] = entry;
        part.add(
                batch.key(entry),
                batch.message(entry),
                batch.messageOffset(entry),
                batch.messageLength(entry),
                batch.signatures(),
                batch.signatureOffset(entry));
    }

    /** Verifies these entries and writes their verdicts into the batch; returns the number of valid ones. */
    int decide(SignatureVerifier verifier, SignatureBatch batch) {
        int validCount = verifier.verify(part);
        for (int i = 0; i < part.size(); i++) {
            batch.setValid(entryOf[i], part.isValid(i));
        }
        return validCount;
    }

    /** Verifies these entries and returns how many verdicts of the batch are others. */
    int countDisagreements(SignatureVerifier verifier, SignatureBatch batch) {
        verifier.verify(part);
        int count = 0;
        for (int i = 0; i < part.size(); i++) {
            count += part.isValid(i) == batch.isValid(entryOf[i]) ? 0 : 1;
        }
        return count;
    }
}
