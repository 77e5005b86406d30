package io.sealbook.perf.bench.pbft;

import io.sealbook.pbft.Input;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Four replicas joined by a queue. One operation is one block: its batches become available at all four, are
 * acknowledged, proposed, prepared, committed, delivered and executed by all four; every 16th makes a stable
 * checkpoint. Signatures are a constant. Fails unless all four deliver the same block with every batch.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class AgreementBenchmark {
    private static final int REPLICAS = 4;
    private static final int BROKERS = 4;
    private static final byte[] SIGNATURE = new byte[65];
    private static final long EPOCH_NS = 1_700_000_000_000_000_000L;

    /** At most what one acknowledgement holds, so that every operation is one block. */
    @Param({"1", "30", "250"})
    public int batches;

    private record Envelope(int to, Message message) {}

    private final Replica[] replicas = new Replica[REPLICAS];
    private final Proposal[] delivered = new Proposal[REPLICAS];
    private final ArrayDeque<Envelope> network = new ArrayDeque<>();
    private final List<Output> outputs = new ArrayList<>();
    private long blocks;
    private long batchCount;
    /** Of each broker's session. */
    private final long[] numbers = new long[BROKERS];

    private final Digest[] last = new Digest[BROKERS];
    private final long[] deliveredBatches = new long[REPLICAS];

    @Setup(Level.Iteration)
    public void start() {
        blocks = 0;
        network.clear();
        Arrays.fill(numbers, 0);
        Arrays.fill(last, Digest.ZERO);
        for (int i = 0; i < REPLICAS; i++) {
            ReplicaConfig config = ReplicaConfig.builder(i, REPLICAS, 7).build();
            replicas[i] = new Replica(config, signedBytes -> SIGNATURE);
            replicas[i].start(outputs);
            carryOut(i);
        }
    }

    @Benchmark
    public long block() {
        for (int b = 0; b < batches; b++) {
            Digest batchId =
                    Digest.read(ByteBuffer.allocate(Digest.LENGTH).putLong(0, ++batchCount * 0x9E3779B97F4A7C15L));
            int broker = b & BROKERS - 1;
            SessionEnd end = new SessionEnd(SessionKey.of(broker, 0), ++numbers[broker], batchId);
            for (int i = 0; i < REPLICAS; i++) {
                step(i, new Input.BatchAvailable(end, last[broker]));
            }
            last[broker] = batchId;
        }
        for (int i = 0; i < REPLICAS; i++) {
            step(i, new Input.Clock(EPOCH_NS + blocks));
        }
        while (!network.isEmpty()) {
            Envelope envelope = network.poll();
            step(envelope.to, new Input.Received(envelope.message));
        }
        blocks++;
        for (int i = 0; i < REPLICAS; i++) {
            check(i);
        }
        return replicas[0].lastDelivered();
    }

    private void step(int replica, Input input) {
        replicas[replica].step(input, outputs);
        if (!outputs.isEmpty()) {
            carryOut(replica);
        }
    }

    private void carryOut(int replica) {
        List<Output> cycle = List.copyOf(outputs);
        outputs.clear();
        for (Output output : cycle) {
            switch (output) {
                case Output.Send send -> network.add(new Envelope(send.to(), send.message()));
                case Output.Broadcast broadcast -> {
                    for (int to = 0; to < REPLICAS; to++) {
                        if (to != replica) {
                            network.add(new Envelope(to, broadcast.message()));
                        }
                    }
                }
                case Output.Deliver deliver -> {
                    Proposal proposal = deliver.proposal();
                    delivered[replica] = proposal;
                    deliveredBatches[replica] = deliver.ranges().stream()
                            .mapToLong(BatchRange::count)
                            .sum();
                    step(replica, new Input.Executed(proposal.sequence(), proposal.digest(), proposal.digest()));
                }
                case Output.Ignored ignored -> {
                    // The fourth vote of a block that three have made stable comes too late.
                    if (ignored.reason().isFault()) {
                        throw new IllegalStateException(ignored.toString());
                    }
                }
                default -> {
                    // Records and timers are the shell's.
                }
            }
        }
    }

    private void check(int replica) {
        Proposal proposal = delivered[replica];
        if (proposal == null
                || proposal.sequence() != blocks
                || deliveredBatches[replica] != batches
                || !proposal.equals(delivered[0])) {
            throw new IllegalStateException("block " + blocks + " of replica " + replica + ": " + proposal);
        }
    }
}
