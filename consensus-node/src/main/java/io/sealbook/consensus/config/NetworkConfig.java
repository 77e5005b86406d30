package io.sealbook.consensus.config;

/**
 * Where this node listens. Ports of votes, payloads and gateway are in the genesis file, because others must know them.
 *
 * @param bindAddress address of the peer and gateway ports
 * @param admin the admin HTTP port
 */
public record NetworkConfig(String bindAddress, AdminConfig admin) {
    public NetworkConfig {
        ConfigException.require(!bindAddress.isBlank(), "bind-address is blank");
    }
}
