package io.sealbook.consumers.oldgrpc;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.sealbook.consumers.plain.BidAndCancel;
import java.nio.file.Path;

/** Trades while its own gRPC service answers, before and after. The argument is a broker's directory. */
public final class OldGrpcBroker {
    private OldGrpcBroker() {}

    public static void main(String[] args) throws Exception {
        Server server = NettyServerBuilder.forPort(0)
                .addService(new HealthStatusManager().getHealthService())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("localhost", server.getPort())
                .usePlaintext()
                .build();
        try {
            printHealth(channel);
            BidAndCancel.run(Path.of(args[0]));
            printHealth(channel);
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    private static void printHealth(ManagedChannel channel) {
        System.out.println("own gRPC "
                + HealthGrpc.newBlockingStub(channel)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus());
    }
}
