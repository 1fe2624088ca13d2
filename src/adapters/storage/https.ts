import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  Conflict,
  NotFound,
  StorageRejected,
  StorageUnavailable,
  type EnrichError,
} from '../../core/errors.ts';
import type { Credentials } from '../../core/storage/credentials.ts';
import type { HttpsLocation } from '../../core/storage/location.ts';
import type { Storage, StorageFile } from '../../core/storage/storage.ts';
import {
  createStreamClient,
  type StreamAnswer,
  type StreamClient,
  type StreamClientOptions,
} from '../http/http-stream.ts';
import { fileName } from './file-name.ts';
import { dropBody, exchange } from './http-exchange.ts';
import { sheetExport } from './sheet-link.ts';
import { standardTimes, type StorageTimes } from './time-limits.ts';

export interface HttpsOptions extends StreamClientOptions {
  readonly credentials: Credentials | null;
  readonly times?: StorageTimes;
}

/** Name, version and size of the file in an answer, by its headers. */
interface FileHead {
  readonly name: string;
  /** Null when the headers do not tell: it is the digest of the content. */
  readonly version: string | null;
  readonly bytes: number | null;
  readonly modifiedAt: Date | null;
}

const redirectsMax = 5;
/** The digest of a longer file would take too long. Our choice. */
const digestBytesMax = 2 * 1024 ** 3;

/**
 * Opens one file at a web address, to be read only; a link to Google Sheets is read as the CSV export of the sheet. A version is the entity
 * tag, else time and size, else the digest of the content. A token is sent to the host of the address only.
 */
export function openHttpsStorage(location: HttpsLocation, options: HttpsOptions): Storage {
  const { credentials, times = standardTimes, ...clientOptions } = options;
  const link = new URL(location.url);
  const url = sheetExport(link) ?? link;
  const http = createStreamClient(clientOptions);
  const get = (signal: AbortSignal) =>
    follow({ http, url, token: credentials?.token ?? null, times, signal });

  async function* list(signal: AbortSignal): AsyncGenerator<readonly StorageFile[], undefined> {
    const answer = await get(signal);
    const { name, version, bytes, modifiedAt } = readHead(answer, url);
    if (version !== null && bytes !== null) {
      answer.body.destroy();
      yield [{ path: name, version, bytes, modifiedAt }];
    } else {
      const content = await readDigest(answer);
      yield [{ path: name, modifiedAt, version: version ?? content.version, bytes: content.bytes }];
    }
  }

  return {
    isAtomic: true,
    list,
    async find(path, signal) {
      for await (const [file] of list(signal)) if (file?.path === path) return file;
      return null;
    },
    async read(file, signal) {
      const answer = await get(signal);
      const { name, version } = readHead(answer, url);
      if (name !== file.path || (version !== null && version !== file.version)) {
        answer.body.destroy();
        throw name === file.path ? changed(file) : notFound(file.path);
      }
      return version === null ? checkDigest(answer, file) : answer.body;
    },
    write: () => Promise.reject(readOnly()),
    move: () => Promise.reject(readOnly()),
    remove: () => Promise.reject(readOnly()),
    close: http.close,
  };
}

interface Call {
  readonly http: StreamClient;
  readonly url: URL;
  readonly token: string | null;
  readonly times: StorageTimes;
  readonly signal: AbortSignal;
}

/** Follows redirects, each by the rules of a first call. @throws StorageRejected | StorageUnavailable | NotFound */
async function follow({ http, url: first, token, times, signal }: Call): Promise<StreamAnswer> {
  let url = first;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    // Without a compression, so that bytes and length are those of the file.
    const plain = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Nightshift' };
    const isOwn = url.origin === first.origin;
    const headers = token !== null && isOwn ? { ...plain, authorization: `Bearer ${token}` } : plain;
    const where = placeOf(url, first);
    const answer = await exchange(http, url, { method: 'GET', headers }, { signal, times, where });
    if (answer.status === 200) return assertSheet(answer, first);
    await dropBody(answer, where);
    const target = answer.header('location');
    if (answer.status < 300 || answer.status >= 400 || target === null)
      throw statusError(answer.status, where);
    url = redirectTarget(target, url, where);
  }
  throw new StorageRejected(`${placeOf(first, first)} redirects more than ${redirectsMax} times.`);
}

/** A redirect can contain a key in its path as well. */
function placeOf(url: URL, first: URL): string {
  return url === first ? `${url.host}${url.pathname}` : `${first.host}, redirected to ${url.host},`;
}

function redirectTarget(target: string, from: URL, where: string): URL {
  const url = URL.canParse(target, from.href) ? new URL(target, from) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new StorageRejected(`${where} redirects to an address that is not called.`);
  }
  if (url.hostname === 'accounts.google.com') throw signIn();
  return url;
}

/** Google shows a page to sign in where a sheet is not shared. */
function assertSheet(answer: StreamAnswer, first: URL): StreamAnswer {
  const isPage = /^text\/html\b/i.test(answer.header('content-type') ?? '');
  if (first.hostname !== 'docs.google.com' || !isPage) return answer;
  answer.body.destroy();
  throw signIn();
}

function signIn(): StorageRejected {
  return new StorageRejected(
    'Google asks to sign in: the sheet is not shared. In Google Sheets, choose Share, General access, "Anyone with the link".',
  );
}

function readHead(answer: StreamAnswer, url: URL): FileHead {
  const [tag, modified, length] = [
    answer.header('etag'),
    answer.header('last-modified'),
    answer.header('content-length'),
  ];
  const bytes = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
  const time = Date.parse(modified ?? '');
  const modifiedAt = Number.isNaN(time) ? null : new Date(time);
  const dated = modifiedAt === null || bytes === null ? null : `${bytes}-${modifiedAt.toISOString()}`;
  const version = tag === null || tag === '' ? dated : `tag ${tag.slice(0, tagCharsMax)}`;
  return { name: fileName(answer.header('content-disposition'), url), version, bytes, modifiedAt };
}

const tagCharsMax = 300;

async function readDigest({
  body,
}: StreamAnswer): Promise<{ readonly version: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > digestBytesMax) throw new StorageRejected(`The file has more than ${digestBytesMax} bytes.`);
    hash.update(chunk);
  }
  return { version: `sha256 ${hash.digest('hex')}`, bytes };
}

/** Passes on the content, and fails at its end when its digest is not that of the listed file. */
function checkDigest({ body }: StreamAnswer, file: StorageFile): Readable {
  async function* pass(): AsyncGenerator<Buffer, undefined> {
    const hash = createHash('sha256');
    for await (const chunk of body as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
    if (`sha256 ${hash.digest('hex')}` !== file.version) throw changed(file);
  }
  const checked = Readable.from(pass(), { objectMode: false });
  checked.once('close', () => body.destroy());
  return checked;
}

function statusError(status: number, where: string): EnrichError {
  const answered = `${where} answered ${status}`;
  if (status >= 500 || [408, 425, 429].includes(status)) return new StorageUnavailable(`${answered}.`);
  if (status === 401 || status === 403)
    return new StorageRejected(`${answered}. Check the token, or share the file.`);
  if (status === 404 || status === 410)
    return new StorageRejected(`${answered}: there is no file. Check the address.`);
  return new StorageRejected(`${answered}, which is not a file. Check the address.`);
}

function readOnly(): StorageRejected {
  return new StorageRejected(
    'A web address can only be read. Use a folder, a bucket or an SFTP folder to write to.',
  );
}

function notFound(path: string): NotFound {
  return new NotFound(`The file ${JSON.stringify(path)} does not exist.`);
}

function changed({ path }: StorageFile): Conflict {
  return new Conflict(`The file ${JSON.stringify(path)} has changed since it was listed. List it again.`);
}
