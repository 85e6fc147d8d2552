from acr.proxy.headers import first, printable, to_client, to_upstream


def test_the_client_s_headers_go_on_but_for_those_of_the_connection() -> None:
    sent = [
        (b"host", b"proxy"),
        (b"authorization", b"Bearer k"),
        (b"connection", b"keep-alive, X-Hop"),
        (b"x-hop", b"1"),
        (b"keep-alive", b"5"),
        (b"te", b"trailers"),
        (b"transfer-encoding", b"chunked"),
        (b"expect", b"100-continue"),
        (b"upgrade", b"h2c"),
        (b"proxy-authorization", b"x"),
        (b"x-acr-mode", b"off"),
        (b"x-two", b"a"),
        (b"x-two", b"b"),
        (b"x-utf8", "ä".encode()),
        (b"x-latin", b"\xe4"),
    ]
    assert to_upstream(sent) == [
        (b"authorization", b"Bearer k"),
        (b"x-two", b"a"),
        (b"x-two", b"b"),
        (b"x-utf8", "ä".encode()),
        (b"x-latin", b"\xe4"),
    ]


def test_connection_cannot_strip_what_frames_the_body() -> None:
    sent = [
        (b"connection", b"content-length, content-type"),
        (b"content-length", b"3"),
        (b"content-type", b"a/b"),
    ]
    assert to_upstream(sent) == sent[1:]


def test_the_upstream_s_headers_come_back_with_duplicates_and_order() -> None:
    sent = [(b"Set-Cookie", b"a"), (b"X-RateLimit", b"0"), (b"Set-Cookie", b"b"), (b"Connection", b"close")]
    assert to_client(sent, [(b"x-acr-decision", b"none")]) == [
        (b"set-cookie", b"a"),
        (b"x-ratelimit", b"0"),
        (b"set-cookie", b"b"),
        (b"x-acr-decision", b"none"),
    ]


def test_the_upstream_s_request_id_is_kept_under_another_name_too() -> None:
    sent = [(b"X-Request-Id", b"theirs")]
    assert to_client(sent, []) == [(b"x-request-id", b"theirs"), (b"x-upstream-request-id", b"theirs")]
    assert to_client(sent, [(b"x-request-id", b"ours")]) == [
        (b"x-upstream-request-id", b"theirs"),
        (b"x-request-id", b"ours"),
    ]


def test_an_acr_behind_an_acr_does_not_double_its_headers() -> None:
    sent = [(b"x-acr-decision", b"intervened")]
    assert to_client(sent, [(b"x-acr-decision", b"none")]) == [(b"x-acr-decision", b"none")]


def test_first_takes_the_first() -> None:
    assert first([(b"a", b"1"), (b"a", b"2")], b"a") == b"1"
    assert first([], b"a") is None


def test_printable_is_one_line_of_ascii() -> None:
    assert printable("a\r\nx-evil: 1\x00 ä") == b"a??x-evil: 1? ?"
    assert len(printable("x" * 1000)) == 200
