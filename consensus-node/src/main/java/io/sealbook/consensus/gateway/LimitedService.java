package io.sealbook.consensus.gateway;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.sealbook.access.HolderQuota;
import java.util.Map;
import java.util.Set;

/**
 * A service of the gateway with the limits of its calls. A call in none of them has no limit but its connection's.
 *
 * @param service answers calls on event loops; must not wait
 * @param reads calls that share the gateway's places for readers
 * @param submissions calls that share the gateway's places for streams of orders
 * @param quotas places of other calls
 */
public record LimitedService(
        BindableService service,
        Set<MethodDescriptor<?, ?>> reads,
        Set<MethodDescriptor<?, ?>> submissions,
        Map<MethodDescriptor<?, ?>, HolderQuota> quotas) {
    private static final int ANSWERS_MAX = 512;
    private static final int ANSWERS_PER_ADDRESS = 16;

    /**
     * Returns places of calls that are answered from memory at once. A caller that does not read has its answers held
     * here, of 100 KB and more in a large consortium; a place is free when its answer is written.
     */
    public static HolderQuota answers() {
        return new HolderQuota(ANSWERS_MAX, ANSWERS_PER_ADDRESS);
    }
}
