/** Starts and wires one engine; every direct sub-package is a subject of its own, and they form no cycles. */
package io.sealbook.engine;
