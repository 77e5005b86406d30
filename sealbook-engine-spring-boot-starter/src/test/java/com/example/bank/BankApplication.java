package com.example.bank;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Scans its own package only. */
@SpringBootApplication
public class BankApplication {}
