import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import type { Location } from '../../../src/core/storage/location.ts';
import { readLanded } from '../destinations/landed-files.ts';
import { openCuttingProxy } from './cutting-proxy.ts';
import { testFolder } from './local-files.ts';
import { openS3StandIn, type S3Fault } from './s3-stand-in.ts';
import { openSftpServer, sftpUnavailableReason } from './sftp-server.ts';

/** A place of files, as its owner sees it, behind a line that loses answers. */
export interface LossyPlace {
  readonly location: Location;
  readonly credentials: Credentials;
  /** Number of requests whose answer was lost, or that were lost themselves. */
  readonly losses: () => number;
  /** Loses answers from now on, or no more. */
  readonly setLossy: (isLossy: boolean) => void;
  /** All files, hidden ones as well, in the order of their paths. */
  readonly files: () => ReadonlyMap<string, Buffer>;
  /** Stores a file at once. */
  readonly put: (path: string, content: string) => void;
  readonly remove: (path: string) => void;
}

/** A kind of lossy place. */
export interface LossyKind {
  readonly kind: 'bucket' | 'SFTP folder';
  readonly unavailableReason: string | null;
  /** Opens an empty place until the test ends. */
  readonly open: () => Promise<LossyPlace>;
}

/** Buckets and SFTP folders: the answers are lost on the wire. */
export const lossyKinds: readonly LossyKind[] = [
  { kind: 'bucket', unavailableReason: null, open: openLossyBucket },
  { kind: 'SFTP folder', unavailableReason: sftpUnavailableReason(), open: openLossyFolder },
];

/** Shares of the requests. */
const shares: readonly (readonly [number, S3Fault])[] = [
  [0.16, { kind: 'lost answer' }],
  [0.06, { kind: 'half answer' }],
  [0.06, { kind: 'cut' }],
];

async function openLossyBucket(): Promise<LossyPlace> {
  const key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-key', region: 'eu-test-1' };
  const s3 = await openS3StandIn({ key, buckets: ['lists'], pageObjectsMax: 20 });
  onTestFinished(s3.close);
  let losses = 0;
  const choose = (): S3Fault | null => {
    let chance = Math.random();
    for (const [share, fault] of shares) {
      if (chance < share) {
        losses += 1;
        return fault;
      }
      chance -= share;
    }
    return null;
  };
  const root = 'lists/in/';
  return {
    location: { kind: 's3', bucket: 'lists', prefix: 'in/', endpoint: s3.url, region: key.region },
    credentials: { accessKeyId: key.accessKeyId, secretAccessKey: key.secretAccessKey },
    losses: () => losses,
    setLossy: (isLossy) => s3.failBy(isLossy ? choose : () => null),
    files: () =>
      new Map([...s3.objects].map(([place, { bytes }]) => [place.slice(root.length), bytes] as const).sort()),
    put: (path, content) => s3.put(`${root}${path}`, content),
    remove: (path) => s3.remove(`${root}${path}`),
  };
}

async function openLossyFolder(): Promise<LossyPlace> {
  const server = await openSftpServer();
  onTestFinished(server.close);
  const proxy = await openCuttingProxy(server.port);
  onTestFinished(proxy.close);
  const folder = testFolder();
  const { user, hostKey, privateKey } = server;
  return {
    location: { kind: 'sftp', host: '127.0.0.1', port: proxy.port, user, path: folder, hostKey },
    credentials: { privateKey },
    losses: proxy.losses,
    setLossy: proxy.setLossy,
    files: () => readLanded(folder),
    put: (path, content) => {
      const place = join(folder, path);
      const staged = join(dirname(place), `.${basename(place)}`);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(staged, content);
      renameSync(staged, place);
    },
    remove: (path) => rmSync(join(folder, path)),
  };
}
