package io.sealbook.consensus;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Signer;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.protocol.v1.SubmitTransactionRequest;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.util.Optional;

/** A member that hands in transactions in its own session, whatever became of those before. */
final class TestMember {
    private final TestCluster cluster;
    private final int node;
    private final Signer identity;
    private final long chainId;
    private BatchPosition next;
    private int taken;

    TestMember(TestCluster cluster, int node) throws IOException {
        this.cluster = cluster;
        this.node = node;
        identity = KeyFile.readSigner(cluster.nodeDirectory(node).keyFile());
        chainId = cluster.genesis().genesis().getChainId();
        next = BatchPosition.first(node);
    }

    /** Returns how many its node has taken. */
    int taken() {
        return taken;
    }

    /** Hands the transaction in again and again; returns the answer that says to stop. */
    SubmitReply repeat(byte[] transaction) throws Exception {
        while (true) {
            byte[] batch = batch(transaction);
            SubmitReply reply = Facts.awaitPresent(() -> "node " + node + " judges " + next, () -> answer(batch));
            if (reply.getStatus() == SubmitStatus.REFUSED) {
                return reply;
            }
            taken++;
            next = next.after(BatchId.of(batch));
        }
    }

    /** The one before may not be in a block yet. */
    private Optional<SubmitReply> answer(byte[] batch) {
        SubmitReply reply = cluster.gateway(node)
                .submitTransaction(SubmitTransactionRequest.newBuilder()
                        .setSignedBatch(ByteString.copyFrom(batch))
                        .build());
        return reply.getReason() == RefusalReason.BUSY ? Optional.empty() : Optional.of(reply);
    }

    private byte[] batch(byte[] transaction) {
        byte[] batch =
                AdministrativeBatch.unsigned(chainId, next, identity.scheme().code(), 1, transaction);
        byte[] region = AdministrativeBatch.signedRegion(batch);
        identity.sign(region, 0, region.length, batch, batch.length - SignedBatch.SIGNATURE_LENGTH);
        return batch;
    }
}
