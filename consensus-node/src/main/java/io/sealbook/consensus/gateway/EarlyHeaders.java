package io.sealbook.consensus.gateway;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * Sends the headers of an answer when the call arrives, not with the first item: the caller of a stream without news
 * sees that it is served. Any thread.
 */
final class EarlyHeaders implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata requestHeaders, ServerCallHandler<Q, A> next) {
        call.sendHeaders(new Metadata());
        ServerCall<Q, A> answered = new SimpleForwardingServerCall<>(call) {
            @Override
            public void sendHeaders(Metadata headers) {
                // A call has one set of headers, and they have been sent.
            }
        };
        return next.startCall(answered, requestHeaders);
    }
}
