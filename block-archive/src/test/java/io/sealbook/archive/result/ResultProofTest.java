package io.sealbook.archive.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.archive.result.ResultVerdict.ResultFault;
import io.sealbook.archive.result.ResultVerdict.ResultProven;
import io.sealbook.archive.result.ResultVerdict.ResultRefused;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultPath;
import io.sealbook.vocabulary.result.ResultRoot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Proofs of results of blocks 5 and 6 under a certificate of block 8; block 7 has no results. */
class ResultProofTest {
    private static final CertifiedChain CHAIN = new CertifiedChain(1);
    private static final Digest BEFORE = Digest.sha256(new byte[] {9});
    private static final List<Leaf> FIFTH = List.of(leaf(1, 20, 256), leaf(1, 276, 2), leaf(2, 9, 3));
    private static final List<Leaf> SIXTH = List.of(leaf(1, 278, 2));
    private static final List<Leaf> EIGHTH = List.of(leaf(2, 12, 1));

    private static SignatureVerifier signatures;
    private static ResultProofVerifier verifier;
    private static CheckpointCertificate certificate;

    private record Leaf(int brokerId, long firstSequence, List<ResultCell> results) {
        byte[] cells() {
            byte[] bytes = new byte[results.size() * ResultCell.LENGTH];
            for (int i = 0; i < results.size(); i++) {
                results.get(i).write(bytes, i * ResultCell.LENGTH);
            }
            return bytes;
        }

        Digest hash() {
            return Digest.of(ResultLeaf.hash(brokerId, firstSequence, cells()));
        }
    }

    @BeforeAll
    static void open() {
        signatures = SignatureProviders.named("bc");
        verifier = new ResultProofVerifier(CHAIN.genesisFile(), signatures);
        byte[] digest = BEFORE.bytes();
        long sequence = 5;
        for (List<Leaf> block : List.of(FIFTH, SIXTH, List.<Leaf>of(), EIGHTH)) {
            new ResultLink().apply(digest, sequence++, root(block));
        }
        certificate = CHAIN.certificate(8, Digest.of(digest), 0, 1, 3);
    }

    @AfterAll
    static void close() {
        signatures.close();
    }

    @Test
    void shouldProveEveryResult() {
        for (int leaf = 0; leaf < FIFTH.size(); leaf++) {
            for (int i = 0; i < FIFTH.get(leaf).results().size(); i += 1 + i / 8) {
                ResultCell expected = FIFTH.get(leaf).results().get(i);
                ResultProof proof = ResultProof.decode(fifth(leaf, i).encode());

                assertThat(verifier.verify(proof)).isInstanceOfSatisfying(ResultProven.class, proven -> {
                    assertThat(proven.result()).isEqualTo(expected);
                    assertThat(proven.certifiedSequence()).isEqualTo(8);
                    assertThat(proven.signers()).containsExactly(0, 1, 3);
                    assertThat(proven.quorum()).isEqualTo(3);
                });
            }
        }
    }

    @Test
    void shouldRefuseEveryChangedByteOfTheFileEvenWithTheRightChecksum() {
        byte[] bytes = fifth(2, 2).encode();
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            assertThatIllegalArgumentException().as("byte %d", i).isThrownBy(() -> ResultProof.decode(changed));
            // The certificate has as many signatures as are necessary, so that none may be wrong.
            withChecksum(changed);
            assertThat(isProven(changed)).as("byte %d", i).isEqualTo(i >= bytes.length - Integer.BYTES);
        }
    }

    @Test
    void shouldRefuseTheResultsOfAnotherBlockBrokerOrSequence() {
        ResultProof proof = fifth(0, 0);
        ResultPlace place = proof.place();
        assertRefused(with(proof, 6, place, proof.cells()), ResultFault.RESULT_DIGEST);
        assertRefused(with(proof, 5, new ResultPlace(2, 20, 0, 0, 3), proof.cells()), ResultFault.RESULT_DIGEST);
        assertRefused(with(proof, 5, new ResultPlace(1, 21, 0, 0, 3), proof.cells()), ResultFault.RESULT_DIGEST);
        assertRefused(with(proof, 5, place, leaf(3, 20, 256).cells()), ResultFault.RESULT_DIGEST);
        assertRefused(with(proof, 5, new ResultPlace(1, 20, 256, 0, 3), proof.cells()), ResultFault.RESULTS);
        assertRefused(with(proof, 5, new ResultPlace(1, 20, -1, 0, 3), proof.cells()), ResultFault.RESULTS);
    }

    @Test
    void shouldRefuseAMissingBlockAndAPathOfAnotherLength() {
        ResultProof proof = fifth(0, 0);
        assertRefused(with(proof, proof.merklePath(), proof.laterRoots().subList(1, 3)), ResultFault.RESULT_DIGEST);
        assertRefused(with(proof, proof.merklePath().subList(0, 1), proof.laterRoots()), ResultFault.MERKLE_PATH);
    }

    @Test
    void shouldRefuseAnotherGenesisFileAndTooFewSignatures() {
        assertThat(new ResultProofVerifier(new CertifiedChain(2).genesisFile(), signatures).verify(fifth(0, 0)))
                .isInstanceOfSatisfying(
                        ResultRefused.class,
                        refused -> assertThat(refused.fault()).isEqualTo(ResultFault.GENESIS));
        ResultProof proof = fifth(0, 0);
        assertRefused(
                new ResultProof(
                        proof.genesisDigest(),
                        5,
                        proof.place(),
                        proof.cells(),
                        proof.merklePath(),
                        proof.digestBefore(),
                        proof.laterRoots(),
                        new CheckpointCertificate(
                                8,
                                certificate.chainHash(),
                                certificate.resultDigest(),
                                certificate.proposalDigest(),
                                certificate.signatures().subList(0, 2))),
                ResultFault.SIGNATURES);
    }

    @Test
    void shouldRefuseBytesThatAreNoCells() {
        ResultProof proof = fifth(0, 0);
        for (byte[] cells : List.of(new byte[0], new byte[31], new byte[33], new byte[32])) {
            assertRefused(with(proof, 5, proof.place(), cells), ResultFault.RESULTS);
        }
    }

    private static ResultProof fifth(int leaf, int index) {
        Leaf proven = FIFTH.get(leaf);
        List<Digest> hashes = FIFTH.stream().map(Leaf::hash).toList();
        return new ResultProof(
                CHAIN.genesisFile().digest(),
                5,
                new ResultPlace(proven.brokerId(), proven.firstSequence(), index, leaf, FIFTH.size()),
                proven.cells(),
                ResultPath.of(hashes, leaf),
                BEFORE,
                List.of(root(SIXTH), root(List.of()), root(EIGHTH)),
                certificate);
    }

    private static ResultProof with(ResultProof proof, List<Digest> path, List<ResultRoot> later) {
        return new ResultProof(
                proof.genesisDigest(), 5, proof.place(), proof.cells(), path, BEFORE, later, certificate);
    }

    private static ResultProof with(ResultProof proof, long sequence, ResultPlace place, byte[] cells) {
        return new ResultProof(
                proof.genesisDigest(),
                sequence,
                place,
                cells,
                proof.merklePath(),
                BEFORE,
                proof.laterRoots(),
                certificate);
    }

    private static void assertRefused(ResultProof proof, ResultFault fault) {
        assertThat(verifier.verify(proof))
                .isInstanceOfSatisfying(
                        ResultRefused.class,
                        refused -> assertThat(refused.fault()).isEqualTo(fault));
    }

    private static boolean isProven(byte[] file) {
        try {
            return verifier.verify(ResultProof.decode(file)) instanceof ResultProven;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void withChecksum(byte[] file) {
        CRC32C crc = new CRC32C();
        crc.update(file, 0, file.length - Integer.BYTES);
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(file.length - Integer.BYTES, (int) crc.getValue());
    }

    /** The definition, for few leaves. */
    private static ResultRoot root(List<Leaf> leaves) {
        List<Digest> hashes = new ArrayList<>(leaves.stream().map(Leaf::hash).toList());
        if (hashes.isEmpty()) {
            return new ResultRoot(0, Digest.sha256());
        }
        Digest root = ResultPath.root(hashes.get(0), 0, hashes.size(), ResultPath.of(hashes, 0))
                .orElseThrow();
        return new ResultRoot(hashes.size(), root);
    }

    private static Leaf leaf(int brokerId, long firstSequence, int count) {
        List<ResultCell> results = new ArrayList<>();
        ResultEvent[] events = ResultEvent.values();
        for (int i = 0; i < count; i++) {
            results.add(new ResultCell(brokerId, i, events[i % events.length], i % 3, firstSequence + i, 7, 100 + i));
        }
        return new Leaf(brokerId, firstSequence, results);
    }
}
