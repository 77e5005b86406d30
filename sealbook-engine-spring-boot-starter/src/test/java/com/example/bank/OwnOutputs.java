package com.example.bank;

import io.grpc.stub.StreamObserver;
import io.sealbook.engine.journal.JournalHandler;
import io.sealbook.engine.output.BlockOutput;
import io.sealbook.engine.output.DirectOutput;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an institution may replace: the output is filed on the matching thread, and one gRPC service is its own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("bank.own-outputs")
class OwnOutputs {
    static final long BLOCK = 4_711;

    @Bean
    BlockOutput directOutput(EngineSettings settings, JournalHandler filing) {
        return new DirectOutput(settings.frameBytes(), true, frame -> filing.onEvent(frame, 0, frame.isLast()));
    }

    @Bean
    EngineStatusGrpc.EngineStatusImplBase bankStatus() {
        return new EngineStatusGrpc.EngineStatusImplBase() {
            @Override
            public void getEngineStatus(GetEngineStatusRequest request, StreamObserver<EngineState> response) {
                response.onNext(EngineState.newBuilder().setLastExecuted(BLOCK).build());
                response.onCompleted();
            }
        };
    }
}
