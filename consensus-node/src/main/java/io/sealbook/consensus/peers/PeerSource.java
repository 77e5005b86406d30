package io.sealbook.consensus.peers;

import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.node.spread.Spreading;
import io.sealbook.protocol.v1.SubmitStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A peer as a source of batches: no one waits for the verdict, which admission has counted.
 *
 * @param peer the member
 * @param spreading asks for no copy of what waits for its verdict
 */
record PeerSource(int peer, Spreading spreading) implements BatchSource {
    private static final Logger log = LoggerFactory.getLogger(PeerSource.class);

    @Override
    public void onVerdict(long correlationId, Verdict verdict) {
        boolean isRefused = verdict.status() == SubmitStatus.REFUSED;
        spreading.onDecided(peer, verdict.batchId(), !isRefused, System.nanoTime());
        if (isRefused) {
            log.debug("batch of node {} refused: {} {}", peer, verdict.reason(), verdict.detail());
        }
    }

    @Override
    public void onVerdictsEnd() {
        // Nothing was kept back.
    }
}
