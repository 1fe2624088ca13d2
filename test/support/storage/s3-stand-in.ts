import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../stand-in/loopback.ts';
import { verifySignature, type AccessKey } from './verify-signature.ts';

/** A request as the stand-in received it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** What happens to a request instead of, or after, its effect. */
export type S3Fault =
  /** An error, before the effect. */
  | { readonly kind: 'error'; readonly status: number; readonly code?: string; readonly region?: string }
  /** The effect takes place, and the connection is cut instead of an answer. */
  | { readonly kind: 'lost answer' }
  /** No effect; the connection is cut. */
  | { readonly kind: 'cut' }
  /** No answer, ever. */
  | { readonly kind: 'silence' }
  /** The answer begins, and its body stops in the middle. */
  | { readonly kind: 'slow body' }
  /** The effect takes place, and the connection is cut in the middle of the answer. */
  | { readonly kind: 'half answer' }
  /** Another answer. */
  | { readonly kind: 'answer'; readonly send: (response: ServerResponse, request: IncomingMessage) => void };

export interface S3StandInOptions {
  /** Null: requests are anonymous. */
  readonly key: AccessKey | null;
  readonly buckets: readonly string[];
  /** Objects on a page of a list, also when the request asks for more. Default 5. */
  readonly pageObjectsMax?: number;
}

/** A running stand-in for S3: a real HTTP server on loopback that verifies signatures and digests. */
export interface S3StandIn {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Contents by bucket and key. */
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** Sets the fault of the next request that `only` selects, and of `times` of them. */
  readonly failWith: (fault: S3Fault, only?: (request: SeenRequest) => boolean, times?: number) => void;
  /** Chooses the fault of every further request; null for none. Ends what `failWith` has set. */
  readonly failBy: (choose: (request: SeenRequest) => S3Fault | null) => void;
  /** Stores an object, as another client of the bucket. */
  readonly put: (place: string, content: string) => void;
  /** Removes an object, as another client of the bucket. */
  readonly remove: (place: string) => void;
  readonly close: () => Promise<void>;
}

interface StoredObject {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly modifiedAt: Date;
}

/** Answer with a status, and XML or bytes. */
interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Starts a stand-in with empty buckets. */
export async function openS3StandIn({
  key,
  buckets,
  pageObjectsMax = 5,
}: S3StandInOptions): Promise<S3StandIn> {
  const objects = new Map<string, StoredObject>();
  const requests: SeenRequest[] = [];
  let takeFault: (request: SeenRequest) => S3Fault | null = () => null;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers };
    requests.push(seen);
    const fault = takeFault(seen);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'cut') return void request.socket.destroy();
    if (fault?.kind === 'answer') return fault.send(response, request);
    if (fault?.kind === 'error')
      return send(response, seen, errorReply(fault.status, fault.code, fault.region));
    const wrong = key === null ? null : verifySignature(request, key);
    const region = wrong === 'AuthorizationHeaderMalformed' ? key?.region : undefined;
    const reply =
      wrong === null
        ? await act(request, await buffer(request))
        : errorReply(wrong === 'AuthorizationHeaderMalformed' ? 400 : 403, wrong, region);
    if (fault?.kind === 'lost answer') return void request.socket.destroy();
    if (fault?.kind === 'slow body') return sendHalf(response, reply);
    if (fault?.kind === 'half answer') {
      sendHalf(response, reply);
      // What was written is sent first.
      return void request.socket.destroySoon();
    }
    send(response, seen, reply);
  }

  async function act(request: IncomingMessage, body: Buffer): Promise<Reply> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
    const [bucket = '', ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
    const name = rest.join('/');
    if (!buckets.includes(bucket)) return errorReply(404, 'NoSuchBucket');
    const digest = createHash('sha256').update(body).digest('hex');
    if (request.headers['x-amz-content-sha256'] !== digest)
      return errorReply(400, 'XAmzContentSHA256Mismatch');
    if (name === '')
      return request.method === 'GET' ? list(bucket, searchParams) : errorReply(405, 'MethodNotAllowed');
    const place = `${bucket}/${name}`;
    switch (request.method) {
      case 'PUT':
        return request.headers['x-amz-copy-source'] === undefined
          ? put(place, body)
          : copy(place, String(request.headers['x-amz-copy-source']));
      case 'GET':
      case 'HEAD':
        return get(place, request.headers['if-match']);
      case 'DELETE':
        objects.delete(place);
        return { status: 204 };
      default:
        return errorReply(405, 'MethodNotAllowed');
    }
  }

  function put(place: string, bytes: Buffer): Reply {
    const tag = createHash('md5').update(bytes).digest('hex');
    objects.set(place, { bytes, tag, modifiedAt: new Date() });
    return { status: 200, headers: { etag: `"${tag}"` } };
  }

  function copy(place: string, source: string): Reply {
    const found = objects.get(decodeURIComponent(source).replace(/^\//, ''));
    if (found === undefined) return errorReply(404, 'NoSuchKey');
    objects.set(place, { ...found, modifiedAt: new Date() });
    return {
      status: 200,
      body: `<CopyObjectResult><ETag>&quot;${found.tag}&quot;</ETag></CopyObjectResult>`,
    };
  }

  function get(place: string, ifMatch: string | undefined): Reply {
    const found = objects.get(place);
    if (found === undefined) return errorReply(404, 'NoSuchKey');
    if (ifMatch !== undefined && ifMatch !== `"${found.tag}"`) return errorReply(412, 'PreconditionFailed');
    const headers = { etag: `"${found.tag}"`, 'last-modified': found.modifiedAt.toUTCString() };
    return { status: 200, headers, body: found.bytes };
  }

  function list(bucket: string, query: URLSearchParams): Reply {
    if (query.get('list-type') !== '2' || query.get('encoding-type') !== 'url')
      return errorReply(400, 'InvalidArgument');
    const [prefix, token] = [query.get('prefix') ?? '', query.get('continuation-token')];
    const keys = [...objects.keys()]
      .filter((place) => place.startsWith(`${bucket}/${prefix}`))
      .map((place) => place.slice(bucket.length + 1))
      .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    const after = token === null ? '' : Buffer.from(token, 'base64url').toString();
    const from = keys.findIndex((name) => Buffer.compare(Buffer.from(name), Buffer.from(after)) > 0);
    const rest = from === -1 ? [] : keys.slice(from);
    const page = rest.slice(0, Math.min(pageObjectsMax, Number(query.get('max-keys') ?? 1000)));
    const contents = page.map((name) => {
      const { bytes, tag, modifiedAt } = objects.get(`${bucket}/${name}`) ?? {
        bytes: '',
        tag: '',
        modifiedAt: new Date(),
      };
      const fields = `<LastModified>${modifiedAt.toISOString()}</LastModified><ETag>&quot;${tag}&quot;</ETag>`;
      return `<Contents><Key>${encodeKey(name)}</Key>${fields}<Size>${bytes.length}</Size><Owner><ID>1</ID></Owner></Contents>`;
    });
    const isLast = page.length === rest.length;
    const next = isLast
      ? ''
      : `<NextContinuationToken>${Buffer.from(page.at(-1) ?? '').toString('base64url')}</NextContinuationToken>`;
    return {
      status: 200,
      body: listXml(`<IsTruncated>${String(!isLast)}</IsTruncated>${next}${contents.join('')}`),
    };
  }

  const server = createServer((request, response) => {
    request.on('error', () => {});
    serve(request, response).catch(() => request.socket.destroy());
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    requests,
    objects,
    failWith: (fault, only = () => true, times = 1) => {
      let left = times;
      takeFault = (request) => {
        if (left === 0 || !only(request)) return null;
        left -= 1;
        return fault;
      };
    },
    failBy: (choose) => {
      takeFault = choose;
    },
    put: (place, content) => void put(place, Buffer.from(content)),
    remove: (place) => void objects.delete(place),
    close,
  };
}

/** Answer of ListObjectsV2 with the given elements. */
export function listXml(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType>${content}</ListBucketResult>`;
}

/** As Amazon writes keys: a space is a plus sign. */
function encodeKey(name: string): string {
  return encodeURIComponent(name).replaceAll('%20', '+').replaceAll('%2F', '/');
}

function errorReply(status: number, code?: string, region?: string): Reply {
  if (code === undefined) return { status, body: '<html>Bad gateway</html>' };
  const place = region === undefined ? '' : `<Region>${region}</Region>`;
  // Real answers repeat what was sent.
  const message = `<Message>no</Message><StringToSign>AWS4-HMAC-SHA256 secret-key</StringToSign>`;
  return { status, body: `<?xml version="1.0"?><Error><Code>${code}</Code>${message}${place}</Error>` };
}

function send(
  response: ServerResponse,
  { method }: SeenRequest,
  { status, headers = {}, body = '' }: Reply,
): void {
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
  response.end(method === 'HEAD' ? '' : body);
}

function sendHalf(response: ServerResponse, { status, headers = {}, body = '' }: Reply): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
  response.write(bytes.subarray(0, bytes.length / 2));
}
