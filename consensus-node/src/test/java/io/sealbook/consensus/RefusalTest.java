package io.sealbook.consensus;

import static io.sealbook.protocol.v1.RefusalReason.BAD_SIGNATURE;
import static io.sealbook.protocol.v1.RefusalReason.BROKEN_CHAIN;
import static io.sealbook.protocol.v1.RefusalReason.EMPTY_BATCH;
import static io.sealbook.protocol.v1.RefusalReason.INVALID_ACCOUNT;
import static io.sealbook.protocol.v1.RefusalReason.INVALID_PRICE;
import static io.sealbook.protocol.v1.RefusalReason.INVALID_QUANTITY;
import static io.sealbook.protocol.v1.RefusalReason.MALFORMED;
import static io.sealbook.protocol.v1.RefusalReason.NUMBER_TAKEN;
import static io.sealbook.protocol.v1.RefusalReason.OVERSIZE_BATCH;
import static io.sealbook.protocol.v1.RefusalReason.SEQUENCE_GAP;
import static io.sealbook.protocol.v1.RefusalReason.SESSION_SUSPENDED;
import static io.sealbook.protocol.v1.RefusalReason.UNKNOWN_BROKER;
import static io.sealbook.protocol.v1.RefusalReason.UNKNOWN_INSTRUMENT;
import static io.sealbook.protocol.v1.RefusalReason.UNKNOWN_KEY;
import static io.sealbook.protocol.v1.RefusalReason.VALIDITY_TOO_FAR;
import static io.sealbook.protocol.v1.RefusalReason.WRONG_CHAIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.archive.Block;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.facts.Facts;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.GetInclusionProofRequest;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SessionState;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/**
 * What a node refuses, with which reason, and that it disturbs nobody: one cluster for all tests, which all commit on
 * it.
 */
@Timeout(300)
@TestInstance(Lifecycle.PER_CLASS)
class RefusalTest {
    private TestCluster cluster;
    private TestBroker broker;

    @BeforeAll
    void startCluster() throws Exception {
        cluster = TestCluster.start(parameters -> parameters.setBlockMaxBatches(8), "receipt-stall-ms=3000");
        broker = cluster.broker(1);
    }

    @AfterAll
    void stopCluster() throws Exception {
        cluster.close();
    }

    @Test
    void shouldRefuseEachBatchThatBreaksARule() throws Exception {
        refuse(WRONG_CHAIN, broker.batch(fields -> fields.chainId = 1));
        refuse(UNKNOWN_BROKER, broker.batch(fields -> fields.brokerId = 99));
        refuse(UNKNOWN_KEY, broker.batch(fields -> fields.keyId = 9));
        refuse(UNKNOWN_KEY, broker.batch(fields -> fields.scheme = 2));
        refuse(EMPTY_BATCH, broker.batch(fields -> fields.orderCount = 0));
        refuse(OVERSIZE_BATCH, broker.batch(fields -> fields.orderCount = 257));
        refuse(UNKNOWN_INSTRUMENT, broker.batch(fields -> fields.instrumentId = 5));
        refuse(INVALID_QUANTITY, broker.batch(fields -> fields.quantity = 0));
        refuse(INVALID_QUANTITY, broker.batch(fields -> fields.quantity = 1_000_001));
        refuse(INVALID_PRICE, broker.batch(fields -> fields.price = 200_001));
        refuse(VALIDITY_TOO_FAR, broker.batch(fields -> fields.validUntilBlock = 1_000_000));
        refuse(VALIDITY_TOO_FAR, broker.batch(fields -> fields.validUntilBlock = -1));

        stillWorks();
    }

    @Test
    void shouldRefuseAnAccountThatIsNotTheBrokers() throws Exception {
        TestBroker second = cluster.broker(2);

        refuse(second, INVALID_ACCOUNT, second.batch(fields -> fields.accountId = 1));
        refuse(second, INVALID_ACCOUNT, second.batch(fields -> {
            fields.accountId = 1;
            fields.action = Action.CANCEL.value();
        }));
        refuse(broker, INVALID_ACCOUNT, broker.batch(fields -> fields.accountId = 2));

        assertThat(second.answerTo(second.batch(1)).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
        stillWorks();
    }

    @Test
    void shouldRefuseMalformedBytesAndNameTheOffset() throws Exception {
        byte[] good = broker.batch(2);
        refuse(MALFORMED, new byte[0]);
        refuse(MALFORMED, Arrays.copyOf(good, good.length - 1));
        refuse(MALFORMED, Arrays.copyOf(good, good.length + 1));
        byte[] random = new byte[700];
        new Random(1).nextBytes(random);
        refuse(MALFORMED, random);
        byte[] badSide = good.clone();
        badSide[SignedBatch.ORDERS_OFFSET + 48 + 41] = 'X';

        SubmitReply reply = broker.answerTo(badSide);

        assertThat(reply.getReason()).isEqualTo(MALFORMED);
        assertThat(reply.getDetail()).startsWith("offset 177: order 1 has side");
        stillWorks();
    }

    @Test
    void shouldAnswerEachBatchOfAMessage() throws Exception {
        int before = broker.replies().size();
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            batches.add(broker.batch(1));
        }
        batches.get(5)[60] ^= 1;

        broker.submitTo(0, batches);

        cluster.await("all are answered", () -> broker.replies().size() == before + 16);
        List<SubmitReply> replies = broker.replies().subList(before, before + 16);
        assertThat(replies.stream().map(SubmitReply::getCorrelationId).distinct())
                .hasSize(16);
        assertThat(replies.stream().filter(reply -> reply.getStatus() == SubmitStatus.ACCEPTED))
                .hasSize(15);
        stillWorks();
    }

    @Test
    void shouldAnswerEverythingToABrokerThatHalfCloses() throws Exception {
        for (int round = 0; round < 20; round++) {
            int before = broker.replies().size();
            for (int i = 0; i < 10; i++) {
                broker.submitTo(0, List.of(broker.batch(1), broker.batch(1)));
            }
            broker.halfClose(0);

            cluster.await("all are answered", () -> broker.replies().size() == before + 20);
        }
        stillWorks();
    }

    @Test
    void shouldEndAStreamThatSendsMoreInAMessageThanItMay() throws Exception {
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            batches.add(broker.batch(1));
        }

        broker.submitTo(0, batches);

        cluster.await("the stream has ended", () -> broker.lastError().getCode() == Status.Code.INVALID_ARGUMENT);
        assertThat(broker.lastError().getDescription()).isEqualTo("17 requests in a message, expected 1 to 16");
        stillWorks();
    }

    @Test
    void shouldRefuseASignatureThatIsNotTheBrokers() throws Exception {
        byte[] flipped = broker.batch(1);
        flipped[flipped.length - 2] ^= 1;
        refuse(BAD_SIGNATURE, flipped);
        byte[] changed = broker.batch(1);
        changed[SignedBatch.ORDERS_OFFSET + 16] ^= 1;
        refuse(BAD_SIGNATURE, changed);

        stillWorks();
    }

    @Test
    void shouldRefuseANumberOfAnotherBatchAndKnowTheSameBatch() throws Exception {
        byte[] first = broker.batch(fields -> fields.position = BatchPosition.first(1_000));
        assertThat(broker.answerTo(0, first).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
        // Before the second one: a node that has the evidence of both takes neither.
        cluster.await(
                "node 0 sends the batch to node 1", () -> stateOf(1, 1_000).getExpectedNumber() == 2);
        assertThat(broker.refusalOf(broker.batch(fields -> fields.position = BatchPosition.first(1_000))))
                .isEqualTo(NUMBER_TAKEN);

        assertThat(broker.answerTo(0, first).getStatus()).isEqualTo(SubmitStatus.ALREADY_KNOWN);
        stillWorks();
        assertThat(broker.answerTo(1, first).getStatus()).isEqualTo(SubmitStatus.ALREADY_KNOWN);
        assertThat(broker.refusalOf(broker.batch(fields -> fields.session = 1_000)))
                .isEqualTo(SESSION_SUSPENDED);
        assertThat(stateOf(0, 1_000).getSuspended()).isTrue();
        cluster.await("node 0 sends both to node 1", () -> stateOf(1, 1_000).getSuspended());
        Path evidence = cluster.nodeDirectory(0).evidence().resolve(EvidenceStore.PREFIX + "1-1000");
        assertThat(EvidenceStore.decode(Files.readAllBytes(evidence)).first()).isEqualTo(first);
    }

    @Test
    void shouldRefuseAGapAndABrokenChainAndReturnWhatItExpects() throws Exception {
        Digest stranger = Digest.sha256(new byte[] {1});
        byte[] ahead = broker.batch(fields -> fields.position = new BatchPosition(1_001, 2, stranger));
        SubmitReply gap = broker.answerTo(0, ahead);
        assertThat(gap.getReason()).isEqualTo(SEQUENCE_GAP);
        assertThat(gap.getExpectedNumber()).isEqualTo(1);

        byte[] first = broker.batch(fields -> fields.position = BatchPosition.first(1_001));
        assertThat(broker.answerTo(0, first).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
        assertThat(broker.answerTo(0, ahead).getReason()).isEqualTo(BROKEN_CHAIN);
        assertThat(stateOf(0, 1_001).getExpectedNumber()).isEqualTo(2);
        assertThat(Digest.of(stateOf(0, 1_001).getPrevious().toByteArray())).isEqualTo(BatchId.of(first));

        byte[] second = broker.batch(
                fields -> fields.position = BatchPosition.first(1_001).after(BatchId.of(first)));
        assertThat(broker.answerTo(0, second).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
        stillWorks();
    }

    private SessionState stateOf(int node, int session) {
        return findState(node, session).orElseThrow();
    }

    private Optional<SessionState> findState(int node, int session) {
        return cluster
                .gateway(node)
                .logon(LogonRequest.newBuilder().setBrokerId(1).build())
                .getSessionsList()
                .stream()
                .filter(state -> state.getSession() == session)
                .findFirst();
    }

    /** By their ids: earlier tests of this cluster may have batches under way. */
    @Test
    void shouldOrderABatchOnceThatWasSentToTwoNodes() throws Exception {
        List<Digest> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] batch = broker.batch(1);
            sent.add(BatchId.of(batch));
            broker.submitTo(1, batch);
            broker.submitTo(2, batch);
        }

        cluster.await("all are in blocks", () -> committed(0).containsAll(sent));
        stillWorks();
        List<Digest> committed = committed(0);
        assertThat(sent).allMatch(id -> Collections.frequency(committed, id) == 1);
        cluster.assertEqualChains();
    }

    private List<Digest> committed(int node) {
        List<Digest> ids = new ArrayList<>();
        long last = Math.max(1, cluster.node(node).state().lastBlock().sequence());
        for (BlockData data : cluster.blocks(node, last)) {
            Block block = Block.wrap(data.getBlock().toByteArray());
            for (int i = 0; i < block.batchCount(); i++) {
                ids.add(block.batchId(i));
            }
        }
        return ids;
    }

    @Test
    void shouldSurviveGarbageOnEveryPort() throws Exception {
        Random random = new Random(2);
        for (int port : ports()) {
            for (int attempt = 0; attempt < 3; attempt++) {
                byte[] garbage = new byte[1 + random.nextInt(20_000)];
                random.nextBytes(garbage);
                try (Socket socket = new Socket("127.0.0.1", port);
                        OutputStream out = socket.getOutputStream()) {
                    out.write(garbage);
                    out.flush();
                } catch (IOException e) {
                    // Being cut off is what garbage deserves.
                    assertThat(e).isNotNull();
                }
            }
        }

        stillWorks();
        assertThat(cluster.node(0).status().getConnectedPeersCount()).isEqualTo(3);
    }

    private List<Integer> ports() {
        List<Integer> ports = new ArrayList<>();
        for (var node : cluster.genesis().genesis().getNodesList()) {
            ports.addAll(List.of(node.getVotePort(), node.getPayloadPort(), node.getGatewayPort()));
        }
        return ports;
    }

    @Test
    void shouldReplayReceiptsFromTheArchiveAndThenFollow() throws Exception {
        stillWorks();
        long batches = receiptsOf(1, 1, 1);
        stillWorks();

        assertThat(receiptsOf(1, 1, batches + 1)).isEqualTo(batches + 1);
        assertThat(receiptsOf(3, 1, 0))
                .as("receipts of a broker that sent nothing")
                .isZero();
    }

    /** Reads at least so many receipts, then everything up to the progress mark; returns how many. */
    private long receiptsOf(int brokerId, long fromBlock, long atLeast) {
        Iterator<BlockReceipts> receipts = cluster.gateway(0)
                .followReceipts(FollowReceiptsRequest.newBuilder()
                        .setBrokerId(brokerId)
                        .setFromBlock(fromBlock)
                        .build());
        long count = 0;
        while (true) {
            BlockReceipts block = receipts.next();
            count += block.getBatchesCount();
            if (block.getBatchesCount() > 0) {
                assertThat(block.getBlockHash().size()).isEqualTo(32);
            } else if (count >= atLeast) {
                return count;
            }
        }
    }

    @Test
    void shouldProveThatABatchStandsInABlock() throws Exception {
        SubmitReply reply = broker.answerTo(broker.batch(1));
        stillWorks();

        ByteString proof = Facts.awaitPresent(() -> "a proof", () -> proofOf(reply.getBatchId()));

        assertThat(InclusionProof.decode(proof.toByteArray()).batchId().bytes())
                .isEqualTo(reply.getBatchId().toByteArray());
    }

    /** Empty while the node has not the block, or has written no certificate of it. */
    private Optional<ByteString> proofOf(ByteString batchId) {
        try {
            return Optional.of(cluster.gateway(3)
                    .getInclusionProof(GetInclusionProofRequest.newBuilder()
                            .setBatchId(batchId)
                            .build())
                    .getProof());
        } catch (StatusRuntimeException e) {
            assertThat(e.getStatus().getCode())
                    .as("%s", e.getStatus())
                    .isIn(Status.Code.NOT_FOUND, Status.Code.FAILED_PRECONDITION);
            return Optional.empty();
        }
    }

    @Test
    void shouldCutAFollowerThatDoesNotRead() throws Exception {
        // More than flow control lets into the network before somebody reads.
        long before = cluster.node(0).status().getCommittedBatches();
        for (int i = 0; i < 300; i++) {
            broker.submitTo(0, broker.batch(250));
        }
        cluster.awaitCommitted(before + 300);
        AtomicReference<Throwable> end = new AtomicReference<>();
        long cutBefore = cluster.node(0).metrics().cutFollowers();
        cluster.asyncGateway(0)
                .getBlocks(
                        GetBlocksRequest.newBuilder().setFromSequence(1).build(),
                        new ClientResponseObserver<GetBlocksRequest, BlockData>() {
                            @Override
                            public void beforeStart(ClientCallStreamObserver<GetBlocksRequest> stream) {
                                // One block is asked for, and never another one.
                                stream.disableAutoRequestWithInitial(1);
                            }

                            @Override
                            public void onNext(BlockData block) {
                                assertThat(Block.wrap(block.getBlock().toByteArray())
                                                .header()
                                                .sequence())
                                        .isEqualTo(block.getSequence());
                            }

                            @Override
                            public void onError(Throwable reason) {
                                end.set(reason);
                            }

                            @Override
                            public void onCompleted() {
                                end.set(new AssertionError("completed"));
                            }
                        });

        cluster.await("the follower is cut", () -> cluster.node(0).metrics().cutFollowers() > cutBefore);
        stillWorks();
        assertThat(end.get() == null || Status.fromThrowable(end.get()).getCode() == Status.Code.RESOURCE_EXHAUSTED)
                .isTrue();
    }

    @Test
    void shouldTellOperatorsHowItIs() throws Exception {
        stillWorks();
        String metrics = get("/metrics");
        assertThat(metrics)
                .contains("sealbook_node_view ", "sealbook_node_primary ", "sealbook_node_last_delivered ")
                .contains("sealbook_node_stable_checkpoint ", "sealbook_node_pending ")
                .contains("sealbook_node_committed_batches_total ", "sealbook_node_committed_orders_total ")
                .contains("sealbook_node_refusals_total{reason=\"BAD_SIGNATURE\"}")
                .contains("sealbook_node_submit_to_deliver_seconds{quantile=\"0.99\"}");
        assertThat(get("/health/live")).isEqualTo("live\n");
        assertThat(get("/health/ready")).isEqualTo("ready\n");
        assertThat(get("/status")).contains("\"state\": \"NORMAL\"");
    }

    private String get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + cluster.node(0).adminPort() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private void refuse(RefusalReason reason, byte[] batch) throws InterruptedException {
        refuse(broker, reason, batch);
    }

    private void refuse(TestBroker sender, RefusalReason reason, byte[] batch) throws InterruptedException {
        long before = cluster.node(0).metrics().refusals(reason);
        assertThat(sender.refusalOf(batch)).isEqualTo(reason);
        assertThat(cluster.node(0).metrics().refusals(reason)).isEqualTo(before + 1);
    }

    /** A good batch is committed everywhere. */
    private void stillWorks() throws Exception {
        long before = cluster.node(0).status().getCommittedBatches();
        SubmitReply reply = broker.answerTo(0, broker.batch(1));
        assertThat(reply.getStatus()).as(reply.getDetail()).isEqualTo(SubmitStatus.ACCEPTED);
        cluster.await(
                "a good batch is committed", () -> cluster.node(0).status().getCommittedBatches() > before);
        cluster.awaitEqualHeight();
    }
}
