/**
 * A program of a broker that uses the bundle and nothing else; the other consumers call it beside libraries of theirs.
 */
package io.sealbook.consumers.plain;
