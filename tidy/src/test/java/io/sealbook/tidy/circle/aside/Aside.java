package io.sealbook.tidy.circle.aside;

/** In no circle: nothing is needed from here. */
public record Aside(int value) {}
