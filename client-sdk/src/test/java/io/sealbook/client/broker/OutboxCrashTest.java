package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.FileCheckpointer;
import io.sealbook.client.OutboxException;
import io.sealbook.client.Receipt;
import io.sealbook.client.ResentBatch;
import io.sealbook.client.SubmitRejectedException;
import io.sealbook.client.cluster.Submission;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.facts.Facts;
import io.sealbook.process.OtherProcess;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SessionState;
import io.sealbook.vocabulary.Digest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in an outbox is executed once, however the program ends. */
class OutboxCrashTest extends ClusterTest {
    private static final int KILLS = 6;
    private static final int LAST = 400;
    /** More batches than nodes recognize of a session. */
    private static final int MANY = 2_100;
    /** Where a node is that is late. */
    private static final int LATE = 500;

    @TempDir
    private Path directory;

    @Test
    void shouldSendTheSameBytesAgain() throws Exception {
        cluster.committing(false);
        BrokerClient first = cluster.client()
                .outbox(directory)
                .closeTimeout(Duration.ofMillis(1))
                .connect();
        CompletableFuture<Receipt> lost = first.submit(List.of(order(1), order(2)));
        CompletableFuture<Receipt> alsoLost = first.submit(order(3));
        awaitSubmissions(2);
        first.close();
        assertThat(failureOf(lost)).isInstanceOf(ClientClosedException.class);
        assertThat(failureOf(alsoLost)).isInstanceOf(ClientClosedException.class);
        cluster.committing(true);

        try (BrokerClient second = cluster.client().outbox(directory).connect()) {
            for (ResentBatch batch : second.resent()) {
                await(batch.receipt());
            }
            await(second.submit(order(4)));
        }

        assertThat(cluster.executed()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(cluster.submissions().stream().map(Submission::signedBatch).distinct())
                .hasSize(3);
        try (BrokerClient third = cluster.client().outbox(directory).connect()) {
            assertThat(third.resent()).as("all are in blocks").isEmpty();
            assertThat(third.firstPosition().number()).isEqualTo(4);
            assertThat(third.inFlight()).isZero();
        }
    }

    @Test
    void shouldReturnWhichOrdersAreSentAgain() throws Exception {
        cluster.committing(false);
        BrokerClient first = cluster.client()
                .outbox(directory)
                .closeTimeout(Duration.ofMillis(1))
                .connect();
        first.submit(List.of(order(1), order(2)));
        awaitSubmissions(1);
        first.close();
        cluster.kill(HOME);

        try (BrokerClient second = cluster.client().outbox(directory).connect()) {
            assertThat(second.resent()).hasSize(1);
            assertThat(second.resent().get(0).number()).isEqualTo(1);
            assertThat(second.resent().get(0).clOrdIds()).containsExactly(1L, 2L);
            cluster.committing(true);
            assertThat(await(second.resent().get(0).receipt()).blockSequence()).isEqualTo(1);
        }
    }

    /** What is in the outbox is sent by the next run: whoever submits it again has it executed twice. */
    @Test
    void shouldNotCallUnsentWhatTheNextRunSends() throws Exception {
        BrokerClient first = cluster.client()
                .outbox(directory)
                .closeTimeout(Duration.ofMillis(1))
                .connect();
        for (int node = 0; node < 4; node++) {
            cluster.kill(node);
        }
        CompletableFuture<Receipt> unsent = first.submit(order(1));
        Facts.await("the batch is on disk", () -> sizeOfOutbox() > 100);
        first.close();
        assertThat(failureOf(unsent))
                .isInstanceOfSatisfying(
                        ClientClosedException.class, e -> assertThat(e.isSent()).isTrue());
        for (int node = 0; node < 4; node++) {
            cluster.restart(node);
        }

        try (BrokerClient second = cluster.client().outbox(directory).connect()) {
            assertThat(second.resent()).hasSize(1);
            await(second.resent().get(0).receipt());
        }
        assertThat(cluster.executed()).containsExactly(1L);
    }

    /** The order is in a block, so that it is not sent again: what became of it is in its report alone. */
    @Test
    void shouldReportAnOrderWhoseReportTheEarlierRunHasNotSeen() throws Exception {
        for (int node = 0; node < 4; node++) {
            cluster.reportsMax(node, 0);
        }
        Path checkpoint = directory.resolve("reports.checkpoint");
        Path outbox = directory.resolve("outbox");
        try (FileCheckpointer handled = FileCheckpointer.open(checkpoint);
                BrokerClient first = cluster.client()
                        .outbox(outbox)
                        .executionReports(report -> {})
                        .checkpointer(handled)
                        .connect()) {
            await(first.submit(order(77)));
        }
        for (int node = 0; node < 4; node++) {
            cluster.reportsMax(node, Long.MAX_VALUE);
        }

        assertThatThrownBy(() -> cluster.client()
                        .outbox(outbox)
                        .executionReports(report -> {})
                        .reportsFromNow()
                        .connect())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reports from now leave out what became of batches of the outbox");
        CompletableFuture<ExecutionReport> reported = new CompletableFuture<>();
        try (FileCheckpointer handled = FileCheckpointer.open(checkpoint);
                BrokerClient second = cluster.client()
                        .outbox(outbox)
                        .executionReports(reported::complete)
                        .checkpointer(handled)
                        .connect()) {
            assertThat(second.resent()).isEmpty();
            assertThat(reported.get(AWAIT_LIMIT_S, TimeUnit.SECONDS).clOrdId()).isEqualTo(77);
        }
    }

    /** A program that had its reports elsewhere before, or none, must not see the old ones as new. */
    @Test
    void shouldBeginANewCheckpointWithNewReportsAndGoOnAfterIt() throws Exception {
        submitWithoutOutbox(1, 5);
        List<Long> received = new CopyOnWriteArrayList<>();
        try (FileCheckpointer handled = FileCheckpointer.open(directory.resolve("reports.checkpoint"));
                BrokerClient first = fromNow(received, handled).connect()) {
            assertThat(handled.lastHandled()).isEqualTo(5);
            await(first.submit(order(6)));
            Facts.await("its report", () -> handled.lastHandled() == 6);
        }
        submitWithoutOutbox(7, 7);
        try (FileCheckpointer handled = FileCheckpointer.open(directory.resolve("reports.checkpoint"));
                BrokerClient second = fromNow(received, handled).connect()) {
            await(second.submit(order(8)));
            Facts.await("its report", () -> handled.lastHandled() == 8);
        }

        assertThat(received).containsExactly(6L, 7L, 8L);
    }

    /** Its last run had no checkpoint, or died before its first report. */
    @Test
    void shouldBeginWithTheFirstReportBesideAnOutboxOfAnEarlierRun() throws Exception {
        try (BrokerClient before =
                cluster.client().outbox(directory.resolve("outbox")).connect()) {
            await(before.submit(order(1)));
        }
        List<Long> received = new CopyOnWriteArrayList<>();
        try (FileCheckpointer handled = FileCheckpointer.open(directory.resolve("reports.checkpoint"));
                BrokerClient client = fromNow(received, handled).connect()) {
            await(client.submit(order(2)));
            Facts.await("both reports", () -> handled.lastHandled() == 2);
        }

        assertThat(received).containsExactly(1L, 2L);
    }

    private BrokerClientBuilder fromNow(List<Long> received, FileCheckpointer handled) {
        return cluster.client()
                .outbox(directory.resolve("outbox"))
                .executionReports(report -> received.add(report.reportSequence()))
                .checkpointer(handled)
                .reportsFromNow();
    }

    private void submitWithoutOutbox(long first, long last) throws Exception {
        try (BrokerClient other = cluster.client().session(1).connect()) {
            for (long id = first; id <= last; id++) {
                await(other.submit(order(id)));
            }
        }
    }

    private long sizeOfOutbox() throws IOException {
        try (var files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    /** Its number is taken: nothing else can have it, and nothing after it can be taken. */
    @Test
    void shouldNotGoOnAfterARefusedBatch() throws Exception {
        cluster.refusing(RefusalReason.UNKNOWN_INSTRUMENT);
        try (BrokerClient client = cluster.client().outbox(directory).connect()) {
            assertThat(failureOf(client.submit(order(1)))).isInstanceOf(SubmitRejectedException.class);
            long kept = sizeOfOutbox();
            assertThat(failureOf(client.submit(order(2)))).isInstanceOf(ClientClosedException.class);
            assertThat(sizeOfOutbox()).as("nothing more is kept").isLessThan(kept + 100);
        }
        for (int node = 0; node < 4; node++) {
            cluster.submits(node, TestNode.Submits.ADMITTING);
        }

        assertThatThrownBy(() -> cluster.client().outbox(directory).connect())
                .isInstanceOf(OutboxException.class)
                .hasMessageContaining("nodes refused number 1: UNKNOWN_INSTRUMENT");
        assertThat(cluster.executed()).isEmpty();
    }

    /** Another thread signs the batch before it, and is slower. */
    @Test
    void shouldKeepAndSendTheBatchBeforeOneThatCannotBeSigned() throws Exception {
        FailingSigner signer = new FailingSigner(cluster.signingKey().signer());
        try (BrokerClient client = cluster.client()
                .outbox(directory)
                .signer(signer)
                .signingThreads(2)
                .connect()) {
            CompletableFuture<Receipt> first = client.submit(order(1));
            Facts.await("the first is being signed", () -> signer.calls.get() == 1);
            assertThat(failureOf(client.submit(order(2)))).hasMessage("scripted");
            assertThat(failureOf(client.submit(order(3)))).isInstanceOf(ClientClosedException.class);
            signer.mayGoOn.countDown();

            assertThat(await(first).blockSequence()).isEqualTo(1);
        }
        assertThat(cluster.executed()).containsExactly(1L);
    }

    /** Waits with the first signature, and fails at the second. */
    private static final class FailingSigner implements Signer {
        final AtomicInteger calls = new AtomicInteger();
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final Signer signer;

        FailingSigner(Signer signer) {
            this.signer = signer;
        }

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
            int call = calls.incrementAndGet();
            if (call == 2) {
                throw new IllegalStateException("scripted");
            }
            if (call == 1) {
                try {
                    mayGoOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            signer.sign(message, offset, length, signature, signatureOffset);
        }
    }

    /** One node's answer, which names no batch, is one of the first two. */
    @Test
    void shouldGoOnBesideANodeThatAnswersWithHalfOfALogon() throws Exception {
        try (BrokerClient first = cluster.client().outbox(directory).connect()) {
            await(first.submit(order(1)));
        }
        cluster.logon(HOME, SessionState.Builder::clearPrevious);
        cluster.logsOnFirst(HOME);

        try (BrokerClient second = cluster.client().outbox(directory).connect()) {
            assertThat(second.firstPosition().number()).isEqualTo(2);
        }
    }

    /** What it would have the client send again, nodes do not recognize any more. */
    @Test
    void shouldGoOnBesideANodeThatHasForgottenTheSession() throws Exception {
        submitMany();
        cluster.logon(2, OutboxCrashTest::forgotten);
        cluster.logsOnFirst(2);
        cluster.holdReceipts(true);

        try (BrokerClient second = cluster.client().outbox(directory).connect()) {
            assertThat(second.resent()).isEmpty();
            cluster.holdReceipts(false);
            await(second.submit(order(MANY + 1)));
        }
        assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, MANY + 1));
    }

    /** Two nodes return low numbers: one lies, one is late. */
    @Test
    void shouldWaitForReceiptsOfWhatNodesDoNotRecognize() throws Exception {
        submitMany();
        cluster.logon(2, OutboxCrashTest::forgotten);
        cluster.logon(3, state -> state.setDeliveredNumber(LATE));
        cluster.loggingOn(0, false);
        cluster.holdReceipts(true);

        try (BrokerClient second = cluster.client().outbox(directory).connect()) {
            assertThat(second.resent()).hasSize(MANY - LATE);
            Facts.await("all are sent again", () -> cluster.submissions().size() >= MANY + MANY - LATE);
            cluster.holdReceipts(false);
            for (ResentBatch batch : second.resent()) {
                await(batch.receipt());
            }
            await(second.submit(order(MANY + 1)));
        }
        try (BrokerClient third = cluster.client().outbox(directory).connect()) {
            assertThat(third.firstPosition().number()).isEqualTo(MANY + 2);
        }
        assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, MANY + 1));
    }

    private static SessionState.Builder forgotten(SessionState.Builder state) {
        return state.setExpectedNumber(1)
                .setPrevious(ByteString.copyFrom(Digest.ZERO.bytes()))
                .clearDeliveredNumber();
    }

    private void submitMany() throws Exception {
        try (BrokerClient first =
                cluster.client().outbox(directory).inFlightMax(64).connect()) {
            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (long id = 1; id <= MANY; id++) {
                receipts.add(first.submit(order(id)));
            }
            awaitAll(receipts);
        }
    }

    @Test
    void shouldKeepASecondClientOutOfTheSession() throws Exception {
        try (BrokerClient client = cluster.client().outbox(directory).connect()) {
            assertThatThrownBy(() -> cluster.client().outbox(directory).connect())
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining(directory.toString());
            assertThat(OtherProcess.canLock(directory.resolve("lock"))).isFalse();
            await(client.submit(order(1)));
        }
        assertThat(cluster.executed()).containsExactly(1L);
    }

    /** As after a restore of an old copy: numbers that it would use are taken. */
    @Test
    void shouldNotSignWithAnOutboxThatIsOlderThanItsSession() throws Exception {
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Path outbox = Files.createDirectory(directory.resolve("outbox"));
        try (BrokerClient client = cluster.client().outbox(outbox).connect()) {
            await(client.submit(order(1)));
        }
        copy(outbox, copy);
        try (BrokerClient client = cluster.client().outbox(outbox).connect()) {
            await(client.submit(order(2)));
        }
        cluster.logon(2, OutboxCrashTest::forgotten);
        cluster.logsOnFirst(2);

        assertThatThrownBy(() -> cluster.client().outbox(copy).connect())
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("session 0")
                .hasMessageContaining("older than the session");
        assertThat(cluster.executed()).containsExactly(1L, 2L);
    }

    /** Nothing of the outbox is in a block, and the other program has no outbox. */
    @Test
    void shouldNotGoOnWhereAnotherProgramHasSignedTheFirstOfItsNumbers() throws Exception {
        for (int node = 0; node < 4; node++) {
            cluster.submits(node, TestNode.Submits.DROPPING);
        }
        BrokerClient first = cluster.client()
                .outbox(directory)
                .closeTimeout(Duration.ofMillis(1))
                .connect();
        for (long id = 1; id <= 3; id++) {
            first.submit(List.of(order(id)));
        }
        awaitSubmissions(3);
        first.close();
        for (int node = 0; node < 4; node++) {
            cluster.submits(node, TestNode.Submits.ADMITTING);
        }
        try (BrokerClient other = cluster.client().connect()) {
            await(other.submit(order(4)));
        }

        assertThatThrownBy(() -> cluster.client().outbox(directory).connect())
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("nodes hold batches of session 0")
                .hasMessageContaining("another program signs in it");
        assertThat(cluster.executed()).containsExactly(4L);
    }

    /** The process is killed when it has submitted any number of batches, before its disk or the nodes have them. */
    @Test
    void shouldLoseNothingAndExecuteNothingTwiceWhenTheProgramIsKilled() throws Exception {
        Path broker = Files.createDirectory(directory.resolve("broker"));
        Files.writeString(
                broker.resolve("genesis.json"),
                GenesisFile.toJson(cluster.genesis().genesis()));
        KeyFile.write(broker.resolve("broker.key"), cluster.signingKey());
        Files.writeString(
                broker.resolve("broker.properties"), "brokerId=1\nkeyId=1\nkey=broker.key\ngenesis=genesis.json\n");
        Random random = new Random(11);
        for (int kill = 1; kill <= KILLS; kill++) {
            Process program = start(broker);
            try (BufferedReader lines = program.inputReader()) {
                assertThat(lines.readLine()).isEqualTo("connected");
                for (int i = random.nextInt(LAST / KILLS); i > 0 && lines.readLine() != null; i--) {
                    // Each line is a batch that was submitted.
                }
            }
            program.destroyForcibly().waitFor();
        }
        Process last = start(broker);
        String output = new String(last.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(last.waitFor()).as(output).isZero();

        assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, LAST));
    }

    private Process start(Path broker) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OutboxProgram.class.getName(),
                        broker.toString(),
                        directory.resolve("killed").toString(),
                        Integer.toString(LAST))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
