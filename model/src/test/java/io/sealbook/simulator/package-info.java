/** What the tests of the model need of the simulator. */
package io.sealbook.simulator;
