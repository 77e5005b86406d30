package io.sealbook.engine.setup;

import io.sealbook.matching.MarketConfig;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The agreed facts that every part of the shell needs: the genesis file with its instruments and brokers by id.
 * Immutable.
 */
public final class AgreedMarket {
    private final GenesisFile genesisFile;
    private final Map<Integer, Instrument> instruments = new LinkedHashMap<>();
    private final Map<Integer, Broker> brokers = new LinkedHashMap<>();

    public AgreedMarket(GenesisFile genesisFile) {
        this.genesisFile = genesisFile;
        genesis().getInstrumentsList().forEach(instrument -> instruments.put(instrument.getInstrumentId(), instrument));
        genesis().getBrokersList().forEach(broker -> brokers.put(broker.getBrokerId(), broker));
    }

    /**
     * Reads a genesis file.
     *
     * @throws IllegalArgumentException if it breaks a rule
     * @throws UncheckedIOException if it cannot be read
     */
    public static AgreedMarket read(Path genesisJson) {
        try {
            return new AgreedMarket(GenesisFile.parse(Files.readAllBytes(genesisJson)));
        } catch (IOException e) {
            throw new UncheckedIOException("genesis: cannot read " + genesisJson, e);
        }
    }

    /**
     * Checks that this process can hold the largest books that the genesis file admits.
     *
     * @param heapBytes the largest heap that the process may have
     * @throws io.sealbook.vocabulary.OperatingFailureException if not; the message names the numbers
     */
    public AgreedMarket requireHeap(long heapBytes) {
        EngineHeap.check(MarketConfig.of(genesis()), heapBytes);
        return this;
    }

    public Genesis genesis() {
        return genesisFile.genesis();
    }

    /** Returns the digest that block 1 names as its previous hash. */
    public Digest genesisDigest() {
        return genesisFile.digest();
    }

    public boolean hasBroker(int brokerId) {
        return brokers.containsKey(brokerId);
    }

    public List<Integer> brokerIds() {
        return List.copyOf(brokers.keySet());
    }

    public boolean hasInstrument(int instrumentId) {
        return instruments.containsKey(instrumentId);
    }

    public List<Integer> instrumentIds() {
        return List.copyOf(instruments.keySet());
    }
}
