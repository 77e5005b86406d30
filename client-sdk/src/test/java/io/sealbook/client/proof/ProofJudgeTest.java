package io.sealbook.client.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.client.Receipt;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proof of a batch that its broker signed, and the same with other bytes where no hash of the chain looks. */
class ProofJudgeTest {
    private static final CertifiedChain CHAIN = new CertifiedChain(1);
    private static final int SEQUENCE = 3;
    private static final int INDEX = 2;

    @TempDir
    private Path directory;

    private final ProofJudge judge = new ProofJudge(CHAIN.genesisFile());
    private final ProvenMembers members = ProvenMembers.of(CHAIN.genesisFile().genesis());
    private InclusionProof proof;
    private Receipt receipt;

    @BeforeEach
    void prove() {
        CHAIN.writeTo(directory);
        try (ArchiveReader archive = ArchiveReader.open(directory)) {
            proof = new InclusionProver(archive).prove(SEQUENCE, INDEX, true);
        }
        Block block = CHAIN.block(SEQUENCE);
        receipt = new Receipt(
                proof.batchId().bytes(),
                SEQUENCE,
                INDEX,
                block.header().blockTimeNs(),
                block.hash().bytes(),
                3);
    }

    @Test
    void shouldTakeWhatTheBrokerSigned() {
        assertThat(judge.judge(proof.encode(), receipt, members).signers()).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void shouldRefuseAnotherSignature() {
        for (int i = 1; i <= SignedBatch.SIGNATURE_LENGTH; i++) {
            byte[] batch = proof.signedBatch().clone();
            batch[batch.length - i] ^= 1;

            assertThatIllegalArgumentException()
                    .as("byte %d from the end", i)
                    .isThrownBy(() -> judge.judge(with(batch).encode(), receipt, members))
                    .withMessage("its batch is not signed by the key that it names");
        }
    }

    /** A broker that came after what the client knows of the members. */
    @Test
    void shouldTakeABatchUnderAKeyThatIsNotKnown() {
        Genesis withoutBrokers =
                CHAIN.genesisFile().genesis().toBuilder().clearBrokers().build();

        assertThat(judge.judge(proof.encode(), receipt, ProvenMembers.of(withoutBrokers))
                        .signers())
                .hasSizeGreaterThanOrEqualTo(3);
    }

    private InclusionProof with(byte[] batch) {
        return new InclusionProof(
                proof.genesisDigest(),
                proof.batchIndex(),
                proof.batchId(),
                proof.header(),
                proof.merklePath(),
                proof.laterHeaders(),
                proof.certificate(),
                batch);
    }
}
