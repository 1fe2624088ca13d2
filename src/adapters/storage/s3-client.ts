import { AwsV4Signer } from 'aws4fetch';
import type { Credentials } from '../../core/storage/credentials.ts';
import type { S3Location } from '../../core/storage/location.ts';
import type { StreamAnswer, StreamClient, StreamRequest } from '../http/http-stream.ts';
import { exchange, readSmallBody } from './http-exchange.ts';
import { parseS3Error, type S3Error } from './s3-answers.ts';
import { s3Error } from './s3-errors.ts';
import type { StorageTimes } from './time-limits.ts';

/** A request about a bucket or an object in it. */
export interface S3Request {
  readonly method: StreamRequest['method'];
  /** Path below the prefix of the location; empty for the bucket itself. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Uint8Array>;
  /** Digest of the body. Default: that of an empty one. */
  readonly sha256?: string;
}

export interface S3Client {
  /** Name of the bucket and its host, for messages. */
  readonly where: string;
  /** Makes a request. The answer has any status. */
  readonly send: (request: S3Request, signal: AbortSignal) => Promise<StreamAnswer>;
  /** Error of an answer that is no success: reads its body. */
  readonly errorOf: (answer: StreamAnswer, path: string) => Promise<Error>;
  /** Value of `x-amz-copy-source`. */
  readonly copySource: (path: string) => string;
}

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const errorBytesMax = 64 * 1024;

export interface S3ClientOptions {
  readonly credentials: Credentials | null;
  readonly http: StreamClient;
  readonly times: StorageTimes;
}

/** Creates a client that signs its requests (AWS Signature Version 4); without an access key they are anonymous. */
export function createS3Client(
  location: S3Location,
  { credentials, http, times }: S3ClientOptions,
): S3Client {
  const { bucket, prefix, endpoint } = location;
  const where = `The bucket ${bucket} at ${new URL(endpoint).host}`;
  const pathOf = (path: string) => `/${bucket}${path === '' ? '' : `/${encodeKey(`${prefix}${path}`)}`}`;

  async function send(request: S3Request, signal: AbortSignal): Promise<StreamAnswer> {
    const { method, path, query = {}, headers = {}, body, sha256 = emptySha256 } = request;
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodePart(value)}`);
    const url = new URL(`${endpoint}${pathOf(path)}${search.length === 0 ? '' : `?${search.join('&')}`}`);
    const unsigned = { ...headers, 'x-amz-content-sha256': sha256 };
    const signed = await sign(url, { method, headers: unsigned, location, credentials });
    const sent = { method, headers: signed, ...(body === undefined ? {} : { body }) };
    return exchange(http, url, sent, { signal, times, where });
  }

  async function errorOf(answer: StreamAnswer, path: string): Promise<Error> {
    const { code, region } = await readError(answer, where);
    const { status } = answer;
    return s3Error({ status, code, region: answer.header('x-amz-bucket-region') ?? region, where, path });
  }

  return { where, send, errorOf, copySource: pathOf };
}

async function readError({ body }: StreamAnswer, where: string): Promise<S3Error> {
  try {
    return parseS3Error(await readSmallBody(body, errorBytesMax, where));
  } catch {
    // Cut off, or too long: the status counts without its explanation.
    return { code: null, region: null };
  }
}

interface Unsigned {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly location: S3Location;
  readonly credentials: Credentials | null;
}

async function sign(
  url: URL,
  { method, headers, location, credentials }: Unsigned,
): Promise<Readonly<Record<string, string>>> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials ?? {};
  if (accessKeyId === undefined || secretAccessKey === undefined) return headers;
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: 's3',
    region: location.region,
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}

function encodeKey(key: string): string {
  return key.split('/').map(encodePart).join('/');
}

/** RFC 3986 §2.3: everything but unreserved characters is escaped, as the signature needs it. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
