import { StorageRejected } from '../../core/errors.ts';
import type { Credentials } from '../../core/storage/credentials.ts';
import type { S3Location } from '../../core/storage/location.ts';
import { assertStoragePath, comparePaths, isListedPath } from '../../core/storage/storage-path.ts';
import type { LocalFile, Storage, StorageFile } from '../../core/storage/storage.ts';
import { createStreamClient, type StreamAnswer, type StreamClientOptions } from '../http/http-stream.ts';
import { dropBody, readSmallBody } from './http-exchange.ts';
import { readLocalFile } from './local-file.ts';
import { parseObjectPage, parseS3Error, plainTag, type ObjectPage } from './s3-answers.ts';
import { createS3Client, type S3Client } from './s3-client.ts';
import { isMissing, s3Error } from './s3-errors.ts';
import { standardTimes, type StorageTimes } from './time-limits.ts';

export interface S3Options extends StreamClientOptions {
  readonly credentials: Credentials | null;
  readonly times?: StorageTimes;
}

/** A list of 1,000 keys of 1,024 bytes each, all of them escaped, is shorter. */
const listBytesMax = 8 * 1024 * 1024;
/** Ten million objects. Our choice. */
const pagesMax = 10_000;

/** Opens a bucket of Amazon S3, or of a service with its interface. A version is an entity tag. Requests follow no redirect. */
export function openS3Storage(
  location: S3Location,
  { credentials, times = standardTimes, ...options }: S3Options,
): Storage {
  const http = createStreamClient(options);
  const client = createS3Client(location, { credentials, http, times });

  async function expectSuccess(answer: StreamAnswer, path: string): Promise<StreamAnswer> {
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw await client.errorOf(answer, path);
  }

  return {
    isAtomic: true,
    list: (signal) => listObjects(client, location.prefix, signal),
    async find(path, signal) {
      assertStoragePath(path);
      return findObject(client, path, signal);
    },
    async read(file, signal) {
      assertStoragePath(file.path);
      const headers = { 'if-match': `"${file.version}"` };
      const answer = await client.send({ method: 'GET', path: file.path, headers }, signal);
      await expectSuccess(answer, file.path);
      // A service that does not know the condition sends what there is.
      const tag = answer.header('etag');
      if (tag === null || plainTag(tag) === file.version) return answer.body;
      answer.body.destroy();
      throw s3Error({ status: 412, code: null, region: null, where: client.where, path: file.path });
    },
    async write(path, file, { contentType, signal }) {
      assertStoragePath(path);
      const answer = await client.send(putRequest(path, file, contentType), signal);
      await dropBody(await expectSuccess(answer, path), client.where);
    },
    async move(from, to, signal) {
      assertStoragePath(from);
      assertStoragePath(to);
      if (!(await copyObject(client, { from, to, signal }))) return;
      await removeObject(client, from, signal);
    },
    async remove(path, signal) {
      assertStoragePath(path);
      await removeObject(client, path, signal);
    },
    close: http.close,
  };
}

async function* listObjects(
  client: S3Client,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<readonly StorageFile[], undefined> {
  let token: string | null = null;
  let last = '';
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page: ObjectPage = await readPage(client, { prefix, token, signal });
    for (const { key } of page.objects) {
      if (!key.startsWith(prefix) || comparePaths(key, last) <= 0) {
        throw new StorageRejected(`${client.where} lists objects that are not in order. Check the endpoint.`);
      }
      last = key;
    }
    const files = page.objects
      .map(({ key, entityTag, ...object }) => ({
        ...object,
        path: key.slice(prefix.length),
        version: entityTag,
      }))
      .filter(({ path }) => isListedPath(path));
    if (files.length > 0) yield files;
    if (page.next === null) return;
    if (page.next === token) break;
    token = page.next;
  }
  throw new StorageRejected(`${client.where} lists objects without an end. Use a prefix with fewer objects.`);
}

interface PageRequest {
  readonly prefix: string;
  readonly token: string | null;
  readonly signal: AbortSignal;
}

async function readPage(client: S3Client, { prefix, token, signal }: PageRequest): Promise<ObjectPage> {
  const query = {
    ...(token === null ? {} : { 'continuation-token': token }),
    'encoding-type': 'url',
    'list-type': '2',
    'max-keys': '1000',
    ...(prefix === '' ? {} : { prefix }),
  };
  const answer = await client.send({ method: 'GET', path: '', query }, signal);
  if (answer.status !== 200) throw await client.errorOf(answer, '');
  return parseObjectPage(await readSmallBody(answer.body, listBytesMax, client.where), client.where);
}

function putRequest(path: string, file: LocalFile, contentType: string) {
  const headers = { 'content-type': contentType, 'content-length': String(file.bytes) };
  const body = readLocalFile(file);
  return { method: 'PUT', path, headers, body, sha256: file.sha256 } as const;
}

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal;
}

/** Returns false when only the copy exists. @throws NotFound when neither exists. */
async function copyObject(client: S3Client, { from, to, signal }: Copy): Promise<boolean> {
  const headers = { 'x-amz-copy-source': client.copySource(from), 'content-length': '0' };
  const answer = await client.send({ method: 'PUT', path: to, headers }, signal);
  const { status } = answer;
  const { code, region } = parseS3Error(await readSmallBody(answer.body, listBytesMax, client.where));
  // A copy that takes long begins its answer with 200, and may still end with an error.
  if (status === 200 && code === null) return true;
  const failure = {
    code,
    region: answer.header('x-amz-bucket-region') ?? region,
    where: client.where,
    path: from,
  };
  if (!isMissing(status, code)) throw s3Error({ ...failure, status: status === 200 ? 500 : status });
  if ((await findObject(client, to, signal)) !== null) return false;
  throw s3Error({ ...failure, status });
}

async function findObject(client: S3Client, path: string, signal: AbortSignal): Promise<StorageFile | null> {
  const answer = await client.send({ method: 'HEAD', path }, signal);
  await dropBody(answer, client.where);
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw await client.errorOf(answer, path);
  const modified = Date.parse(answer.header('last-modified') ?? '');
  return {
    path,
    bytes: Number(answer.header('content-length')),
    modifiedAt: Number.isNaN(modified) ? null : new Date(modified),
    version: plainTag(answer.header('etag') ?? ''),
  };
}

async function removeObject(client: S3Client, path: string, signal: AbortSignal): Promise<void> {
  const answer = await client.send({ method: 'DELETE', path }, signal);
  if (answer.status < 300) return dropBody(answer, client.where);
  const error = await client.errorOf(answer, path);
  if (!('code' in error && error.code === 'not_found')) throw error;
}
