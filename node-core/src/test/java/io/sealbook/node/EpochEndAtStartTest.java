package io.sealbook.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.SetParameters;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that starts after the last block of an epoch, whose certificate its log has and its archive has not. */
class EpochEndAtStartTest {
    private static final int NODE = 1;
    private static final int CERTIFICATE_LOG_HEAD_LENGTH = 48;
    private static final Signature ANY = Signature.of(new byte[65]);

    @TempDir
    private Path directory;

    private final TestMembers members = new TestMembers();
    private final GenesisFile genesis =
            GenesisFile.parse(GenesisFile.toJson(members.genesis()).getBytes(StandardCharsets.UTF_8));
    private final List<Object> said = new ArrayList<>();
    private NodeFiles files;

    @AfterEach
    void close() {
        files.archive().close();
        files.replicaLog().close();
        files.voteMark().close();
        files.payloadLog().close();
        files.sessionHeads().close();
        files.evidence().close();
    }

    /** If all nodes died so, no node would have another proof that the epoch has ended, nor vote for one. */
    @Test
    void shouldBeginTheNextEpochByTheCertificateOfItsLog() {
        files = open();
        Block end = appendEndOfEpoch();
        files.replicaLog().append(new ReplicaRecord.Stable(certificate(end)));

        NodeCore core = start();

        assertThat(core.membership().epoch().number()).isEqualTo(1);
        assertThat(core.replica().epoch().number()).isEqualTo(1);
        assertThat(files.replicaLog().epoch()).isEqualTo(1);
        assertThat(files.archive().latestCertificate())
                .map(CheckpointCertificate::sequence)
                .contains(1L);
    }

    @Test
    void shouldStayInTheEpochWithoutACertificate() {
        files = open();
        appendEndOfEpoch();
        files.replicaLog().append(new ReplicaRecord.Stable(StableCertificate.GENESIS));

        NodeCore core = start();

        assertThat(core.membership().epoch().number()).isZero();
        assertThat(core.membership().epochEnd()).isEqualTo(1);
        assertThat(files.archive().latestCertificate()).isEmpty();
    }

    /** A vote of this node may be lost: then no other node has the certificate, and this one may not be in the next. */
    @Test
    void shouldShowAllTheCertificateBeforeItEndsTheEpoch() {
        files = open();
        StableCertificate certificate = certificate(appendEndOfEpoch());
        files.replicaLog().append(new ReplicaRecord.Stable(StableCertificate.GENESIS));
        NodeCore core = start();

        core.committer().carryOut(new CommitTask.StoreCertificate(certificate), 0);

        assertThat(said).containsExactly(new CheckpointProof(certificate, NODE), certificate);
    }

    /** All nodes show it to all: each answer to it would be answered by all others. */
    @Test
    void shouldShowTheCertificateOnceHoweverOftenItComes() {
        files = open();
        StableCertificate certificate = certificate(appendEndOfEpoch());
        files.replicaLog().append(new ReplicaRecord.Stable(StableCertificate.GENESIS));
        NodeCore core = start();

        for (int i = 0; i < 3; i++) {
            core.committer().carryOut(new CommitTask.StoreCertificate(certificate), 0);
        }

        assertThat(said).containsOnlyOnce(new CheckpointProof(certificate, NODE));
    }

    /** A certificate comes before its block if others vote faster than this node writes. */
    @Test
    void shouldNotKeepTheCertificateOfABlockThatIsNotHere() {
        files = open();
        Block end = endOfEpoch();
        files.replicaLog().append(new ReplicaRecord.Stable(certificate(end)));

        NodeCore core = start();

        assertThat(core.membership().epoch().number()).isZero();
        assertThat(files.archive().latestCertificate()).isEmpty();
    }

    /** It is in a gap of the archive's certificates: later ones are whole. */
    @Test
    void shouldBeginTheEpochWhoseCertificateTheDiskHasDamaged() throws IOException {
        damageTheCertificateThatBeganTheEpoch();

        NodeCore core = start();

        assertThat(core.membership().epoch().number()).isEqualTo(1);
        assertThat(core.replica().epoch().number()).isEqualTo(1);
        assertThat(files.archive().health().certificateGaps())
                .as("peers fill it")
                .hasSize(1);
    }

    @Test
    void shouldFindThePeersOfARepairByTheCertificateOfItsLog() throws IOException {
        damageTheCertificateThatBeganTheEpoch();

        StartRepairCore repair = new StartRepairCore(setup(), files, new Sink(), new NoEvents());

        assertThat(repair.epoch().number()).isEqualTo(1);
    }

    private void damageTheCertificateThatBeganTheEpoch() throws IOException {
        files = open();
        Block end = appendEndOfEpoch();
        files.archive().putCertificate(Committer.archived(certificate(end)));
        files.replicaLog().append(new ReplicaRecord.EpochBegan(1, certificate(end)));
        Block next = TestMembers.block(2, end.hash(), 1, members.orderBatch(1, members.node(0), 1));
        files.archive().append(next);
        files.archive().putCertificate(Committer.archived(certificate(next)));
        close();
        Path log = directory.resolve("archive/certificates.log");
        byte[] bytes = Files.readAllBytes(log);
        bytes[CERTIFICATE_LOG_HEAD_LENGTH + 20] ^= 1;
        Files.write(log, bytes);
        files = open();
    }

    private Block appendEndOfEpoch() {
        Block end = endOfEpoch();
        files.archive().append(end);
        return end;
    }

    private Block endOfEpoch() {
        Change change = Change.newBuilder()
                .setSetParameters(SetParameters.newBuilder().setBlockMaxWaitMs(30))
                .build();
        byte[] batch = members.batch(BatchPosition.first(2), members.transaction(1, change, 0, 1, 3));
        return TestMembers.block(1, genesis.digest(), 0, batch);
    }

    private static StableCertificate certificate(Block block) {
        List<ReplicaSignature> signatures = IntStream.range(0, 3)
                .mapToObj(replica -> new ReplicaSignature(replica, ANY))
                .toList();
        return new StableCertificate(
                block.header().sequence(),
                block.hash(),
                Digest.ZERO,
                block.header().proposalDigest(),
                signatures);
    }

    private NodeFiles open() {
        ArchiveConfig config = new ArchiveConfig(genesis.digest(), 16, Durability.PROCESS);
        return new NodeFiles(
                BlockArchive.open(directory.resolve("archive"), config),
                ReplicaLog.open(storage("replica-log"), Durability.PROCESS, 16 << 10),
                VoteMark.open(storage("replica-mark"), Durability.PROCESS),
                NeverVotedMark.of(
                        directory.resolve("node.key"), members.node(NODE).verificationKey()),
                PayloadLog.open(storage("payload-log"), Durability.PROCESS, 16 << 10),
                SessionHeads.open(storage("session-heads")),
                EvidenceStore.open(storage("evidence")));
    }

    private FileStorage storage(String name) {
        return FileStorage.open(directory.resolve(name));
    }

    private NodeSetup setup() {
        return new NodeSetup(
                NODE,
                genesis,
                Durability.PROCESS,
                ProposesAfter.DELIVERY,
                PayloadRoute.DIRECT,
                HeaderDecoding.Policy.ONCE,
                1 << 20,
                1,
                false,
                signed -> new byte[65],
                silent(SignatureVerifier.class));
    }

    private NodeCore start() {
        NodePorts ports = new NodePorts(
                peers(),
                new Sink(),
                task -> true,
                input -> true,
                said::add,
                work -> {},
                new NodeState(genesis.digest()),
                new NoEvents());
        return NodeCore.open(setup(), files, ports);
    }

    /** Returns peers that keep what is said to all. */
    private Peers peers() {
        return proxy(Peers.class, (proxy, method, arguments) -> {
            if (method.getName().equals("broadcast")) {
                said.add(arguments[0]);
            }
            return nothing(method);
        });
    }

    /** Returns one that does nothing, and knows of nothing. */
    private static <T> T silent(Class<T> type) {
        return proxy(type, (proxy, method, arguments) -> nothing(method));
    }

    private static Object nothing(Method method) {
        return method.getReturnType() == Set.class ? Set.of() : null;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static final class Sink implements BlockSink {
        private BlockLocation last;

        @Override
        public void append(BlockLocation block) {
            last = block;
        }

        @Override
        public Optional<BlockLocation> last() {
            return Optional.ofNullable(last);
        }

        @Override
        public long lastSequence() {
            return last == null ? 0 : last.sequence();
        }
    }
}
