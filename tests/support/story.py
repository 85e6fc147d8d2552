"""Conversations of each kind, and a model that answers them: what the page and the metrics have to show."""

from collections.abc import Callable, Sequence
from typing import Any

from openai import OpenAI
from support.proxy import RunningProxy
from support.upstream import Received, Reply, completion, deltas

Start = Callable[..., RunningProxy]

ANSWERS = {
    "orchard": "Without the number of trees I assume 50 trees of 2 kilograms: 50 × 2 = 100 kilograms.",
    "24 apple": "24 apple trees of 5 kilograms give 24 × 5 = 120 kilograms.",
    "half as many": "There are 12 pear trees. 24 × 1.5 + 12 × 1.5 = 54 kilograms.",
    "35 kilograms": "The apple trees give 24 × 35 = 840 kilograms, the pear trees 12 × 35 = 420: 1260 kilograms in all.",
    "20 kilograms": "24 × 35 = 840 kilograms of apples and 12 × 20 = 240 kilograms of pears: 1080 kilograms.",
}
PIECES = (
    "How many kilograms of fruit does my orchard give?",
    "I have 24 apple trees.",
    "There are half as many pear trees as apple trees.",
    "Each apple tree gives 35 kilograms of apples.",
    "Each pear tree gives 20 kilograms of pears.",
)
HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script><b>bold</b>"


def answering(request: Received) -> Reply:
    """The model: answers by the newest message, streamed where that is asked for."""
    if request.method == "GET":
        return Reply.of_json({"object": "list", "data": [{"id": "demo-model", "object": "model"}]})
    newest = request.json["messages"][-1]["content"]
    found = [text for cue, text in ANSWERS.items() if cue in newest]
    text = found[-1] if found else f"You said: {newest}"
    if not request.json.get("stream"):
        return Reply.of_json(completion(text))
    usage = {"prompt_tokens": 50, "completion_tokens": 9, "total_tokens": 59}
    last = {**deltas()[0], "choices": [], "usage": usage}
    return Reply.of_events(*deltas(*(word + " " for word in text.split(" "))), last)


def talk(
    proxy: RunningProxy, pieces: Sequence[str], *, key: str = "unused", **more: Any
) -> list[dict[str, Any]]:
    """Hold a conversation as a client does: the whole history each time."""
    client = OpenAI(base_url=proxy.url, api_key=key, max_retries=0)
    messages: list[Any] = []
    for piece in pieces:
        messages.append({"role": "user", "content": piece})
        answer = client.chat.completions.create(model="demo-model", messages=messages, **more)
        messages.append({"role": "assistant", "content": answer.choices[0].message.content})
    client.close()
    return messages


def told(proxy: RunningProxy, **more: Any) -> None:
    talk(proxy, ["Hello there"], **more)
    talk(proxy, [HOSTILE, f"again {HOSTILE}"], extra_headers={"x-acr-operator": "recap"}, **more)
    talk(proxy, ["Write a list.", "Shorter."], extra_headers={"x-acr-operator": "broken"}, **more)
    talk(proxy, ["What is a monad?", "And a functor?"], extra_headers={"x-acr-bypass": "true"}, **more)
    talk(proxy, PIECES, **more)
