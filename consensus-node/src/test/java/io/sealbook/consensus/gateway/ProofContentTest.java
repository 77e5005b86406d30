package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.access.ReadLimit;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.v1.GetInclusionProofRequest;
import io.sealbook.protocol.v1.InclusionProof;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** To whom the proof of a batch carries the batch. Proofs are made without the context of their call. */
class ProofContentTest {
    private static final Caller OWNER = new Caller(Role.BROKER, 1);
    private static final Caller OTHER_BROKER = new Caller(Role.BROKER, 2);

    @TempDir
    private Path directory;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final byte[] orders = orders();
    private final byte[] transaction =
            AdministrativeBatch.unsigned(1, new BatchPosition(2, 1, Digest.ZERO), 1, 0, new byte[] {1});
    private ServedGateway gateway;

    @BeforeEach
    void commit() {
        gateway = new ServedGateway(directory, 0, 8);
        Block block = Block.wrap(new BlockBuilder()
                .begin(1, 0, 1, Digest.ZERO, Digest.ZERO)
                .add(BatchId.of(orders), 1, orders, 0, orders.length)
                .add(BatchId.of(transaction), 1, transaction, 0, transaction.length)
                .build());
        gateway.archive.append(block);
        gateway.archive.putCertificate(new CheckpointCertificate(1, block.hash(), Digest.ZERO, Digest.ZERO, List.of()));
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static byte[] orders() {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(1)
                .validUntilBlock(1_000)
                .brokerId(OWNER.id());
        return signed;
    }

    @Test
    void shouldProveABatchToAnotherBrokerWithoutItsContent() {
        assertThat(contentOf(orders, OTHER_BROKER)).isEmpty();
    }

    @Test
    void shouldCarryABatchToItsBroker() {
        assertThat(contentOf(orders, OWNER)).isEqualTo(orders);
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"AUDITOR", "MEMBER"})
    void shouldCarryABatchToThoseThatReadEverything(Role role) {
        assertThat(contentOf(orders, new Caller(role, 2))).isEqualTo(orders);
    }

    /** The port has no TLS then. */
    @Test
    void shouldCarryABatchToACallerWithoutRole() {
        assertThat(contentOf(orders, null)).isEqualTo(orders);
    }

    /** Membership proofs show it to every role. */
    @Test
    void shouldCarryATransactionOfTheAdministrationToEveryBroker() {
        assertThat(contentOf(transaction, OTHER_BROKER)).isEqualTo(transaction);
    }

    /** Returns the signed batch in the proof that a caller gets; proves its id in any case. */
    private byte[] contentOf(byte[] batch, Caller caller) {
        Digest id = BatchId.of(batch);
        Answer answer = new Answer();
        OrderGatewayService service = new OrderGatewayService(gateway.context(), gateway.followers, tasks::add);
        Context.current()
                .withValue(ReadLimit.HOLDER, "holder")
                .withValue(ReadLimit.CALLER, caller)
                .run(() -> service.getInclusionProof(
                        GetInclusionProofRequest.newBuilder()
                                .setBatchId(ByteString.copyFrom(id.bytes()))
                                .setBlockSequence(1)
                                .build(),
                        answer));
        tasks.remove().run();

        io.sealbook.archive.proof.InclusionProof proof = io.sealbook.archive.proof.InclusionProof.decode(
                answer.proof.getProof().toByteArray());
        assertThat(proof.batchId()).isEqualTo(id);
        assertThat(proof.merklePath()).isNotEmpty();
        return proof.signedBatch();
    }

    private static final class Answer extends ServerCallStreamObserver<InclusionProof> {
        private InclusionProof proof;

        @Override
        public void onNext(InclusionProof answer) {
            proof = answer;
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onCompleted() {
            assertThat(proof).isNotNull();
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {
            // No call is cancelled here.
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            // One answer is always taken.
        }

        @Override
        public void setCompression(String compression) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void disableAutoInboundFlowControl() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void request(int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setMessageCompression(boolean enable) {
            throw new UnsupportedOperationException();
        }
    }
}
