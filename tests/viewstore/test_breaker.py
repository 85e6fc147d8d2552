"""The circuit breaker, with a clock of its own."""

from acr.viewstore.breaker import FIRST, Breaker


def test_one_try_a_pause_and_longer_pauses() -> None:
    now = [100.0]
    breaker = Breaker(lambda: now[0])
    assert breaker.due and not breaker.fault
    breaker.trip("TimeoutError")
    breaker.trip("ConnectionError")  # of a call that was under way at the same time
    assert breaker.fault == "TimeoutError" and not breaker.due
    now[0] += FIRST
    assert breaker.due and not breaker.due, "one tries, the others wait"
    pauses = []
    for _ in range(8):
        breaker.trip("ConnectionError")
        breaker.trip("ConnectionError")
        start = now[0]
        while not breaker.due:
            now[0] += 0.01
        pauses.append(round(now[0] - start, 1))
    assert pauses == [1.0, 2.0, 4.0, 5.0, 5.0, 5.0, 5.0, 5.0]
    now[0] += 60
    assert breaker.due, "a try of which nothing was heard holds nobody up"
    breaker.close()
    assert breaker.due and breaker.due
    breaker.trip("TimeoutError")
    now[0] += FIRST
    assert breaker.due, "after it has worked, pauses begin short again"
