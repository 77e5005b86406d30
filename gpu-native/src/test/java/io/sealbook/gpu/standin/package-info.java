/**
 * A CUDA driver for machines without one: {@code libcuda.so.1} with the entry points that this module calls, running
 * the kernels on the processor. It is compiled when a test asks for it, from {@code src/test/cuda}, the kernels'
 * sources and a translation of the PTX.
 *
 * <p>Test scope only, and never on a library path: a node that found it would verify at a thousandth of the speed.
 */
package io.sealbook.gpu.standin;
