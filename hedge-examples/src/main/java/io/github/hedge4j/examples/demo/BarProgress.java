package io.github.hedge4j.examples.demo;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on the standard error stream. */
final class BarProgress implements Comparison.Progress, AutoCloseable {

    private static final int REFRESH_MILLIS = 250;

    private final ProgressBar bar;

    BarProgress(long steps) {
        bar = new ProgressBarBuilder()
                .setTaskName("calls")
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(REFRESH_MILLIS)
                .build();
    }

    @Override
    public void on(Strategy strategy) {
        bar.setExtraMessage(" " + strategy.name());
    }

    @Override
    public void step() {
        bar.step();
    }

    @Override
    public void close() {
        bar.close();
    }
}
