import type { Readable } from 'node:stream';
import { EnrichError, StorageRejected, StorageUnavailable } from '../../core/errors.ts';
import { NotConnected } from '../http/http-connect.ts';
import {
  NotCallable,
  type StreamAnswer,
  type StreamClient,
  type StreamRequest,
} from '../http/http-stream.ts';
import { errorCode, notConnectedError } from './connection-errors.ts';
import { guardStream } from './guarded-stream.ts';
import { whileMoving, type StorageTimes } from './time-limits.ts';

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  readonly times: StorageTimes;
  /** Name of the storage in messages, without secrets. */
  readonly where: string;
}

/**
 * Sends a request, and returns its answer when the headers have arrived. The body is guarded: it fails when it stops or the signal aborts.
 *
 * @throws StorageUnavailable | StorageRejected when there is no answer, in time or at all.
 */
export async function exchange(
  client: StreamClient,
  url: URL,
  { body, ...request }: StreamRequest,
  options: ExchangeOptions,
): Promise<StreamAnswer> {
  const { where } = options;
  const translate = (error: unknown) => connectionError(error, where);
  const answer = await whileMoving(options, async (signal, moved) => {
    try {
      const sent = body === undefined ? request : { ...request, body: watched(body, moved) };
      return await client.open(url, sent, signal);
    } catch (error) {
      throw translate(error);
    }
  });
  return { ...answer, body: guardStream(answer.body, { ...options, translate }) };
}

const droppedBytesMax = 64 * 1024;

/** Calls `moved` with each piece that the connection takes. */
async function* watched(
  body: AsyncIterable<Uint8Array>,
  moved: () => void,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of body) {
    moved();
    yield chunk;
  }
}

/** Reads a small body as UTF-8. @throws StorageRejected when it has more bytes than allowed. */
export async function readSmallBody(body: Readable, bytesMax: number, where: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new StorageRejected(`${where} answered more than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Reads a body that says nothing, so that the connection can be used again. */
export async function dropBody({ body }: StreamAnswer, where: string): Promise<void> {
  try {
    await readSmallBody(body, droppedBytesMax, where);
  } catch {
    // The status has come; a longer body ends with its connection.
    body.destroy();
  }
}

/** Converts an error of the connection. An error of ours, and one that is not of the connection, is returned as it is. */
function connectionError(error: unknown, where: string): unknown {
  if (error instanceof EnrichError || !(error instanceof Error)) return error;
  if (error instanceof NotCallable) return new StorageRejected(error.message, { cause: error });
  if (error instanceof NotConnected) return notConnectedError(error, where);
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return new StorageRejected(`${where} answered with headers that are too large.`, { cause: error });
  }
  if (!/^(UND_ERR|E[A-Z]+$|HPE_)/.test(code)) return error;
  return new StorageUnavailable(`${where} cut off the connection (${code}).`, { cause: error });
}
