package io.sealbook.keytool;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A genesis file with four nodes, one instrument, and broker 3, whose key has id 2. */
final class GenesisOfTest {
    private GenesisOfTest() {}

    static Genesis.Builder of(List<VerificationKey> nodes, VerificationKey broker) {
        Genesis.Builder genesis = Genesis.newBuilder().setChainId(7);
        for (int i = 0; i < nodes.size(); i++) {
            genesis.addNodes(Node.newBuilder()
                    .setNodeId(i)
                    .setName("member " + i)
                    .setIdentity(key(nodes.get(i)))
                    .setHost("localhost")
                    .setVotePort(7000 + 10 * i)
                    .setPayloadPort(7001 + 10 * i)
                    .setGatewayPort(7002 + 10 * i)
                    .setEnginePort(7003 + 10 * i));
        }
        return genesis.addBrokers(Broker.newBuilder()
                        .setBrokerId(3)
                        .setName("Third")
                        .addKeys(BrokerKey.newBuilder().setKeyId(2).setKey(key(broker))))
                .addInstruments(Instrument.newBuilder()
                        .setInstrumentId(1)
                        .setSymbol("ABC")
                        .setPriceMin(1)
                        .setPriceMax(1000)
                        .setQuantityMax(1000));
    }

    static PublicKey key(VerificationKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.point()))
                .build();
    }

    static void write(Path folder, Genesis.Builder genesis) throws IOException {
        Files.writeString(folder.resolve("genesis.json"), GenesisFile.toJson(genesis.build()));
    }
}
