package io.sealbook.perf.siege;

import java.util.Map;

/**
 * One row of the table of doors: a method or a path, and who may use it.
 *
 * @param port gateway, engine, http or admin; or follower, which no node serves
 * @param name service and method, or path
 * @param admits by caller: whether it gets an answer
 */
record Door(String port, String name, Map<Guest, Boolean> admits) {
    @Override
    public String toString() {
        return port + " " + name;
    }
}
