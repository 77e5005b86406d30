package io.sealbook.peer.offload;

import io.micrometer.core.instrument.MeterRegistry;

class EventLoopOffloadTest extends IngressOffloadContract {
    @Override
    IngressOffload open(OffloadConfig config, MeterRegistry meters) {
        return new EventLoopOffload(config, meters);
    }
}
