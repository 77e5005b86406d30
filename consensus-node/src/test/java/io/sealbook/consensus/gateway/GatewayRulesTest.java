package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.FollowerInfoGrpc;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GatewayRulesTest {
    /** A method that is added to a service and forgotten here is refused to all callers. */
    @Test
    void shouldHaveARuleForEveryMethod() {
        List<ServiceDescriptor> served = List.of(
                OrderGatewayGrpc.getServiceDescriptor(),
                BlockFeedGrpc.getServiceDescriptor(),
                FollowerInfoGrpc.getServiceDescriptor(),
                ResultReturnGrpc.getServiceDescriptor());

        assertThat(GatewayRules.ALL.keySet())
                .containsExactlyInAnyOrderElementsOf(served.stream()
                        .flatMap(service -> Stream.of(service.getMethods().toArray(MethodDescriptor[]::new)))
                        .<MethodDescriptor<?, ?>>map(method -> method)
                        .toList());
    }
}
