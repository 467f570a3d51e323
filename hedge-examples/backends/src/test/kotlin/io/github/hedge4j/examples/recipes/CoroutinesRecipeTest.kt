package io.github.hedge4j.examples.recipes

import io.github.hedge4j.Attempt
import io.github.hedge4j.Hedge
import io.github.hedge4j.HedgeConfig
import io.github.hedge4j.HedgeDelay
import io.github.hedge4j.time.VirtualTimer
import java.time.Duration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.supervisorScope
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

class CoroutinesRecipeTest {

    // Whatever resumes a coroutine runs it: nothing here needs a second thread.
    private val callers = CoroutineScope(Dispatchers.Unconfined)
    private val timer = VirtualTimer()
    private val trail = mutableListOf<String>()
    private val hedge =
        Hedge.of(
            "coroutines",
            HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(50)))
                .timer(timer)
                .executor(Runnable::run)
                .build(),
        )

    // tag::coroutines[]
    // A supervisor: in a plain coroutineScope, an attempt that fails would end the whole call.
    suspend fun <T : Any> Hedge.hedged(block: suspend (Attempt) -> T): T = supervisorScope {
        start<T> { attempt -> future { block(attempt) } }.await()
    }
    // end::coroutines[]

    private suspend fun neverAnswers(attempt: Attempt): String {
        trail.add("start ${attempt.number()}")
        try {
            awaitCancellation()
        } catch (cancelled: CancellationException) {
            trail.add("cancel ${attempt.number()}")
            throw cancelled
        }
    }

    @AfterEach
    fun nothingIsPending() {
        assertThat(timer.pending()).isZero()
        assertThat(hedge.metrics.inFlightAttempts).isZero()
    }

    @Test
    fun `the loser's coroutine is cancelled`() {
        val answer = callers.future {
            hedge.hedged { attempt -> if (attempt.isHedge) "hedge" else neverAnswers(attempt) }
        }
        assertThat(trail).containsExactly("start 0")

        timer.advance(Duration.ofMillis(50))

        assertThat(answer).isCompletedWithValue("hedge")
        assertThat(trail).containsExactly("start 0", "cancel 0")
    }

    @Test
    fun `an attempt that fails does not end the call`() {
        val answer = callers.future {
            hedge.hedged { attempt -> if (attempt.isHedge) "hedge" else error("refused") }
        }

        assertThat(answer).isCompletedWithValue("hedge")
    }

    @Test
    fun `cancelling the caller's coroutine cancels all attempts`() {
        val answer = callers.future { hedge.hedged { attempt -> neverAnswers(attempt) } }
        timer.advance(Duration.ofMillis(50))

        answer.cancel(true)

        assertThat(trail).containsExactlyInAnyOrder("start 0", "start 1", "cancel 0", "cancel 1")
        assertThat(hedge.metrics.numberOfCancelledCalls).isEqualTo(1)
    }
}
