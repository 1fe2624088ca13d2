import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlainAnswer } from './send-request.ts';

/** Bytes for a connection, and the expected responses. */
export interface RawRequest {
  readonly name: string;
  /** Parts, written one after the other with a pause in between. */
  readonly parts: readonly Buffer[];
  /** True if no response follows. */
  readonly ends: boolean;
  /** Required number of responses; null if the server may also send none. */
  readonly answers: number | null;
}

/** Responses on a connection. */
export interface RawAnswers {
  readonly answers: readonly PlainAnswer[];
  /** Bytes after the last complete response. */
  readonly rest: string;
}

const answerMsMax = 15_000;
const quietMs = 150;

/** Writes the bytes and reads until all expected responses have arrived, or the connection ends. */
export async function exchange(url: string, { parts, ends, answers }: RawRequest): Promise<RawAnswers> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const received: Buffer[] = [];
  let isClosed = false;
  let lastMs = performance.now();
  socket.on('data', (data) => {
    received.push(data);
    lastMs = performance.now();
  });
  socket.on('error', () => undefined);
  socket.on('end', () => (isClosed = true));
  socket.on('close', () => (isClosed = true));
  await write(socket, parts, ends);
  const startMs = (lastMs = performance.now());
  const isDone = () => {
    if (isClosed || performance.now() - startMs > answerMsMax) return true;
    const count = readAnswers(Buffer.concat(received)).answers.length;
    return answers === null ? performance.now() - lastMs > quietMs : count >= answers;
  };
  while (!isDone()) await sleep(10);
  socket.destroy();
  return readAnswers(Buffer.concat(received));
}

async function write(socket: Socket, parts: readonly Buffer[], ends: boolean): Promise<void> {
  for (const [i, part] of parts.entries()) {
    if (i > 0) await sleep(20);
    if (socket.destroyed) return;
    socket.write(part);
  }
  if (ends) socket.end();
}

/** Complete responses in a stream of bytes, without interim ones. */
function readAnswers(bytes: Buffer): RawAnswers {
  const answers: PlainAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const read = readAnswer(rest);
    if (read === null) return { answers, rest: rest.toString('latin1') };
    if (read.answer.status >= 200) answers.push(read.answer);
    rest = rest.subarray(read.length);
  }
}

function readAnswer(bytes: Buffer): { readonly answer: PlainAnswer; readonly length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return null;
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  );
  const body = readBody(status, headers, bytes.subarray(headEnd + 4));
  return body === null
    ? null
    : { answer: { status, headers, body: body.content }, length: headEnd + 4 + body.length };
}

function readBody(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
): { readonly content: Buffer; readonly length: number } | null {
  if (status < 200) return { content: Buffer.alloc(0), length: 0 };
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes);
  const length = Number(headers['content-length'] ?? 0);
  return bytes.length < length ? null : { content: bytes.subarray(0, length), length };
}

function readChunks(bytes: Buffer): { readonly content: Buffer; readonly length: number } | null {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + size + 2;
    if (!(bytes.length >= end)) return null;
    chunks.push(bytes.subarray(lineEnd + 2, end - 2));
    at = end;
    if (size === 0) return { content: Buffer.concat(chunks), length: at };
  }
}
