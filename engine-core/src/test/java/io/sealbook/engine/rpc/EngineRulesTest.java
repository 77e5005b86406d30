package io.sealbook.engine.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.MarketDataGrpc;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EngineRulesTest {
    /** A method that is added to a service and forgotten here is refused to all callers. */
    @Test
    void shouldHaveARuleForEveryMethod() {
        List<ServiceDescriptor> served = List.of(
                EngineStatusGrpc.getServiceDescriptor(),
                ExecutionReportsGrpc.getServiceDescriptor(),
                BrokerQueriesGrpc.getServiceDescriptor(),
                MarketDataGrpc.getServiceDescriptor());

        assertThat(EngineRules.ALL.keySet())
                .containsExactlyInAnyOrderElementsOf(served.stream()
                        .flatMap(service -> Stream.of(service.getMethods().toArray(MethodDescriptor[]::new)))
                        .<MethodDescriptor<?, ?>>map(method -> method)
                        .toList());
    }
}
