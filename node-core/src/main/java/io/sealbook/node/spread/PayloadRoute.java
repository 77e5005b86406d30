package io.sealbook.node.spread;

/** Which way a batch takes from the node whose gateway took it to the others. */
public enum PayloadRoute {
    /** To all others at once; proposals name what is there already. */
    DIRECT,
    /** To the primary, which sends it on when it proposes it: what agreement on whole requests costs. */
    PRIMARY
}
