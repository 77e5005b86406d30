/** What two modules that must not see each other have agreed on, checked where both are at hand. */
package io.sealbook.perf.contract;
