package io.sealbook.consensus.gateway;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.sealbook.access.HolderQuota;
import java.util.Map;
import java.util.Set;

/**
 * A service of the gateway with the limits of its calls. Calls in none of them share the gateway's places for others.
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
        Map<MethodDescriptor<?, ?>, HolderQuota> quotas) {}
