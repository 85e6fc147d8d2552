"""The library call: no proxy. Your own history stays as it is; the model gets the view."""

from openai import OpenAI

import acr

history = [
    {"role": "user", "content": "How much does my phone plan cost in a year?"},
    {
        "role": "assistant",
        "content": "A plan is 30 euros a month, so that makes 360 euros.\n\nAnswer: 360",
    },
    {"role": "user", "content": "The plan is 18 euros a month, and in December they charge 6 euros extra."},
]
view = acr.refactor(history)
print(f"decision: {view.decision.operator} because {view.decision.reason}")
for message in view.messages:
    print(f"  {message['role']}: {message['content']}")

client = OpenAI()
model = client.models.list().data[0].id
response = client.chat.completions.create(model=model, messages=view.messages, max_tokens=120, temperature=0)
print(response.choices[0].message.content)
