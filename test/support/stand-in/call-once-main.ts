import { createHttpClient } from '../../../src/adapters/http/http.ts';

/** Calls a local address once with the HTTP client and prints the result: the text, or the error's message. */
const [address = ''] = process.argv.slice(2);
const client = createHttpClient({ allowedHosts: ['localhost'] });
const bounds = { signal: new AbortController().signal, deadlineMs: 10_000, bodyBytesMax: 1_000 };
const outcome = await client.send(new URL(address), { method: 'GET' }, bounds).then(
  ({ text }) => text,
  (error: unknown) => String(error),
);
await client.close();
console.log(outcome);
