package io.sealbook.consensus.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.GetMembershipProofRequest;
import io.sealbook.protocol.v1.MembershipProofPart;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code light} against a node that is none. */
@Timeout(300)
class LightCommandTest {
    private static final ByteString PART = ByteString.copyFrom(new byte[1 << 20]);

    @TempDir
    private Path directory;

    /** Sends parts as long as somebody reads. */
    private static final class EndlessGateway extends OrderGatewayGrpc.OrderGatewayImplBase {
        @Override
        public void getMembershipProof(
                GetMembershipProofRequest request, StreamObserver<MembershipProofPart> observer) {
            ServerCallStreamObserver<MembershipProofPart> parts =
                    (ServerCallStreamObserver<MembershipProofPart>) observer;
            parts.setOnCancelHandler(() -> {});
            parts.setOnReadyHandler(() -> {
                while (parts.isReady() && !parts.isCancelled()) {
                    parts.onNext(MembershipProofPart.newBuilder().setBytes(PART).build());
                }
            });
        }
    }

    @Test
    void shouldNameANodeWhoseProofHasNoEndAndAskTheNext() throws Exception {
        assertThat(NodeTool.commandLine().execute("testnet", "--dir=" + directory, "--force"))
                .isZero();
        Server first = serve();
        Server second = serve();
        List<String> addresses = List.of("127.0.0.1:" + first.getPort(), "127.0.0.1:" + second.getPort());
        StringWriter out = new StringWriter();
        try {
            int exitCode = NodeTool.commandLine()
                    .setOut(new PrintWriter(out))
                    .execute(
                            "light",
                            directory.resolve("members.proof").toString(),
                            "--genesis=" + directory.resolve("genesis.json"),
                            "--node=" + addresses.get(0),
                            "--node=" + addresses.get(1),
                            "--timeout-ms=120000");

            assertThat(exitCode).isEqualTo(1);
        } finally {
            first.shutdownNow();
            second.shutdownNow();
        }
        assertThat(out.toString().lines())
                .containsExactly(
                        "FAULT " + addresses.get(0) + ": a membership proof without end",
                        "FAULT " + addresses.get(1) + ": a membership proof without end");
        assertThat(directory.resolve("members.proof")).doesNotExist();
    }

    private static Server serve() throws Exception {
        return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(new EndlessGateway())
                .build()
                .start();
    }
}
