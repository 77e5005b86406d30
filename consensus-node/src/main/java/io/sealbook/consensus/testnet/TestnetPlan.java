package io.sealbook.consensus.testnet;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.endpoint.HostPort;
import java.util.ArrayList;
import java.util.List;

/**
 * What a new cluster shall be.
 *
 * @param chainId not 0; every signature and frame is bound to it
 * @param hosts one host name for all nodes, or one for each
 * @param basePort port of node 0's votes; node i uses ten ports from {@code basePort + portStep * i}
 * @param portStep 10 when the nodes share a machine, 0 when each has its own
 * @param identityScheme scheme of the nodes' identity keys
 * @param brokerSchemes one broker each, numbered from 1
 * @param accounts of the brokers; one that is not named gets the account of its own number
 * @param isTls whether every process and broker gets a certificate and TLS is required
 * @param nodeProperties further lines for every node.properties
 */
public record TestnetPlan(
        long chainId,
        List<String> hosts,
        int nodeCount,
        int basePort,
        int portStep,
        String bindAddress,
        SignatureScheme identityScheme,
        List<SignatureScheme> brokerSchemes,
        List<AccountSpec> accounts,
        List<Instrument> instruments,
        Parameters parameters,
        boolean isTls,
        List<String> nodeProperties) {
    static final int PORTS_PER_NODE = 10;

    public TestnetPlan {
        hosts = List.copyOf(hosts);
        brokerSchemes = List.copyOf(brokerSchemes);
        accounts = List.copyOf(accounts);
        instruments = List.copyOf(instruments);
        nodeProperties = List.copyOf(nodeProperties);
        require(nodeCount >= 4, "--nodes " + nodeCount + ": agreement needs at least 4");
        require(
                hosts.size() == 1 || hosts.size() == nodeCount,
                "--host given " + hosts.size() + " times, expected once or " + nodeCount + " times");
        for (String host : hosts) {
            require(HostPort.isHost(host), "--host " + host + ": expected a " + HostPort.HOST_FORM);
        }
        require(
                portStep == 0 || portStep >= PORTS_PER_NODE,
                "--port-step " + portStep + " is neither 0 nor at least 10");
        require(
                basePort > 0 && basePort + (long) portStep * (nodeCount - 1) + PORTS_PER_NODE <= 65_536,
                "--base-port " + basePort + ": ports of " + nodeCount + " nodes do not fit below 65536");
        require(
                isTls || TlsSettings.isLoopback(bindAddress),
                "--bind-address " + bindAddress + ": ports that other machines reach need --tls");
        for (AccountSpec spec : accounts) {
            require(
                    0 < spec.brokerId() && spec.brokerId() <= brokerSchemes.size(),
                    "--accounts of broker " + Integer.toUnsignedString(spec.brokerId()) + ", there are "
                            + brokerSchemes.size());
        }
        require(portStep > 0 || hosts.size() == nodeCount, "--port-step 0 needs one --host for each node");
    }

    String host(int node) {
        return hosts.get(hosts.size() == 1 ? 0 : node);
    }

    int port(int node, PortUse use) {
        return basePort + portStep * node + use.ordinal();
    }

    /** Returns the accounts of a broker, at least one range. */
    List<AccountRange> accountsOf(int brokerId) {
        List<AccountRange> ranges = accounts.stream()
                .filter(spec -> spec.brokerId() == brokerId)
                .map(AccountSpec::range)
                .toList();
        return ranges.isEmpty() ? List.of(AccountSpec.ownNumber(brokerId).range()) : ranges;
    }

    /** Returns the settings of the engine at a place in the order of ports. */
    List<String> engineProperties(int place) {
        List<String> lines = new ArrayList<>(List.of(
                "server.address=" + bindAddress,
                "server.port=" + port(place, PortUse.ENGINE_HTTP),
                "sealbook.engine.grpc-address=" + bindAddress,
                "sealbook.engine.grpc-port=" + port(place, PortUse.ENGINE)));
        tlsLine().forEach(line -> lines.add("sealbook.engine." + line));
        return lines;
    }

    /** Returns the line of every settings file that requires TLS; none without it. */
    List<String> tlsLine() {
        return isTls ? List.of(TlsSettings.MODE_KEY + "=required") : List.of();
    }

    /** The ports of a node, in their order from its base. */
    enum PortUse {
        VOTE,
        PAYLOAD,
        GATEWAY,
        ENGINE,
        NODE_ADMIN,
        ENGINE_HTTP
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
