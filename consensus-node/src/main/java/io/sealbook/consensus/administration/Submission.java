package io.sealbook.consensus.administration;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.protocol.v1.TransactionOutcome;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Hands a transaction in through a member's own node and waits until it is in a block. One thread. */
public final class Submission {
    private static final long RETRY_MS = 200;
    private static final long PROGRESS_MS = 5_000;
    /** In the place of the proposer's clock, which no rule looks at. */
    private static final long NO_CLOCK = 0;
    /** The node, or the member's session, is not ready for it yet. */
    private static final Set<RefusalReason> PASSING =
            Set.of(RefusalReason.BUSY, RefusalReason.NOT_READY, RefusalReason.SEQUENCE_GAP, RefusalReason.NUMBER_TAKEN);

    /** The session is elsewhere than when the batch was made. */
    private static final Set<RefusalReason> MOVED = Set.of(RefusalReason.SEQUENCE_GAP, RefusalReason.NUMBER_TAKEN);

    private final MemberGateway gateway;
    private final int nodeId;
    private final Signer identity;
    private final long chainId;
    private final Consumer<String> progress;
    private final long deadlineNs;
    /** Batches with the transaction; more than one if the session moved meanwhile. */
    private final Set<Digest> sent = new HashSet<>();

    private long nextProgressNs;

    /** A transaction was not taken, or not in time. */
    public static final class NotTakenException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean isLate;

        NotTakenException(boolean isLate, String fact) {
            super(fact);
            this.isLate = isLate;
        }

        /** Returns whether the time is over and the transaction may still come into a block. */
        public boolean isLate() {
            return isLate;
        }
    }

    /**
     * Prepares; nothing is sent.
     *
     * @param gateway of the member's node
     * @param nodeId of the member
     * @param identity signs as the member
     * @param chainId of the genesis file
     * @param waitMs longest wait for the block
     * @param progress receives a line now and then
     */
    public Submission(
            MemberGateway gateway, int nodeId, Signer identity, long chainId, long waitMs, Consumer<String> progress) {
        this.gateway = gateway;
        this.nodeId = nodeId;
        this.identity = identity;
        this.chainId = chainId;
        this.progress = progress;
        this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
        this.nextProgressNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PROGRESS_MS);
    }

    /**
     * Submits and waits.
     *
     * @param transaction with the approvals of a quorum
     * @return what became of it
     * @throws NotTakenException if the node refuses it, or the time is over
     */
    public TransactionOutcome run(AdministrativeTransaction transaction)
            throws NotTakenException, InterruptedException {
        submit(transaction);
        while (true) {
            String waitingFor = "not in a block yet; 'admin show --log' shows it later";
            try {
                Optional<TransactionOutcome> outcome = outcome();
                if (outcome.isPresent()) {
                    return outcome.get();
                }
            } catch (StatusRuntimeException e) {
                waitingFor = passing(e);
            }
            pause(waitingFor);
        }
    }

    /** Returns when the transaction is taken, or in a block already. */
    private void submit(AdministrativeTransaction transaction) throws NotTakenException, InterruptedException {
        byte[] batch = null;
        while (true) {
            String reason;
            try {
                // The same bytes again after a lost answer: another batch would be another transaction of this number.
                batch = batch == null ? batch(gateway.next(nodeId), keyId(), transaction.toByteArray()) : batch;
                sent.add(BatchId.of(batch));
                SubmitReply reply = gateway.submit(batch);
                if (reply.getStatus() != SubmitStatus.REFUSED) {
                    progress.accept("taken as batch " + BatchId.of(batch) + ", waiting for its block");
                    return;
                }
                reason = reply.getReason() + ": " + reply.getDetail();
                if (!PASSING.contains(reply.getReason())) {
                    throw new NotTakenException(false, "refused: " + reason);
                }
                if (MOVED.contains(reply.getReason())) {
                    if (outcome().isPresent()) {
                        // It was taken before, and the answer was lost: it has moved the session itself.
                        return;
                    }
                    batch = null;
                }
            } catch (StatusRuntimeException e) {
                reason = passing(e);
            }
            pause("the node does not take it: " + reason);
        }
    }

    private int keyId() throws NotTakenException {
        return gateway.membership().getIdentityKeyIds(nodeId);
    }

    /** Makes the same batch whenever it is called: two batches at one position would exclude each other. */
    private byte[] batch(BatchPosition position, int keyId, byte[] transaction) {
        byte[] batch = AdministrativeBatch.unsigned(
                chainId, position, keyId, identity.scheme().code(), NO_CLOCK, transaction);
        byte[] region = AdministrativeBatch.signedRegion(batch);
        identity.sign(region, 0, region.length, batch, batch.length - SignedBatch.SIGNATURE_LENGTH);
        return batch;
    }

    /** Returns what became of the batches that were sent: of one that was executed, if there is one. */
    private Optional<TransactionOutcome> outcome() {
        MembershipView view = gateway.membership();
        return view.getRecentList().stream()
                .filter(each -> sent.contains(Digest.of(each.getBatchId().toByteArray())))
                .reduce((one, later) -> one.getRefusal().isEmpty() ? one : later);
    }

    /** The node may be restarting. */
    private static String passing(StatusRuntimeException failure) throws NotTakenException {
        Status status = failure.getStatus();
        if (status.getCode() == Status.Code.UNAVAILABLE || status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return "no answer: " + status.getCode();
        }
        throw new NotTakenException(false, "refused: " + status.getCode() + ": " + status.getDescription());
    }

    private void pause(String waitingFor) throws NotTakenException, InterruptedException {
        long nowNs = System.nanoTime();
        if (nowNs - deadlineNs > 0) {
            throw new NotTakenException(true, "no result in time: " + waitingFor);
        }
        if (nowNs - nextProgressNs > 0) {
            progress.accept(waitingFor);
            nextProgressNs = nowNs + TimeUnit.MILLISECONDS.toNanos(PROGRESS_MS);
        }
        TimeUnit.MILLISECONDS.sleep(RETRY_MS);
    }
}
