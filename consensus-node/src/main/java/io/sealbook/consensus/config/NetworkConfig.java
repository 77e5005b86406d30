package io.sealbook.consensus.config;

/**
 * Where this node listens. Ports of votes, payloads and gateway are in the genesis file, because others must know them.
 *
 * @param bindAddress address of the peer and gateway ports
 * @param adminAddress address of the admin HTTP port
 * @param adminPort 0 lets the system choose
 */
public record NetworkConfig(String bindAddress, String adminAddress, int adminPort) {
    public NetworkConfig {
        ConfigException.require(!bindAddress.isBlank(), "bind-address is blank");
        ConfigException.require(!adminAddress.isBlank(), "admin-address is blank");
        ConfigException.require(0 <= adminPort && adminPort <= 65535, "admin-port=" + adminPort + " is not a port");
    }
}
