"""An app that knows nothing of ACR: start it with OPENAI_BASE_URL=http://127.0.0.1:8300/v1, that is all."""

from openai import OpenAI

client = OpenAI()
model = client.models.list().data[0].id
history = []
for said in (
    "How much does my phone plan cost in a year?",
    "The plan is 18 euros a month.",
    "In December they charge 6 euros extra.",
):
    history.append({"role": "user", "content": said})
    response = client.chat.completions.create(model=model, messages=history, max_tokens=120, temperature=0)
    answer = response.choices[0].message.content
    history.append({"role": "assistant", "content": answer})
    print(f"> {said}\n{answer}\n")
