package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Signature;
import io.sealbook.peer.PeerTransport;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member that signs two votes for one block: whoever holds both can prove it to anybody. */
@Timeout(300)
class MemberDoubleVoteTest {
    private static final int LIAR = 3;
    private static final Digest ONE = Digest.sha256(new byte[] {1});
    private static final Digest OTHER = Digest.sha256(new byte[] {2});

    @TempDir
    private Path scratch;

    private long chainId;
    private Signer signer;

    @Test
    void shouldKeepEvidenceAtEveryNodeOverARestartAndProveItOffline() throws Exception {
        try (TestCluster cluster = TestCluster.start();
                SignatureVerifier verifier = SignatureProviders.named("bc")) {
            TestBroker broker = cluster.broker(1);
            broker.submitTo(0, broker.batch(1));
            cluster.awaitCommitted(1);
            learn(cluster);
            cluster.kill(LIAR);
            try (PeerTransport liar = HostilePeerTest.hostile(cluster, verifier)) {
                cluster.await("it is connected", () -> liar.connected().size() == 3);
                // To node 0 alone: it passes them on.
                cluster.await("node 0 has evidence", () -> {
                    liar.send(0, prepare(ONE));
                    liar.send(0, prepare(OTHER));
                    return provenFaulty(cluster, 0).equals(List.of(LIAR));
                });
                cluster.await(
                        "all have evidence",
                        () -> Stream.of(1, 2)
                                .allMatch(node -> provenFaulty(cluster, node).equals(List.of(LIAR))));
            }
            for (int node = 0; node < 3; node++) {
                assertThat(verify(cluster, file(cluster, node)))
                        .as("evidence of node %d", node)
                        .isZero();
            }
            assertThat(inspectedFact(cluster)).contains("two, vote in view 0 for block 5 of epoch 0");

            cluster.kill(2);
            cluster.startNode(2);
            assertThat(provenFaulty(cluster, 2)).as("after a restart").containsExactly(LIAR);
            Path evidence = cluster.nodeDirectory(2).evidence();
            Path moved = Files.move(evidence, evidence.resolveSibling("moved"));
            assertThat(provenFaulty(cluster, 2))
                    .as("the directory cannot be read")
                    .containsExactly(LIAR);
            Files.move(moved, evidence);
            broker.submitTo(1, broker.batch(1));
            cluster.awaitCommitted(2);
        }
    }

    @Test
    void shouldFindThatForgedEvidenceProvesNothing() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            learn(cluster);
            assertThat(verify(cluster, written(evidence(prepare(ONE), prepare(OTHER)))))
                    .isZero();

            Prepare forged = new Prepare(0, 5, OTHER, LIAR, prepare(ONE).signature());
            assertThat(verify(cluster, written(evidence(prepare(ONE), forged))))
                    .as("a signature over something else")
                    .isEqualTo(1);
            chainId++;
            assertThat(verify(cluster, written(evidence(prepare(ONE), prepare(OTHER)))))
                    .as("votes of another chain")
                    .isEqualTo(1);
        }
    }

    private void learn(TestCluster cluster) throws IOException {
        chainId = cluster.genesis().genesis().getChainId();
        signer = KeyFile.readSigner(cluster.nodeDirectory(LIAR).keyFile());
    }

    private static List<Integer> provenFaulty(TestCluster cluster, int node) {
        return cluster.node(node).status().getProvenFaultyMembersList();
    }

    private Prepare prepare(Digest digest) {
        byte[] bytes = Prepare.signedBytes(Epoch.first(chainId), 0, 5, digest, LIAR);
        return new Prepare(0, 5, digest, LIAR, Signature.of(signer.sign(bytes)));
    }

    private MemberEvidence evidence(Prepare one, Prepare other) {
        Epoch epoch = Epoch.first(chainId);
        DoubleVote vote = DoubleVote.of(
                        LIAR,
                        epoch,
                        one.signedBytes(epoch),
                        one.signature(),
                        other.signedBytes(epoch),
                        other.signature())
                .orElseThrow();
        return new MemberEvidence(0, vote);
    }

    private Path written(MemberEvidence evidence) throws IOException {
        Path directory = Files.createTempDirectory(scratch, "evidence");
        try (EvidenceStore store = EvidenceStore.open(FileStorage.open(directory))) {
            store.add(evidence);
        }
        return directory.resolve(EvidenceStore.MEMBER_PREFIX + LIAR + "-0");
    }

    private static Path file(TestCluster cluster, int node) {
        return cluster.nodeDirectory(node).evidence().resolve(EvidenceStore.MEMBER_PREFIX + LIAR + "-0");
    }

    private String inspectedFact(TestCluster cluster) throws Exception {
        cluster.kill(0);
        StringWriter out = new StringWriter();
        NodeTool.commandLine()
                .setOut(new PrintWriter(out))
                .execute("inspect", cluster.nodeDirectory(0).root().toString());
        cluster.startNode(0);
        cluster.awaitConnected();
        return out.toString();
    }

    /** Returns the exit code of the command that an operator or a court runs. */
    private int verify(TestCluster cluster, Path file) throws IOException {
        Path copy = scratch.resolve("copy");
        Files.write(copy, Files.readAllBytes(file));
        StringWriter out = new StringWriter();
        return NodeTool.commandLine()
                .setOut(new PrintWriter(out))
                .execute(
                        "evidence",
                        copy.toString(),
                        "--genesis",
                        cluster.nodeDirectory(0).genesisFile().toString());
    }
}
