package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sealbook.client.ChannelFactory;
import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.cluster.ProvenChanges;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.client.membership.ProofFile;
import io.sealbook.client.proof.MembershipJudge;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.Node;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client starts long after its genesis file was written: it finds the nodes by a proof, and believes none of them.
 */
class ProvenStartTest extends ClusterTest {
    @TempDir
    Path directory;

    private static boolean isConnectedToAll(BrokerClient client) {
        return client.connectionReport().endpoints().stream().allMatch(ConnectionReport.Endpoint::isConnected);
    }

    private Path file(byte[] proof) throws Exception {
        return Files.write(directory.resolve("members.proof"), proof);
    }

    /** Replaces all nodes but the last, so that f + 1 nodes of the genesis file are nowhere. */
    private void replaceThree() {
        cluster.replace(0);
        cluster.replace(1);
        cluster.replace(2);
    }

    @Test
    void shouldFetchTheProofFromTheOnlyNodeThatIsLeft() throws Exception {
        replaceThree();

        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(11)));
            Facts.await("all connected", () -> isConnectedToAll(client));
            assertThat(client.terms().getNodesList()).isEqualTo(cluster.nodes());
        }
    }

    @Test
    void shouldBeginWithAFileWhereNoNodeIsLeft() throws Exception {
        replaceThree();
        cluster.replace(3);
        Path proof = file(cluster.membershipProof());

        try (BrokerClient client = cluster.client().membershipProof(proof).connect()) {
            await(client.submit(order(11)));
            assertThat(client.terms().getNodesList()).isEqualTo(cluster.nodes());
        }
        for (int node = 0; node < TestCluster.NODE_COUNT; node++) {
            assertThat(cluster.membershipProofsAsked(node)).as("all was proven").isZero();
        }
    }

    @Test
    void shouldGoOnFromAnOldFile() throws Exception {
        cluster.replace(0);
        cluster.replace(1);
        Path proof = file(cluster.membershipProof());
        cluster.replace(2);
        cluster.replace(3);
        cluster.replace(1);

        try (BrokerClient client = cluster.client().membershipProof(proof).connect()) {
            await(client.submit(order(11)));
            assertThat(client.terms().getNodesList()).isEqualTo(cluster.nodes());
        }
    }

    @Test
    void shouldKeepTheProofThatItFetchedForItsNextStart() throws Exception {
        replaceThree();
        Path file = directory.resolve("kept.proof");
        try (BrokerClient client = cluster.client().keepMembershipProof(file).connect()) {
            await(client.submit(order(11)));
            Facts.await("the proof is kept", () -> proves(file, 3));
        }

        cluster.replace(3);

        try (BrokerClient client = cluster.client().keepMembershipProof(file).connect()) {
            await(client.submit(order(12)));
            Facts.await("the newer proof is kept", () -> proves(file, 4));
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).as("nothing unfinished is left").containsExactly(file);
        }
    }

    /** Nothing needs a proof while it runs, but all nodes that its genesis file names may be gone at its next start. */
    @Test
    void shouldKeepTheProofOfChangesThatItFollowed() throws Exception {
        Path file = directory.resolve("kept.proof");
        try (BrokerClient client = cluster.client().keepMembershipProof(file).connect()) {
            await(client.submit(order(11)));
            assertThat(file).doesNotExist();
            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                cluster.replace(id);
                int transactions = id + 1;
                Facts.await("the proof of " + transactions + " is kept", () -> proves(file, transactions));
            }
        }

        try (BrokerClient client = cluster.client().keepMembershipProof(file).connect()) {
            await(client.submit(order(12)));
        }
    }

    /** Another client, or an operator, may have kept more than this one knows. */
    @Test
    void shouldKeepTheProofThatLeadsFurther() throws Exception {
        Path file = directory.resolve("kept.proof");
        ProofFile kept = new ProofFile(file, new MembershipJudge(cluster.genesis()));
        List<byte[]> proofs = new ArrayList<>();
        for (int id = 0; id < 3; id++) {
            cluster.replace(id);
            proofs.add(cluster.membershipProof());
        }

        kept.keep(2, proofs.get(1));
        Facts.await("the first proof", () -> proves(file, 2));
        kept.keep(1, proofs.get(0));
        new ProofFile(file, new MembershipJudge(cluster.genesis())).keep(3, proofs.get(2));
        Facts.await("the last proof", () -> proves(file, 3));
        Files.write(file, new byte[100]);
        kept.keep(1, proofs.get(0));
        Facts.await("a proof in place of what is none", () -> Files.size(file) != 100);
        assertThat(proves(file, 1)).isTrue();

        Path older = Files.write(directory.resolve("older.proof"), proofs.get(0));
        Files.write(file, proofs.get(2));
        cluster.replace(3);
        try (BrokerClient client = cluster.client()
                .membershipProof(older)
                .keepMembershipProof(file)
                .connect()) {
            await(client.submit(order(11)));
            Facts.await("the proof of the last change", () -> proves(file, 4));
        }
    }

    @Test
    void shouldGoOnWhereTheProofCannotBeKept() throws Exception {
        replaceThree();
        Path file = Files.createFile(directory.resolve("file")).resolve("kept.proof");

        try (BrokerClient client = cluster.client().keepMembershipProof(file).connect()) {
            await(client.submit(order(11)));
        }
    }

    private boolean proves(Path file, long transactions) throws Exception {
        return Files.exists(file)
                && new MembershipJudge(cluster.genesis())
                                .judge(Files.readAllBytes(file))
                                .number()
                        == transactions;
    }

    /** The former machines of three nodes go on to report the genesis file, alike. */
    @Test
    void shouldNotStayWithFormerNodes() throws Exception {
        try (TestCluster former = new TestCluster()) {
            for (int node = 0; node < 3; node++) {
                former.claimChange(node, 0, terms -> cluster.genesis().genesis().toBuilder());
            }
            replaceThree();

            try (BrokerClient client =
                    cluster.client().channels(toFormer(former)).connect()) {
                Facts.await(
                        "the proven nodes", () -> client.terms().getNodesList().equals(cluster.nodes()));
                await(client.submit(order(11)));
            }
            assertThat(cluster.executed()).containsExactly(11L);
            assertThat(former.executed()).isEmpty();
        }
    }

    /** Returns a network in which nodes 0 to 2 of another cluster are where those of the genesis file were. */
    private ChannelFactory toFormer(TestCluster former) {
        Map<Integer, Integer> ports = new HashMap<>();
        for (int id = 0; id < 3; id++) {
            Node at = cluster.genesis().genesis().getNodes(id);
            Node now = former.genesis().genesis().getNodes(id);
            ports.put(at.getGatewayPort(), now.getGatewayPort());
            ports.put(at.getEnginePort(), now.getEnginePort());
        }
        ChannelFactory plain = ChannelFactory.plaintext();
        return (nodeId, role, host, port) -> plain.open(nodeId, role, host, ports.getOrDefault(port, port));
    }

    @Test
    void shouldRefuseAForgedProofOfANode() throws Exception {
        replaceThree();
        cluster.claimMembershipProof(3, forged());

        assertThat(connectFailure("refused"))
                .hasMessageContaining("membership proof of node 3 refused: block 1: valid signatures of nodes []");
        cluster.claimMembershipProof(3, null);
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(11)));
        }
    }

    @Test
    void shouldTakeTheProofOfAnotherNodeAfterAForgedOne() throws Exception {
        cluster.replace(0);
        cluster.replace(1);
        cluster.claimMembershipProof(2, forged());

        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(11)));
            Facts.await("all connected", () -> isConnectedToAll(client));
        }
    }

    @Test
    void shouldRefuseAFileThatDoesNotHold() throws Exception {
        replaceThree();

        assertRefused(bytes -> forged(), "block 1: valid signatures of nodes [], expected of 3 nodes of epoch 0");
        assertRefused(bytes -> Arrays.copyOf(bytes, bytes.length - 5), "bytes");
        assertRefused(bytes -> Arrays.copyOf(bytes, 40), "the proof ends after 40 bytes");
        assertRefused(bytes -> new byte[0], "bytes");
        assertRefused(bytes -> Arrays.copyOf(bytes, bytes.length + 1), "1 bytes after the proof");
        assertRefused(bytes -> "a text of no meaning".getBytes(StandardCharsets.UTF_8), "no membership proof");
        try (TestCluster other = new TestCluster()) {
            other.replace(0);
            assertRefused(bytes -> other.membershipProof(), "the proof is of another chain");
        }
    }

    @Test
    void shouldSayThatAFileIsMissing() {
        assertThatThrownBy(() -> cluster.client()
                        .membershipProof(directory.resolve("none.proof"))
                        .connect())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none.proof")
                .hasCauseInstanceOf(NoSuchFileException.class);
    }

    /** Fails to connect with more and more patience, until the message has a word. */
    private ConnectFailedException connectFailure(String word) {
        for (Duration patience = Duration.ofMillis(500); ; patience = patience.multipliedBy(2)) {
            BrokerClientBuilder patient = cluster.client().connectTimeout(patience);
            ConnectFailedException failure = catchThrowableOfType(ConnectFailedException.class, patient::connect);
            assertThat(failure).isNotNull();
            if (failure.getMessage().contains(word) || patience.toSeconds() > AWAIT_LIMIT_S) {
                return failure;
            }
        }
    }

    private byte[] forged() {
        List<Signer> strangers = new ArrayList<>();
        for (int i = 0; i < TestCluster.NODE_COUNT; i++) {
            strangers.add(Signers.generate(SignatureScheme.SM2_SM3));
        }
        ProvenChanges changes = cluster.changes(strangers);
        for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
            Signer identity = Signers.generate(SignatureScheme.SM2_SM3);
            Node node = cluster.genesis().genesis().getNodes(id).toBuilder()
                    .setIdentity(TestCluster.key(identity))
                    .build();
            changes.replace(node, identity);
        }
        return changes.proof();
    }

    private void assertRefused(UnaryOperator<byte[]> change, String fact) throws Exception {
        Path file = file(change.apply(cluster.membershipProof()));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster.client().membershipProof(file).connect())
                .withMessageContaining("membership proof " + file)
                .withMessageContaining(fact);
    }
}
