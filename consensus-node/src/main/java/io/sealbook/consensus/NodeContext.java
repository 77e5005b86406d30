package io.sealbook.consensus;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.ingress.DegradingVerifier;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.consensus.peers.Speech;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.status.NodeState;
import io.sealbook.tls.TlsIdentity;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the parts of one node share.
 *
 * @param member whose node it is
 * @param registry of all meters
 * @param state which agent, committer and result thread publish
 * @param metrics of the node
 * @param verifier verifies the signatures of brokers and members
 * @param tls of the gateway and the admin port; empty without TLS
 * @param knownNodes file of present nodes and their signed addresses
 * @param speech puts other words between decisions and transport in a laboratory; the identity otherwise
 * @param parts closes each part that is added, the last one first
 */
record NodeContext(
        Member member,
        PrometheusMeterRegistry registry,
        NodeState state,
        NodeMetrics metrics,
        DegradingVerifier verifier,
        Optional<TlsIdentity> tls,
        Path knownNodes,
        UnaryOperator<Speech> speech,
        OpenParts parts) {
    int nodeId() {
        return member.nodeId();
    }

    NodeConfig config() {
        return member.config();
    }
}
