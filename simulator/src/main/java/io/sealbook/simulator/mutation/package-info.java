/**
 * Plants the bugs of a catalogue one at a time and looks for what finds them: seeds of the simulator, or a unit test.
 *
 * <pre>
 *   catalogue ─▶ source with one mistake ─▶ its classes, compiled ─▶ process with these first on its class path
 *                                                                      ├─ simulator: seeds until one fails
 *                                                                      └─ JUnit: the named test fails
 * </pre>
 *
 * <p>A process for each: a mistake may make a run endless or fill the memory, and leaves nothing in static fields.
 */
package io.sealbook.simulator.mutation;
