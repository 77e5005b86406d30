package io.sealbook.perf.bench.client;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One operation reads one execution report, written by the generated flyweight, into the SDK's record. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Xms256m",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            // Agrona's buffers.
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
        })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReportDecodeBenchmark {
    private static final long CL_ORD_ID = 77;

    private ByteBuffer buffer;

    @Setup
    public void prepare() {
        byte[] bytes = new byte[ExecutionReportDecoder.HEADER_LENGTH + ExecutionReportEncoder.BLOCK_LENGTH];
        new ExecutionReportEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
                .reportSequence(1)
                .clOrdId(CL_ORD_ID)
                .brokerId(1)
                .action(Action.NEW)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY)
                .execType(ExecType.TRADE)
                .ordStatus(OrdStatus.FILLED)
                .rejectReason(RejectReason.NONE);
        buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Benchmark
    public ExecutionReport decode() {
        ExecutionReport report = ExecutionReportDecoder.decode(buffer, 0);
        if (report.clOrdId() != CL_ORD_ID || report.rejectReason() != RejectReason.NONE) {
            throw new IllegalStateException("read " + report);
        }
        return report;
    }
}
