/** Which of the engine's results become checkpoints of agreement. */
package io.sealbook.node.checkpointing;
