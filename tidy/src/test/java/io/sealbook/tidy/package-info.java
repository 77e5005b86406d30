/**
 * Rules that the files and classes of all modules keep.
 *
 * <pre>
 *   Checkout ──▶ rule ──▶ offences ──▶ Ratchet ──▶ failure with place and remedy
 *                                         ▲
 *                            ratchet.tsv ─┘ offences per file that were there when the rule came
 * </pre>
 */
package io.sealbook.tidy;
