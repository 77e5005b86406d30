package io.sealbook.engine.rpc;

import io.grpc.MethodDescriptor;
import io.sealbook.access.role.CallRule;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsByBlockRequest;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.GetLastReportRequest;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.OpenOrdersRequest;
import io.sealbook.protocol.v1.PositionsRequest;
import io.sealbook.protocol.v1.TraceOrderRequest;
import java.util.Map;

/** Who may call what at the gRPC port of an engine. */
public final class EngineRules {
    /** By method; one that is absent is refused. */
    public static final Map<MethodDescriptor<?, ?>, CallRule> ALL = Map.of(
            EngineStatusGrpc.getGetEngineStatusMethod(), CallRule.PUBLIC,
            MarketDataGrpc.getFollowBestPricesMethod(), CallRule.PUBLIC,
            MarketDataGrpc.getFollowDepthMethod(), CallRule.PUBLIC,
            MarketDataGrpc.getFollowTradesMethod(), CallRule.PUBLIC,
            ExecutionReportsGrpc.getGetLastReportMethod(),
                    CallRule.ofBroker(GetLastReportRequest.class, GetLastReportRequest::getBrokerId),
            ExecutionReportsGrpc.getFollowMethod(),
                    CallRule.ofBroker(FollowReportsRequest.class, FollowReportsRequest::getBrokerId),
            ExecutionReportsGrpc.getFollowByBlockMethod(),
                    CallRule.ofBroker(FollowReportsByBlockRequest.class, FollowReportsByBlockRequest::getBrokerId),
            BrokerQueriesGrpc.getTraceOrderMethod(),
                    CallRule.ofBroker(TraceOrderRequest.class, TraceOrderRequest::getBrokerId),
            BrokerQueriesGrpc.getGetOpenOrdersMethod(),
                    CallRule.ofBroker(OpenOrdersRequest.class, OpenOrdersRequest::getBrokerId),
            BrokerQueriesGrpc.getGetPositionsMethod(),
                    CallRule.ofBroker(PositionsRequest.class, PositionsRequest::getBrokerId));

    private EngineRules() {}
}
