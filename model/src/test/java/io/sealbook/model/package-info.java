/** Runs TLC on the model of agreement. */
package io.sealbook.model;
