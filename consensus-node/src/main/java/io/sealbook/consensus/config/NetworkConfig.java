package io.sealbook.consensus.config;

import io.sealbook.tls.TlsSettings;
import java.util.List;

/**
 * Where this node listens, and how its connections are protected. Ports of votes, payloads and gateway are in the
 * genesis file, because others must know them.
 *
 * @param bindAddress address of the peer and gateway ports
 * @param admin the admin HTTP port
 * @param tls of gateway and admin port, and of the connections that this process opens to other gateways
 */
public record NetworkConfig(String bindAddress, AdminConfig admin, TlsSettings tls) {
    public NetworkConfig {
        ConfigException.require(!bindAddress.isBlank(), "bind-address is blank");
    }

    /** Reads the settings. */
    static NetworkConfig of(Settings settings) {
        String bindAddress = settings.text("bind-address", "127.0.0.1");
        AdminConfig admin = AdminConfig.of(settings);
        return new NetworkConfig(bindAddress, admin, tls(settings, List.of(bindAddress, admin.address())));
    }

    private static TlsSettings tls(Settings settings, List<String> addresses) {
        try {
            return TlsSettings.of(key -> settings.text(key, ""), addresses);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }
}
