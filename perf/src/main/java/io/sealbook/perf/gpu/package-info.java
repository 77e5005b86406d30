/** Measures a CUDA device: {@link io.sealbook.perf.gpu.GpuCommand} is the way in. */
package io.sealbook.perf.gpu;
