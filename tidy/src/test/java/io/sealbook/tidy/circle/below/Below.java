package io.sealbook.tidy.circle.below;

import io.sealbook.tidy.circle.above.Above;

/** The other half of a circle, for the test of the rule. */
public record Below(Above above) {}
