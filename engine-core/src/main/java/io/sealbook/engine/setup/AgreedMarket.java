package io.sealbook.engine.setup;

import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.chain.ChainTerms;
import io.sealbook.membership.Membership;
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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agreed facts that every part of the shell needs: the genesis file, and what followed from it by the blocks that
 * were executed. The thread that executes blocks sets the terms, any thread reads them.
 */
public final class AgreedMarket {
    private static final Logger log = LoggerFactory.getLogger(AgreedMarket.class);

    private final GenesisFile genesisFile;
    private volatile long heapBytes = Long.MAX_VALUE;
    private volatile Present present;
    private volatile long ledgerBytes;

    /** The terms of the next block, with its instruments and brokers by id. */
    private record Present(ChainTerms terms, Map<Integer, Instrument> instruments, Map<Integer, Broker> brokers) {
        static Present of(ChainTerms terms) {
            Genesis genesis = terms.next().terms();
            Map<Integer, Instrument> instruments = new LinkedHashMap<>();
            genesis.getInstrumentsList().forEach(one -> instruments.put(one.getInstrumentId(), one));
            Map<Integer, Broker> brokers = new LinkedHashMap<>();
            genesis.getBrokersList().forEach(broker -> brokers.put(broker.getBrokerId(), broker));
            return new Present(terms, instruments, brokers);
        }
    }

    /** Makes a market before block 1. */
    public AgreedMarket(GenesisFile genesisFile) {
        this.genesisFile = genesisFile;
        go(ChainTerms.of(genesisFile.genesis()));
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
     * Checks that this process can hold the largest books that the genesis file admits, and, when it starts from a
     * snapshot, those that its terms admit. Terms that come later are only warned of: an engine goes on.
     *
     * @param bytes the largest heap that the process may have
     * @throws io.sealbook.vocabulary.OperatingFailureException if not; the message names the numbers
     */
    public AgreedMarket requireHeap(long bytes) {
        heapBytes = bytes;
        EngineHeap.check(MarketConfig.of(genesis()), bytes);
        go(present.terms);
        return this;
    }

    /**
     * Begins with the terms of a snapshot.
     *
     * @throws io.sealbook.vocabulary.OperatingFailureException if this process cannot hold the largest books under them
     */
    public void restore(ChainTerms terms) {
        EngineHeap.check(MarketConfig.of(terms.next().terms()), heapBytes);
        go(terms);
    }

    /** Goes on with the terms after another block. */
    public void follow(ChainTerms terms) {
        String shortage = EngineHeap.shortage(MarketConfig.of(terms.next().terms()), heapBytes);
        if (!shortage.isEmpty()) {
            log.error("{}; this engine goes on, its next start is refused", shortage);
        }
        go(terms);
    }

    private void go(ChainTerms terms) {
        present = Present.of(terms);
        ledgerBytes = EngineHeap.ledgers(MarketConfig.of(terms.next().terms()), heapBytes);
    }

    /** Returns the heap that may hold what brokers ask of their reports, beside the largest books; any thread. */
    public long ledgerBytes() {
        return ledgerBytes;
    }

    /** Returns the genesis file: nodes and parameters, and what else was agreed before block 1. */
    public Genesis genesis() {
        return genesisFile.genesis();
    }

    /** Returns the terms after the last executed block that changed them. */
    public ChainTerms terms() {
        return present.terms;
    }

    /** Returns the membership under which the next block is executed. */
    public Membership membership() {
        return present.terms.next();
    }

    /** Returns the configuration of the next block in the form of a genesis; the same object until it changes. */
    public Genesis present() {
        return membership().terms();
    }

    /** Returns the digest that block 1 names as its previous hash. */
    public Digest genesisDigest() {
        return genesisFile.digest();
    }

    /** Returns whether there is such a broker, whatever its status. */
    public boolean hasBroker(int brokerId) {
        return present.brokers.containsKey(brokerId);
    }

    /** Returns all brokers, in the order in which they came. */
    public List<Integer> brokerIds() {
        return List.copyOf(present.brokers.keySet());
    }

    public boolean hasInstrument(int instrumentId) {
        return present.instruments.containsKey(instrumentId);
    }

    /** Returns an instrument as it is now. */
    public Optional<Instrument> instrument(int instrumentId) {
        return Optional.ofNullable(present.instruments.get(instrumentId));
    }

    /** Returns all instruments, in the order in which they came. */
    public List<Integer> instrumentIds() {
        return List.copyOf(present.instruments.keySet());
    }
}
