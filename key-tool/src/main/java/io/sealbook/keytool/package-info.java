/**
 * Key files for people: {@code new}, {@code show}, {@code export}, {@code check}. A node's jar has the same commands
 * under {@code keys}.
 */
package io.sealbook.keytool;
