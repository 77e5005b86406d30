package io.sealbook.simulator;

import io.sealbook.vocabulary.Digest;

/** A client's batch as the simulator knows it. */
record Batch(Digest batchId, int client, long validUntilBlock) {}
