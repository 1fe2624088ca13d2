import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { SwiftServer } from './swift-server.ts';

/** Creates a bucket. @throws Error when Swift does not. */
export async function createBucket(swift: SwiftServer, bucket: string): Promise<void> {
  await send(swift, { method: 'PUT', path: bucket });
}

/** Stores an object. @throws Error when Swift does not. */
export async function putObject(swift: SwiftServer, path: string, body: Uint8Array): Promise<void> {
  await send(swift, { method: 'PUT', path, body });
}

/** Reads an object. @throws Error when it does not exist. */
export async function getObject(swift: SwiftServer, path: string): Promise<Buffer> {
  return Buffer.from(await (await send(swift, { method: 'GET', path })).arrayBuffer());
}

/** Lists the keys of a bucket, in order. */
export async function listKeys(swift: SwiftServer, bucket: string): Promise<readonly string[]> {
  const answer = await send(swift, { method: 'GET', path: `${bucket}?list-type=2&max-keys=1000` });
  return [...(await answer.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
}

interface Sent {
  readonly method: string;
  /** Bucket and key, and a query. */
  readonly path: string;
  readonly body?: Uint8Array;
}

async function send({ url: origin, key }: SwiftServer, { method, path, body }: Sent): Promise<Response> {
  const digest = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const signer = new AwsV4Signer({
    ...{ method, url: `${origin}/${path}`, service: 's3' },
    headers: { 'x-amz-content-sha256': digest },
    ...key,
  });
  const { url, headers } = await signer.sign();
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!answer.ok)
    throw new Error(`Swift answered ${answer.status} to ${method} ${path}: ${await answer.text()}`);
  return answer;
}
