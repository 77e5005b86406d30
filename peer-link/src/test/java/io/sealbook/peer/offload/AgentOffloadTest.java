package io.sealbook.peer.offload;

import io.micrometer.core.instrument.MeterRegistry;

class AgentOffloadTest extends IngressOffloadContract {
    @Override
    IngressOffload open(OffloadConfig config, MeterRegistry meters) {
        return new AgentOffload(config, meters);
    }
}
