package io.sealbook.gpu;

import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What a device must get right before a node trusts it. The general self-test of providers is too small to leave the
 * CPU; this one goes past the division of work, to both kernels.
 */
final class DeviceSelfTest {
    /** GB/T 32918.5, annex A. */
    private static final VerificationKey KEY = VerificationKey.of(
            SignatureScheme.SM2_SM3,
            HexFormat.of()
                    .parseHex("09f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                            + "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13"));

    private static final byte[] MESSAGE = "message digest".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SIGNATURE = HexFormat.of()
            .parseHex("f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
                    + "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa00");

    private static final int BIT_STRIDE = 7;

    private DeviceSelfTest() {}

    /** Runs the test; returns what went wrong, or empty. */
    static Optional<String> failure(RowEngine engine, SignatureVerifier cpu, int usesBeforeTable) {
        try {
            // A few signatures do not earn the key its table, many do.
            Optional<String> failure = failure(engine, cpu, batch(Math.min(8, usesBeforeTable - 1)));
            return failure.isPresent() ? failure : failure(engine, cpu, batch(Math.max(64, usesBeforeTable)));
        } catch (DeviceException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** The standard's signature, and forgeries of it with one bit turned, by turns. */
    private static SignatureBatch batch(int size) {
        SignatureBatch batch = new SignatureBatch(Math.max(1, size));
        for (int i = 0; i < size; i++) {
            byte[] signature = SIGNATURE.clone();
            if (i % 2 == 1) {
                int bit = i * BIT_STRIDE % 512;
                signature[bit / 8] ^= (byte) (1 << bit % 8);
            }
            batch.add(KEY, MESSAGE, signature);
        }
        return batch;
    }

    private static Optional<String> failure(RowEngine engine, SignatureVerifier cpu, SignatureBatch batch) {
        if (batch.size() == 0) {
            return Optional.empty();
        }
        RowRequest request = new RowRequest();
        for (int entry = 0; entry < batch.size(); entry++) {
            request.add(batch, entry);
        }
        engine.submit(request);
        engine.await(request);
        cpu.verify(batch);
        for (int entry = 0; entry < batch.size(); entry++) {
            byte expected = batch.isValid(entry) ? RowRequest.VALID : RowRequest.INVALID;
            if (request.verdict(entry) != expected) {
                return Optional.of("the device's verdict on signature " + entry + " of " + batch.size() + " was "
                        + request.verdict(entry) + ", the CPU's " + expected);
            }
        }
        return Optional.empty();
    }
}
