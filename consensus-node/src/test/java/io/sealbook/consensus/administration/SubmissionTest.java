package io.sealbook.consensus.administration;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.GetMembershipRequest;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.protocol.v1.SubmitTransactionRequest;
import io.sealbook.protocol.v1.TransactionOutcome;
import io.sealbook.vocabulary.BatchId;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A member's node that executes a transaction, and whose answer to it is lost. */
@Timeout(120)
class SubmissionTest {
    private static final int NODE_ID = 0;
    private static final long CHAIN_ID = 42;
    private static final long WAIT_MS = 60_000;
    private static final AdministrativeTransaction TRANSACTION = AdministrativeTransaction.newBuilder()
            .setTerms(ByteString.copyFromUtf8("terms"))
            .build();

    private final Signer identity = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private final Set<ByteString> batchIds = new LinkedHashSet<>();
    private final List<TransactionOutcome> outcomes = new ArrayList<>();
    private Server server;

    @BeforeEach
    void start() throws Exception {
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(new Gateway())
                .build()
                .start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.shutdownNow().awaitTermination();
    }

    @Test
    void shouldFindThatItsOwnBatchHasTakenTheNumber() throws Exception {
        TransactionOutcome outcome = submit();

        assertThat(outcome.getRefusal()).isEmpty();
        assertThat(batchIds).containsExactly(outcome.getBatchId());
    }

    /** Another batch under one number is proof against its member, and ends its session. */
    @Test
    void shouldSignOneBatchHoweverOftenATransactionIsSubmitted() throws Exception {
        TransactionOutcome first = submit();
        TransactionOutcome second = submit();

        assertThat(second).isEqualTo(first);
        assertThat(batchIds).containsExactly(first.getBatchId());
    }

    private TransactionOutcome submit() throws Exception {
        try (MemberGateway gateway =
                new MemberGateway("127.0.0.1:" + server.getPort(), MemberGateway.Access.PLAIN, WAIT_MS)) {
            return new Submission(gateway, NODE_ID, identity, CHAIN_ID, WAIT_MS, line -> {}).run(TRANSACTION);
        }
    }

    private final class Gateway extends OrderGatewayGrpc.OrderGatewayImplBase {
        @Override
        public void logon(LogonRequest request, StreamObserver<LogonReply> answer) {
            answer.onNext(LogonReply.getDefaultInstance());
            answer.onCompleted();
        }

        @Override
        public synchronized void getMembership(GetMembershipRequest request, StreamObserver<MembershipView> answer) {
            answer.onNext(MembershipView.newBuilder()
                    .addIdentityKeyIds(1)
                    .addAllRecent(outcomes)
                    .build());
            answer.onCompleted();
        }

        /** The first batch is executed; its number is remembered, and its id is not. */
        @Override
        public synchronized void submitTransaction(
                SubmitTransactionRequest request, StreamObserver<SubmitReply> answer) {
            ByteString id = ByteString.copyFrom(
                    BatchId.of(request.getSignedBatch().toByteArray()).bytes());
            boolean isFirst = batchIds.isEmpty();
            if (batchIds.add(id)) {
                outcomes.add(TransactionOutcome.newBuilder()
                        .setBatchId(id)
                        .setRefusal(isFirst ? "" : "number 1 is not the next one")
                        .build());
            }
            if (isFirst) {
                answer.onError(Status.UNAVAILABLE.asRuntimeException());
                return;
            }
            answer.onNext(
                    batchIds.size() == 1
                            ? SubmitReply.newBuilder()
                                    .setStatus(SubmitStatus.REFUSED)
                                    .setReason(RefusalReason.NUMBER_TAKEN)
                                    .build()
                            : SubmitReply.newBuilder()
                                    .setStatus(SubmitStatus.ACCEPTED)
                                    .build());
            answer.onCompleted();
        }
    }
}
