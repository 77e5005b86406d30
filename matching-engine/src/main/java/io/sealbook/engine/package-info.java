/** Starts and wires one engine; every direct sub-package is one subject, and they form no cycles. */
package io.sealbook.engine;
