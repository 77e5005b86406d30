package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.perf.results.Result;
import io.sealbook.perf.results.ResultRow;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TransactionsCommandTest {
    private static final int COUNT = SealingPhases.CHUNK + 7;

    /** Counts the signatures it makes, and makes wrong ones on demand. */
    private record CountingSigner(Signer signer, AtomicInteger count, boolean isWrong) implements Signer {
        @Override
        public SignatureScheme scheme() {
            return signer.scheme();
        }

        @Override
        public VerificationKey verificationKey() {
            return signer.verificationKey();
        }

        @Override
        public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
            count.incrementAndGet();
            byte[] signed = Arrays.copyOfRange(message, offset, offset + length);
            if (isWrong) {
                signed[0] ^= 1;
            }
            System.arraycopy(signer.sign(signed), 0, signature, signatureOffset, SignatureScheme.SIGNATURE_LENGTH);
        }
    }

    @Test
    void shouldTimeEachPhaseOfEachScheme(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("transactions.json");

        int status = new CommandLine(new TransactionsCommand())
                .execute("--transactions=" + COUNT, "--warm-up=2", "--threads=2", "--signers=bc", "--json=" + json);

        List<ResultRow> rows = Result.read(json).rows();
        assertThat(status).isZero();
        assertThat(rows)
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.figures())
                        .containsKeys("assemblyMicros", "encodingMicros")
                        .hasEntrySatisfying(
                                "batchesPerSecond", rate -> assertThat(rate).isPositive())
                        .hasEntrySatisfying(
                                "signingMicros", micros -> assertThat(micros).isPositive()));
    }

    @Test
    void shouldSignEachBatchOnce() {
        AtomicInteger count = new AtomicInteger();
        Signer signer = new CountingSigner(Signers.generate(SignatureScheme.SM2_SM3), count, false);

        new SealingPhases(0, COUNT, 1, 16, signer).call();

        assertThat(count).hasValue(COUNT);
    }

    @Test
    void shouldFailIfASignatureIsWrong() {
        Signer signer = new CountingSigner(Signers.generate(SignatureScheme.SM2_SM3), new AtomicInteger(), true);

        assertThatThrownBy(() -> new SealingPhases(3, 1, 1, 1, signer).call())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("session 3 does not verify");
    }

    @Test
    void shouldRefuseFewerTransactionsThanThreads() {
        int status = new CommandLine(new TransactionsCommand()).execute("--transactions=1", "--threads=2");

        assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    }
}
