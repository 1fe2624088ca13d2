import { expect, test } from 'vitest';
import { peek } from '../../../../src/csv/peek.ts';

interface Source {
  readonly chunks: AsyncGenerator<Buffer>;
  readonly closed: () => boolean;
}

function openSource(...texts: readonly string[]): Source {
  let closed = false;
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for (const text of texts) yield Buffer.from(text);
    } finally {
      closed = true;
    }
  }
  return { chunks: chunks(), closed: () => closed };
}

test.each([0, 1, 3, 4, 6, 99])('reading %d bytes ahead consumes nothing', async (bytesMin) => {
  const { head, chunks } = await peek(openSource('ab', 'cd', '', 'ef').chunks, bytesMin);
  expect(head.length).toBeGreaterThanOrEqual(Math.min(bytesMin, 6));
  const pieces: Buffer[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  expect(Buffer.concat(pieces).toString()).toBe('abcdef');
  expect('abcdef'.startsWith(head.toString())).toBe(true);
});

test('the source is closed when reading stops, even within the bytes read ahead', async () => {
  const source = openSource('ab', 'cd', 'ef');
  const { chunks } = await peek(source.chunks, 3);
  for await (const chunk of chunks) {
    expect(chunk.toString()).toBe('ab');
    break;
  }
  expect(source.closed()).toBe(true);
});
