/**
 * The parts that only the console page needs: the states of all nodes, and the WebSocket that feeds it. The page itself
 * is a static resource.
 */
package io.sealbook.engine.console;
