package io.sealbook.consumers.oldprotobuf;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.HealthStatusManager;
import io.sealbook.consumers.plain.BidAndCancel;
import java.nio.file.Path;

/** Trades between two uses of its own messages and of its own gRPC. The argument is a broker's directory. */
public final class OldProtobufBroker {
    private OldProtobufBroker() {}

    public static void main(String[] args) throws Exception {
        Server server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(new HealthStatusManager().getHealthService())
                .build()
                .start();
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        "localhost", server.getPort(), InsecureChannelCredentials.create())
                .build();
        try {
            printOwn(channel);
            BidAndCancel.run(Path.of(args[0]));
            printOwn(channel);
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    private static void printOwn(ManagedChannel channel) throws Exception {
        byte[] bytes =
                Position.newBuilder().setAccount("A").setQuantity(-5).build().toByteArray();
        System.out.println("own protobuf " + Position.parseFrom(bytes).getQuantity());
        System.out.println("own gRPC "
                + HealthGrpc.newBlockingStub(channel)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus());
    }
}
