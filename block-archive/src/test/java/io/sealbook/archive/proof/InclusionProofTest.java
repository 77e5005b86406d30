package io.sealbook.archive.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.InclusionProver.NotProvableException;
import io.sealbook.archive.proof.ProofVerdict.Fault;
import io.sealbook.archive.proof.ProofVerdict.Proven;
import io.sealbook.archive.proof.ProofVerdict.Refused;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InclusionProofTest {
    @TempDir
    static Path directory;

    private static final CertifiedChain CHAIN = new CertifiedChain(1);
    private static ArchiveReader archive;
    private static InclusionProver prover;
    private static SignatureVerifier signatures;
    private static ProofVerifier verifier;

    @BeforeAll
    static void open() {
        CHAIN.writeTo(directory);
        archive = ArchiveReader.open(directory);
        prover = new InclusionProver(archive);
        signatures = SignatureProviders.named("bc");
        verifier = new ProofVerifier(CHAIN.genesisFile(), signatures);
    }

    @AfterAll
    static void close() {
        archive.close();
        signatures.close();
    }

    @Test
    void shouldProveEveryBatchOfEveryCertifiedBlock() {
        for (int sequence = 1; sequence <= 8; sequence++) {
            for (int index = 0; index < CertifiedChain.BATCHES_PER_BLOCK; index++) {
                InclusionProof proof = InclusionProof.decode(
                        prover.prove(sequence, index, index % 2 == 0).encode());

                assertThat(verifier.verify(proof)).isInstanceOfSatisfying(Proven.class, proven -> {
                    assertThat(proven.batchIndex()).isEqualTo(proof.batchIndex());
                    assertThat(proven.signers()).containsExactly(0, 1, 3);
                    assertThat(proven.quorum()).isEqualTo(3);
                    assertThat(proven.certifiedSequence()).isEqualTo(proven.sequence() <= 4 ? 4 : 8);
                    assertThat(proven.isContentProven()).isEqualTo(proof.batchIndex() % 2 == 0);
                    assertThat(proven.isSignatureProven()).isEqualTo(proven.isContentProven());
                });
                assertThat(proof.batchId()).isEqualTo(CHAIN.block(sequence).batchId(index));
            }
        }
    }

    @Test
    void shouldSayWhatIsMissingForProof() {
        assertThatExceptionOfType(NotProvableException.class)
                .isThrownBy(() -> prover.prove(9, 0, true))
                .withMessage("no certificate covers block 9 yet");
        assertThatExceptionOfType(NotProvableException.class)
                .isThrownBy(() -> prover.prove(11, 0, true))
                .withMessage("block 11 is not here, archive has 1..10");
        assertThatExceptionOfType(NotProvableException.class)
                .isThrownBy(() -> prover.prove(2, 5, true))
                .withMessage("block 2 has 5 batches, none at 5");
    }

    @Test
    void shouldRefuseProofOfAnotherGenesisFile() {
        ProofVerifier other = new ProofVerifier(new CertifiedChain(2).genesisFile(), signatures);

        assertRefused(other, proof(), Fault.GENESIS);
    }

    @Test
    void shouldRefuseEachChangedPart() {
        InclusionProof p = proof();

        assertRefused(changed(p, p.batchIndex() + 1, p.batchId(), p.header(), p.merklePath()), Fault.MERKLE_PATH);
        assertRefused(changed(p, p.batchIndex(), flip(p.batchId()), p.header(), p.merklePath()), Fault.BATCH_CONTENT);
        assertRefused(
                withoutContent(changed(p, p.batchIndex(), flip(p.batchId()), p.header(), p.merklePath())),
                Fault.MERKLE_PATH);
        List<Digest> path = new ArrayList<>(p.merklePath());
        path.set(1, flip(path.get(1)));
        assertRefused(changed(p, p.batchIndex(), p.batchId(), p.header(), path), Fault.MERKLE_PATH);
        assertRefused(withBatch(p, flip(p.signedBatch())), Fault.BATCH_CONTENT);
        assertRefused(withBatch(p, new byte[10]), Fault.BATCH_CONTENT);
        assertRefused(
                withHeaders(p, p.laterHeaders().subList(1, p.laterHeaders().size())), Fault.HEADER_CHAIN);
        assertRefused(withHeaders(p, p.laterHeaders().subList(0, 1)), Fault.CHAIN_HASH);
        List<BlockHeader> swapped = new ArrayList<>(p.laterHeaders());
        Collections.swap(swapped, 0, 1);
        assertRefused(withHeaders(p, swapped), Fault.HEADER_CHAIN);
        assertRefused(withCertificate(p, CHAIN.certificate(4, 0, 1, 3)), Fault.CHAIN_HASH);
    }

    @Test
    void shouldRefuseEveryChangedBitOfTheHeader() {
        InclusionProof p = withoutContent(proof());
        byte[] bytes = p.header().encode();
        for (int i = 8; i < bytes.length; i++) {
            byte[] flipped = bytes.clone();
            flipped[i] ^= 1;
            BlockHeader header;
            try {
                header = BlockHeader.decode(flipped, 0);
            } catch (IllegalArgumentException e) {
                continue;
            }
            InclusionProof changed = changed(p, p.batchIndex(), p.batchId(), header, p.merklePath());

            assertThat(verifier.verify(changed)).as("byte %d", i).isInstanceOf(Refused.class);
        }
    }

    @Test
    void shouldRefuseLessThanQuorumOfDistinctValidSignatures() {
        InclusionProof p = proof();
        CheckpointCertificate good = p.certificate();

        assertRefused(withCertificate(p, CHAIN.certificate(8, 0, 1)), Fault.SIGNATURES);
        assertRefused(withCertificate(p, CHAIN.certificate(8, 0, 1, 1)), Fault.SIGNATURES);
        assertRefused(withCertificate(p, CHAIN.certificate(8)), Fault.SIGNATURES);
        assertRefused(withSignatures(p, relabelled(good.signatures(), 2, 2)), Fault.SIGNATURES);
        assertRefused(withSignatures(p, relabelled(good.signatures(), 2, 7)), Fault.SIGNATURES);
        for (int i = 0; i < CertificateSignature.LENGTH; i++) {
            List<CertificateSignature> flipped = new ArrayList<>(good.signatures());
            byte[] signature = flipped.get(0).signature();
            signature[i] ^= 1;
            flipped.set(0, new CertificateSignature(0, signature));
            assertRefused(withSignatures(p, flipped), Fault.SIGNATURES);
        }
        Digest otherResult = flip(good.resultDigest());
        assertRefused(
                withCertificate(
                        p,
                        new CheckpointCertificate(
                                8, good.chainHash(), otherResult, good.proposalDigest(), good.signatures())),
                Fault.SIGNATURES);
        assertRefused(
                withCertificate(
                        p,
                        new CheckpointCertificate(
                                8, good.chainHash(), good.resultDigest(), otherResult, good.signatures())),
                Fault.SIGNATURES);

        assertThat(verifier.verify(withCertificate(p, CHAIN.certificate(8, 3, 2, 1, 0))))
                .isInstanceOf(Proven.class);
    }

    /** No hash of the chain covers it. */
    @Test
    void shouldRefuseASignatureThatIsNotTheBrokers() {
        InclusionProof p = proof();
        for (int i = 1; i <= SignedBatch.SIGNATURE_LENGTH; i++) {
            byte[] batch = p.signedBatch().clone();
            batch[batch.length - i] ^= 1;

            assertRefused(withBatch(p, batch), Fault.BATCH_SIGNATURE);
        }
    }

    @Test
    void shouldRefuseEveryChangedByteOfTheFileEvenWithTheRightChecksum() {
        byte[] bytes = proof().encode();
        for (int i = 0; i < bytes.length - 4; i++) {
            byte[] flipped = bytes.clone();
            flipped[i] ^= 1;
            assertThatIllegalArgumentException().as("byte %d", i).isThrownBy(() -> InclusionProof.decode(flipped));

            CRC32C crc = new CRC32C();
            crc.update(flipped, 0, flipped.length - 4);
            ByteBuffer.wrap(flipped).order(ByteOrder.LITTLE_ENDIAN).putInt(flipped.length - 4, (int) crc.getValue());
            assertThat(isProven(flipped)).as("byte %d", i).isFalse();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InclusionProof.decode(Arrays.copyOf(bytes, bytes.length + 1)));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatIllegalArgumentException().isThrownBy(() -> InclusionProof.decode(cut));
        }
    }

    private static boolean isProven(byte[] bytes) {
        try {
            return verifier.verify(InclusionProof.decode(bytes)) instanceof Proven;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Batch 2 of block 6, certified at block 8. */
    private static InclusionProof proof() {
        return prover.prove(6, 2, true);
    }

    private static void assertRefused(InclusionProof proof, Fault fault) {
        assertRefused(verifier, proof, fault);
    }

    private static void assertRefused(ProofVerifier by, InclusionProof proof, Fault fault) {
        assertThat(by.verify(proof))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused ->
                                assertThat(refused.fault()).as(refused.fact()).isEqualTo(fault));
    }

    private static Digest flip(Digest digest) {
        return Digest.of(flip(digest.bytes()));
    }

    private static byte[] flip(byte[] bytes) {
        byte[] flipped = bytes.clone();
        flipped[3] ^= 1;
        return flipped;
    }

    private static InclusionProof changed(
            InclusionProof p, int index, Digest batchId, BlockHeader header, List<Digest> path) {
        return new InclusionProof(
                p.genesisDigest(), index, batchId, header, path, p.laterHeaders(), p.certificate(), p.signedBatch());
    }

    private static InclusionProof withBatch(InclusionProof p, byte[] batch) {
        return new InclusionProof(
                p.genesisDigest(),
                p.batchIndex(),
                p.batchId(),
                p.header(),
                p.merklePath(),
                p.laterHeaders(),
                p.certificate(),
                batch);
    }

    private static InclusionProof withoutContent(InclusionProof p) {
        return withBatch(p, new byte[0]);
    }

    private static InclusionProof withHeaders(InclusionProof p, List<BlockHeader> headers) {
        return new InclusionProof(
                p.genesisDigest(),
                p.batchIndex(),
                p.batchId(),
                p.header(),
                p.merklePath(),
                headers,
                p.certificate(),
                p.signedBatch());
    }

    private static InclusionProof withCertificate(InclusionProof p, CheckpointCertificate certificate) {
        return new InclusionProof(
                p.genesisDigest(),
                p.batchIndex(),
                p.batchId(),
                p.header(),
                p.merklePath(),
                p.laterHeaders(),
                certificate,
                p.signedBatch());
    }

    private static InclusionProof withSignatures(InclusionProof p, List<CertificateSignature> list) {
        CheckpointCertificate c = p.certificate();
        return withCertificate(
                p, new CheckpointCertificate(c.sequence(), c.chainHash(), c.resultDigest(), c.proposalDigest(), list));
    }

    private static List<CertificateSignature> relabelled(List<CertificateSignature> list, int index, int nodeId) {
        List<CertificateSignature> relabelled = new ArrayList<>(list);
        relabelled.set(index, new CertificateSignature(nodeId, list.get(index).signature()));
        return relabelled;
    }
}
