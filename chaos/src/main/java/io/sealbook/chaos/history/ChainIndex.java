package io.sealbook.chaos.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The places of each batch in the chain, and the batch of each place. */
final class ChainIndex {
    private final Map<BatchName, List<ChainBatch>> byName = new HashMap<>();
    private final Map<BatchPlace, ChainBatch> byPlace = new HashMap<>();

    ChainIndex(History history) {
        for (ChainBatch batch : history.chain()) {
            byName.computeIfAbsent(batch.name(), name -> new ArrayList<>(1)).add(batch);
            byPlace.put(batch.place(), batch);
        }
    }

    /** Returns the occurrences of a batch in the order of the chain; empty if it is in no block. */
    List<ChainBatch> occurrences(BatchName name) {
        return byName.getOrDefault(name, List.of());
    }

    /** Returns the batch at a place, or null. */
    ChainBatch at(BatchPlace place) {
        return byPlace.get(place);
    }

    /** Returns whether a batch is the first occurrence of its name, the one that is executed. */
    boolean isExecuted(ChainBatch batch) {
        return byName.get(batch.name()).get(0) == batch;
    }
}
