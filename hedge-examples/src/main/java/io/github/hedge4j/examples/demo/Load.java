package io.github.hedge4j.examples.demo;

/** How many calls to make, and how many of them to keep in flight. */
record Load(int calls, int concurrency) {}
