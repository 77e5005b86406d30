/** What proves to anybody that a member signed two statements that exclude each other. */
package io.sealbook.node.evidence;
