// Examples of the Vercel AI SDK's documentation; the base URL comes from OPENAI_BASE_URL.
import { openai } from '@ai-sdk/openai';
import { generateText, Output, streamText } from 'ai';
import { z } from 'zod';

const { text } = await generateText({
  model: openai('gpt-5-mini'),
  prompt: 'Write a vegetarian lasagna recipe for 4 people.',
});

console.log(text);

const { output } = await generateText({
  model: openai('gpt-5-mini'),
  output: Output.object({
    schema: z.object({
      name: z.string(),
      date: z.string(),
      participants: z.array(z.string()),
    }),
  }),
  prompt: 'Alice and Bob are going to a science fair on Friday.',
});

console.log(output);

// The same provider by Chat Completions, streamed.
const result = streamText({
  model: openai.chat('gpt-5-mini'),
  prompt: 'Invent a new holiday and describe its traditions.',
});

for await (const textPart of result.textStream) {
  console.log(textPart);
}
