package io.sealbook.consensus.ingress;

import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.admission.SignatureStage;

/** Makes the stages that the ring's threads run; each call makes another one. */
public interface LaneStages {
    DecodeStage decoding();

    /** Returns a stage that collects and verifies at most this number of signatures. */
    SignatureStage collecting(int batchMax);
}
