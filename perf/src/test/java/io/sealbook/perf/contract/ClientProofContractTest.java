package io.sealbook.perf.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.MerkleTree;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.ProofVerdict;
import io.sealbook.archive.proof.ProofVerifier;
import io.sealbook.client.BatchProof;
import io.sealbook.client.Receipt;
import io.sealbook.client.proof.ProofJudge;
import io.sealbook.client.proof.ProvenMembers;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The client judges proofs by itself; it must agree with the archive's own verifier about what the archive writes. */
class ClientProofContractTest {
    private static final int NODES = 7;
    private static final int QUORUM = 5;

    private final Random random = new Random(3);
    private final List<Signer> signers = IntStream.range(0, NODES)
            .mapToObj(i ->
                    Signers.generate(i % 2 == 0 ? SignatureScheme.SM2_SM3 : SignatureScheme.ECDSA_SECP256K1_SHA256))
            .toList();
    private final GenesisFile genesis = GenesisFile.parse(GenesisFile.toJson(Genesis.newBuilder()
                    .setChainId(77)
                    .addAllNodes(IntStream.range(0, NODES).mapToObj(this::node).toList())
                    .build())
            .getBytes(StandardCharsets.UTF_8));

    private Node node(int id) {
        Signer signer = signers.get(id);
        return Node.newBuilder()
                .setNodeId(id)
                .setIdentity(PublicKey.newBuilder()
                        .setSchemeValue(signer.scheme().code())
                        .setPoint(ByteString.copyFrom(signer.verificationKey().point())))
                .build();
    }

    @Test
    void shouldAgreeWithTheVerifierOfTheArchive() {
        Block block = block(1, genesis.digest(), 11);
        Block later = block(2, block.hash(), 1);
        Block last = block(3, later.hash(), 2);
        try (SignatureVerifier signatures = SignatureProviders.named("bc")) {
            ProofVerifier verifier = new ProofVerifier(genesis, signatures);
            for (int batch = 0; batch < block.batchCount(); batch++) {
                for (int signed : new int[] {QUORUM, QUORUM - 1}) {
                    InclusionProof proof = new InclusionProof(
                            genesis.digest(),
                            batch,
                            block.batchId(batch),
                            block.header(),
                            MerkleTree.path(block.batchIds(), batch),
                            List.of(later.header(), last.header()),
                            certificate(last, signed),
                            signedBatch(block, batch));

                    boolean isProven = verifier.verify(proof) instanceof ProofVerdict.Proven;
                    assertThat(isProven).isEqualTo(signed == QUORUM);
                    assertThat(judge(proof, block)).isEqualTo(isProven);
                }
            }
        }
    }

    private boolean judge(InclusionProof proof, Block block) {
        Receipt receipt = new Receipt(
                proof.batchId().bytes(),
                1,
                proof.batchIndex(),
                block.header().blockTimeNs(),
                block.hash().bytes(),
                3);
        try {
            BatchProof proven =
                    new ProofJudge(genesis).judge(proof.encode(), receipt, ProvenMembers.of(genesis.genesis()));
            assertThat(proven.certifiedSequence()).isEqualTo(3);
            assertThat(proven.signers()).hasSize(QUORUM);
            return true;
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("no quorum");
            return false;
        }
    }

    private Block block(long sequence, Digest previous, int batches) {
        BlockBuilder builder = new BlockBuilder().begin(sequence, 0, sequence * 1_000, Digest.ZERO, previous);
        for (int i = 0; i < batches; i++) {
            byte[] batch = new byte[SignedBatch.signedLength(1 + i)];
            random.nextBytes(batch);
            builder.add(BatchId.of(batch), i, batch, 0, batch.length);
        }
        return builder.buildBlock();
    }

    private static byte[] signedBatch(Block block, int index) {
        int offset = block.batchOffset(index);
        return Arrays.copyOfRange(block.array(), offset, offset + block.batchLength(index));
    }

    private CheckpointCertificate certificate(Block block, int by) {
        byte[] signed = CheckpointCertificate.signedBytes(
                77, block.header().sequence(), block.hash(), Digest.ZERO, Digest.ZERO);
        List<CertificateSignature> signatures = new ArrayList<>();
        for (int node = 0; node < by; node++) {
            signatures.add(new CertificateSignature(node, signers.get(node).sign(signed)));
        }
        return new CheckpointCertificate(block.header().sequence(), block.hash(), Digest.ZERO, Digest.ZERO, signatures);
    }
}
