package io.sealbook.tidy.circle.above;

import io.sealbook.tidy.circle.aside.Aside;
import io.sealbook.tidy.circle.below.Below;

/** One half of a circle, for the test of the rule. */
public record Above(Below below, Aside aside) {}
