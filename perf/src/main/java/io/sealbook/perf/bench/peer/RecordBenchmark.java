package io.sealbook.perf.bench.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sealbook.peer.record.RecordDecoder;
import io.sealbook.peer.record.RecordEncoder;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One operation encrypts what one write of a node to another contains and decrypts it again: through the handlers of
 * both ends of a connection, and by Java's cipher on the direct buffers of which Netty reads and writes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class RecordBenchmark {
    private static final int TAG_LENGTH = 16;
    private static final int NONCE_LENGTH = 12;

    @Param({"200", "2000", "20000"})
    public int length;

    private ByteBuf content;
    private EmbeddedChannel sender;
    private EmbeddedChannel receiver;

    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_LENGTH);
    private SecretKeySpec key;
    private Cipher cipher;
    private ByteBuffer direct;
    private ByteBuffer closed;
    private ByteBuffer opened;

    @Setup
    public void prepare() throws GeneralSecurityException {
        byte[] keyBytes = new byte[32];
        byte[] bytes = new byte[length];
        Random random = new Random(37);
        random.nextBytes(keyBytes);
        random.nextBytes(bytes);
        content = Unpooled.directBuffer(length).writeBytes(bytes);
        sender = new EmbeddedChannel(new RecordEncoder(keyBytes));
        receiver = new EmbeddedChannel(new RecordDecoder(keyBytes));
        key = new SecretKeySpec(keyBytes, "AES");
        cipher = Cipher.getInstance("AES/GCM/NoPadding");
        direct = ByteBuffer.allocateDirect(length).put(bytes);
        closed = ByteBuffer.allocateDirect(length + TAG_LENGTH);
        opened = ByteBuffer.allocateDirect(length);
    }

    @Benchmark
    public int handlers() {
        sender.writeOutbound(content.retainedDuplicate());
        receiver.writeInbound(sender.<ByteBuf>readOutbound());
        ByteBuf received = receiver.readInbound();
        int last = received.getByte(length - 1);
        if (received.readableBytes() != length || last != content.getByte(length - 1)) {
            throw new IllegalStateException("the content came changed");
        }
        received.release();
        return last;
    }

    @Benchmark
    public int cipherOnDirectBuffers() throws GeneralSecurityException {
        nonce.putLong(0, nonce.getLong(0) + 1);
        apply(Cipher.ENCRYPT_MODE, direct.rewind(), closed.clear());
        apply(Cipher.DECRYPT_MODE, closed.flip(), opened.clear());
        if (opened.get(length - 1) != direct.get(length - 1)) {
            throw new IllegalStateException("the content came changed");
        }
        return opened.position();
    }

    private void apply(int mode, ByteBuffer in, ByteBuffer out) throws GeneralSecurityException {
        cipher.init(mode, key, new GCMParameterSpec(Byte.SIZE * TAG_LENGTH, nonce.array()));
        cipher.doFinal(in, out);
    }
}
