import { onTestFinished } from 'vitest';

/** A server-sent event. */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Reader of an event stream. */
export interface Follower {
  readonly response: Response;
  /** Next event; null when the stream has ended. */
  readonly next: () => Promise<StreamEvent | null>;
  readonly leave: () => void;
}

/** Follows an event stream until the test ends. */
export async function followEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Follower> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const response = await fetch(url, { headers, signal: gone.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<StreamEvent | null> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const event = parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event !== null) return event;
        continue;
      }
      const read = await reader?.read();
      if (read === undefined || read.done) return null;
      text += read.value;
    }
  }
  return { response, next, leave: () => gone.abort() };
}

/** Returns null for a comment. */
function parseEvent(text: string): StreamEvent | null {
  const fields = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(':'))
      .map(
        (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()] as const,
      ),
  );
  const data = fields.get('data');
  if (data === undefined) return null;
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) as unknown };
}
