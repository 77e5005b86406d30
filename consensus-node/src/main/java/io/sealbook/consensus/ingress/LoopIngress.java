package io.sealbook.consensus.ingress;

import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.NodeLoop;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.AdmissionLines;
import io.sealbook.node.admission.ArrivedBatch;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.vocabulary.Digest;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes, verifies and admits on the event loop that received the batches: all that have come since it ran last, with
 * as many signatures together as the verifier takes, after the wait that {@link CompanyWait} allows. It takes no more
 * than agreement has room for, because nothing may wait on the loop.
 *
 * <p>What it has no room for yet waits in lines, those of each sender, and of each broker, served in turn. Only the
 * loop's thread touches them; {@link #depth} is for any thread.
 */
public final class LoopIngress extends DutyCycle implements Ingress {
    private static final Logger log = LoggerFactory.getLogger(LoopIngress.class);
    private static final long IDLE_NS = 1_000_000_000;
    private static final long RETRY_NS = 1_000_000;
    private static final int BATCHES_PER_CYCLE = 512;
    /** Inputs of agreement that a batch makes at most: itself, or what withdraws those of an equivocating broker. */
    private static final int INPUTS_PER_BATCH = 2;
    /** Left to those who tell agreement something on other threads meanwhile. */
    private static final int ROOM_RESERVED = 1_024;

    private final IngressContext context;
    private final NodeLoop loop;
    private final DecodeStage decoding;
    private final SignatureStage signatures;
    private final Admission admission;
    private final IntSupplier room;
    private final CompanyWait company;
    private final EpochNanoClock clock = new SystemEpochNanoClock();
    private final AdmissionLines<ArrivedBatch> lines;
    private final IngressSlot[] slots = new IngressSlot[BATCHES_PER_CYCLE];
    private long arrivedCount;
    private volatile int depth;
    /** Until when what has come waits for company, if it does. */
    private long companyNs;

    private boolean isWaitingForCompany;

    /**
     * @param context limits and metrics
     * @param loop on which batches arrive
     * @param stages made for this ingress
     * @param admission decides
     * @param room how many inputs agreement takes now
     */
    public LoopIngress(
            IngressContext context, NodeLoop loop, LaneStages stages, Admission admission, IntSupplier room) {
        this.context = context;
        this.loop = loop;
        this.decoding = stages.decoding();
        this.signatures = stages.collecting(context.batches().to());
        this.admission = admission;
        this.room = room;
        this.company = new CompanyWait(context.batches(), context.config().verifyWaitNs(), 1);
        this.lines = new AdmissionLines<>(context.config().ringSize(), context.nodeCount());
        Arrays.setAll(slots, i -> new IngressSlot());
    }

    /** The loop runs the cycle. */
    @Override
    public void start() {}

    @Override
    public boolean offer(BatchSource source, long correlationId, byte[] bytes, Digest knownBatchId) {
        ArrivedBatch batch = new ArrivedBatch(source, correlationId, bytes, knownBatchId, System.nanoTime());
        if (!lines.add(source.peer(), source.holder(), batch)) {
            return false;
        }
        arrivedCount++;
        depth = lines.size();
        wakeUp();
        return true;
    }

    @Override
    public long depth() {
        return depth;
    }

    @Override
    public boolean hasWork() {
        return available() > 0 && !(isWaitingForCompany && companyNs - System.nanoTime() > 0);
    }

    @Override
    public long idleNs() {
        if (isWaitingForCompany) {
            return Math.max(0, companyNs - System.nanoTime());
        }
        return lines.size() > 0 ? RETRY_NS : IDLE_NS;
    }

    @Override
    public int doWork() {
        int count = available();
        if (count <= 0 || isCompanyExpected(count)) {
            return 0;
        }
        admit(count);
        return count;
    }

    private int available() {
        int admissible = (room.getAsInt() - ROOM_RESERVED) / INPUTS_PER_BATCH;
        return Math.min(lines.size(), Math.min(admissible, BATCHES_PER_CYCLE));
    }

    private boolean isCompanyExpected(int count) {
        long nowNs = System.nanoTime();
        long waitNs = company.sleepNs(count, arrivedCount, nowNs);
        companyNs = nowNs + waitNs;
        isWaitingForCompany = waitNs > 0;
        return isWaitingForCompany;
    }

    private void admit(int count) {
        for (int i = 0; i < count; i++) {
            IngressSlot slot = slots[i];
            slot.fill(lines.next());
            decoding.decode(slot);
            signatures.add(slot);
            if (signatures.isFull()) {
                verify();
            }
        }
        verify();
        for (int i = 0; i < count; i++) {
            admission.decide(slots[i], i == count - 1, clock.nanoTime());
        }
        depth = lines.size();
    }

    private void verify() {
        int count = signatures.size();
        if (count > 0) {
            long startedNs = System.nanoTime();
            signatures.verify();
            context.metrics().verified(count, System.nanoTime() - startedNs);
        }
    }

    @Override
    public void close() {
        loop.runToEnd(() -> {
            for (int count = available(); count > 0; count = available()) {
                admit(count);
            }
        });
        if (depth() > 0) {
            log.warn("ingress: {} batches left without verdict", depth());
        }
    }
}
