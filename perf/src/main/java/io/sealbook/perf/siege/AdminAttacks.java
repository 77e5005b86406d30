package io.sealbook.perf.siege;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Approval;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.protocol.v1.SubmitTransactionRequest;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Administrative transactions that must not be taken, handed in by a member. */
final class AdminAttacks {
    private static final long LIMIT_S = 120;
    private static final int SIGNATURE_LENGTH = SignedBatch.SIGNATURE_LENGTH;

    private AdminAttacks() {}

    static List<Attack> all() {
        return List.of(new Attack(
                "transactions",
                "a member hands in another member's transaction, and unapproved ones; found: one is taken",
                AdminAttacks::submit));
    }

    private static AttackResult submit(Besieged besieged) throws Exception {
        long chain = besieged.cluster().genesis().genesis().getChainId();
        AdministrativeTransaction.Builder unapproved = transaction(chain);
        AdministrativeTransaction.Builder forged = transaction(chain);
        for (int node = 0; node < besieged.cluster().size(); node++) {
            forged.addApprovals(Approval.newBuilder()
                    .setNodeId(node)
                    .setSignature(ByteString.copyFrom(new byte[SIGNATURE_LENGTH])));
        }
        Map<String, byte[]> batches = new LinkedHashMap<>();
        batches.put("an unapproved one", batch(besieged, 0, chain, unapproved.build()));
        batches.put("one with forged approvals", batch(besieged, 0, chain, forged.build()));
        batches.put(
                "one of another chain",
                batch(besieged, 0, chain + 1, transaction(chain + 1).build()));
        List<String> faults = new ArrayList<>();
        ManagedChannel channel = besieged.channel(besieged.gatewayPort(0), Guest.MEMBER);
        try {
            for (Map.Entry<String, byte[]> batch : batches.entrySet()) {
                String answer = answer(besieged, channel, batch.getValue());
                if (answer.equals(SubmitStatus.ACCEPTED.name()) || answer.equals(SubmitStatus.ALREADY_KNOWN.name())) {
                    faults.add(batch.getKey() + " was " + answer);
                }
            }
            // Without approvals it is refused anyway: what counts is that the port has not let it in.
            String ofAnother = answer(besieged, channel, batch(besieged, 1, chain, unapproved.build()));
            if (!ofAnother.equals(Status.Code.PERMISSION_DENIED.name())) {
                faults.add("the port answers " + ofAnother + " to one of member 1");
            }
        } finally {
            channel.shutdownNow();
        }
        besieged.awaitProgress();
        return AttackResult.of(batches.size() + 1, "transactions are refused", faults);
    }

    private static AdministrativeTransaction.Builder transaction(long chain) {
        return AdministrativeTransaction.newBuilder()
                .setTerms(AdministrativeTerms.newBuilder()
                        .setChainId(chain)
                        .setNumber(1)
                        .setReason("siege")
                        .build()
                        .toByteString());
    }

    private static byte[] batch(Besieged besieged, int node, long chain, AdministrativeTransaction transaction)
            throws IOException {
        Signer identity = KeyFile.readSigner(besieged.cluster().directory().resolve("node" + node + "/node.key"));
        byte[] batch = AdministrativeBatch.unsigned(
                chain,
                BatchPosition.first(node),
                identity.scheme().code(),
                System.currentTimeMillis() * 1_000_000,
                transaction.toByteArray());
        byte[] region = AdministrativeBatch.signedRegion(batch);
        identity.sign(region, 0, region.length, batch, batch.length - SIGNATURE_LENGTH);
        return batch;
    }

    private static String answer(Besieged besieged, ManagedChannel channel, byte[] batch) throws IOException {
        try {
            SubmitReply reply = OrderGatewayGrpc.newBlockingStub(channel)
                    .withCallCredentials(besieged.identities().credentials(Guest.MEMBER))
                    .withDeadlineAfter(LIMIT_S, TimeUnit.SECONDS)
                    .submitTransaction(SubmitTransactionRequest.newBuilder()
                            .setSignedBatch(ByteString.copyFrom(batch))
                            .build());
            return reply.getStatus() == SubmitStatus.REFUSED
                    ? reply.getReason().name()
                    : reply.getStatus().name();
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        }
    }
}
