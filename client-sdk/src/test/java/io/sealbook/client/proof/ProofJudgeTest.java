package io.sealbook.client.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import io.sealbook.client.BatchProof;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.ProofBytes;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Four nodes, of which three sign. */
class ProofJudgeTest {
    private static final long CHAIN_ID = -5;
    private static final List<Integer> THREE = List.of(0, 1, 3);

    private final List<Signer> signers = nodeSigners();
    private final List<Node> nodes = nodes(signers);
    private final GenesisFile genesis = GenesisFile.parse(GenesisFile.toJson(
                    Genesis.newBuilder().setChainId(CHAIN_ID).addAllNodes(nodes).build())
            .getBytes(StandardCharsets.UTF_8));
    private final ProvenMembers members = ProvenMembers.of(genesis.genesis());
    private final ProofBytes proof = new ProofBytes(genesis.digest(), CHAIN_ID);
    private final ProofJudge judge = new ProofJudge(genesis);

    private static List<Signer> nodeSigners() {
        List<Signer> signers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            signers.add(
                    Signers.generate(i % 2 == 0 ? SignatureScheme.SM2_SM3 : SignatureScheme.ECDSA_SECP256K1_SHA256));
        }
        return signers;
    }

    private static List<Node> nodes(List<Signer> signers) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < signers.size(); i++) {
            nodes.add(Node.newBuilder()
                    .setNodeId(i)
                    .setIdentity(TestCluster.key(signers.get(i)))
                    .build());
        }
        return nodes;
    }

    private byte[] file(List<Integer> by, List<Signer> keys) {
        return proof.file(by, by.stream().map(keys::get).toList());
    }

    @Test
    void shouldBelieveWhatAQuorumSigned() {
        BatchProof proven = judge.judge(file(THREE, signers), proof.receipt(), members);

        assertThat(proven.blockSequence()).isEqualTo(7);
        assertThat(proven.batchIndex()).isEqualTo(1);
        assertThat(proven.certifiedSequence()).isEqualTo(8);
        assertThat(proven.signers()).containsExactly(0, 1, 3);
    }

    /** The broker's signature of the batch and the checksum are of no hash, the last byte of a node's is not used. */
    @Test
    void shouldRefuseEveryChangedByteThatItVouchesFor() {
        byte[] file = file(THREE, signers);
        int signatureOfBatch = file.length - 4 - 65;
        int certificateEnd = signatureOfBatch - (88 + 48) - 4;
        List<Integer> accepted = new ArrayList<>();
        for (int at = 0; at < file.length; at++) {
            byte[] changed = file.clone();
            changed[at] ^= 1;
            try {
                judge.judge(changed, proof.receipt(), members);
                accepted.add(at);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }

        assertThat(accepted)
                .allMatch(at -> at >= signatureOfBatch || at < certificateEnd && (certificateEnd - 1 - at) % 69 == 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> judge.judge(Arrays.copyOf(file, file.length - 1), proof.receipt(), members));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> judge.judge(Arrays.copyOf(file, file.length + 1), proof.receipt(), members));
    }

    @Test
    void shouldRefuseFewerThanAQuorum() {
        for (List<Integer> few : List.of(List.of(0, 1), List.of(2, 2, 2), List.of(0, 1, 9), List.<Integer>of())) {
            byte[] file =
                    proof.file(few, few.stream().map(id -> signers.get(id % 4)).toList());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> judge.judge(file, proof.receipt(), members))
                    .withMessageContaining("no quorum");
        }
    }

    /** Each signature costs a verification: a node must not make the client verify thousands. */
    @Test
    void shouldRefuseManySignatures() {
        List<Integer> many = Collections.nCopies(65, 0);
        byte[] file = proof.file(many, Collections.nCopies(65, signers.get(0)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> judge.judge(file, proof.receipt(), members))
                .withMessage("65 signatures under the certificate");
    }

    /** The certificate is of block 8; the block that ends an epoch is certified by the nodes of that epoch. */
    @Test
    void shouldCountTheNodesOfTheEpochAlone() {
        List<Signer> second = nodeSigners();
        List<Signer> third = nodeSigners();

        assertThat(judge.judge(file(THREE, signers), proof.receipt(), epochs(8, second, 9, third))
                        .signers())
                .hasSize(3);
        assertThat(judge.judge(file(THREE, second), proof.receipt(), epochs(7, second, 8, third))
                        .signers())
                .hasSize(3);
        assertThat(judge.judge(file(THREE, third), proof.receipt(), epochs(6, second, 7, third))
                        .signers())
                .hasSize(3);
        ProvenMembers members = epochs(7, second, 8, third);
        List<Signer> mixed = List.of(signers.get(0), second.get(1), second.get(2), third.get(3));
        for (List<Signer> wrong : List.of(signers, third, nodeSigners(), mixed)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> judge.judge(file(List.of(0, 1, 2, 3), wrong), proof.receipt(), members))
                    .withMessageContaining("no quorum of the 4 nodes of its epoch");
        }
    }

    private ProvenMembers epochs(long firstEnd, List<Signer> second, long secondEnd, List<Signer> third) {
        HeaderBytes tip = ProofReader.read(file(THREE, signers)).header();
        return ProvenMembers.of(
                genesis.genesis(),
                2,
                new TreeMap<>(Map.of(0L, nodes, firstEnd, nodes(second), secondEnd, nodes(third))),
                List.of(),
                tip);
    }

    @Test
    void shouldRefuseTheProofOfAnotherBatchPlaceOrBlock() {
        byte[] file = file(THREE, signers);
        Receipt true1 = proof.receipt();
        for (Receipt other : List.of(
                new Receipt(new byte[32], 7, 1, 1, true1.blockHash(), 2),
                new Receipt(true1.batchId(), 8, 1, 1, true1.blockHash(), 2),
                new Receipt(true1.batchId(), 7, 0, 1, true1.blockHash(), 2),
                new Receipt(true1.batchId(), 7, 1, 1, new byte[32], 2))) {
            assertThatIllegalArgumentException().isThrownBy(() -> judge.judge(file, other, members));
        }
        GenesisFile another = GenesisFile.parse(
                GenesisFile.toJson(genesis.genesis().toBuilder().setChainId(6).build())
                        .getBytes(StandardCharsets.UTF_8));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ProofJudge(another).judge(file, true1, members))
                .withMessage("the proof is of another chain");
    }

    @Test
    void shouldReadNoBytesThatAreNoProof() {
        for (byte[] bytes : List.of(
                new byte[0],
                new byte[7],
                new byte[4_000],
                ByteString.copyFromUtf8("SBPROOF1").toByteArray())) {
            assertThatIllegalArgumentException().isThrownBy(() -> ProofReader.read(bytes));
        }
    }
}
