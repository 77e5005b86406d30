/** What makes a module a function of its inputs, as ArchUnit rules. */
package io.sealbook.purity;
