/** An application of an institution, which embeds an engine; no class here is in a package of Sealbook. */
package com.example.bank;
