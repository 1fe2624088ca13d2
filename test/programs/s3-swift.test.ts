import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAllowedHosts } from '../../src/adapters/http/allowed-hosts.ts';
import { openS3Storage } from '../../src/adapters/storage/s3.ts';
import { parseLocation, type S3Location } from '../../src/core/storage/location.ts';
import type { Storage } from '../../src/core/storage/storage.ts';
import { storageContract } from '../contract/storage.contract.ts';
import { errorOf } from '../support/storage/error-of.ts';
import { listAll, never, readPath, store } from '../support/storage/local-files.ts';
import { createBucket } from '../support/storage/swift-bucket.ts';
import {
  openSwiftServer,
  swiftUnavailableReason,
  type SwiftServer,
} from '../support/storage/swift-server.ts';

const unavailableReason = swiftUnavailableReason();

describe.skipIf(unavailableReason !== null)(
  `Swift${unavailableReason === null ? '' : ` (not run: ${unavailableReason})`}`,
  () => {
    let swift: SwiftServer;
    let buckets = 0;
    beforeAll(async () => {
      swift = await openSwiftServer();
    });
    afterAll(() => swift?.close());

    function openBucket(
      bucket: string,
      changes: { readonly secret?: string; readonly region?: string } = {},
    ): Storage {
      const { key, url } = swift;
      const { secret = key.secretAccessKey, region = key.region } = changes;
      const storage = openS3Storage(
        parseLocation(`s3://${bucket}/in`, { endpoint: url, region }) as S3Location,
        {
          credentials: { accessKeyId: key.accessKeyId, secretAccessKey: secret },
          isAllowedHost: readAllowedHosts(['127.0.0.1']),
        },
      );
      onTestFinished(() => storage.close());
      return storage;
    }

    async function makeBucket(): Promise<string> {
      buckets += 1;
      const bucket = `lists-${buckets}`;
      await createBucket(swift, bucket);
      return bucket;
    }

    storageContract(async () => openBucket(await makeBucket()));

    test('stores 30 MB and returns them', async () => {
      const storage = openBucket(await makeBucket());
      const content = Buffer.alloc(30_000_000, 'Nightshift ');
      await store(storage, 'large.csv', content);
      expect((await readPath(storage, 'large.csv')).equals(content)).toBe(true);
    });

    test.each([
      ['a wrong secret', { secret: 'wrong' }, 'SignatureDoesNotMatch'],
      ['a wrong region', { region: 'us-east-1' }, 'Use the region eu-test-1'],
    ])('reports %s', async (_, changes, message) => {
      const storage = openBucket(await makeBucket(), changes);
      expect(await errorOf(listAll(storage), /secret-key/)).toContain(message);
      expect(await errorOf(store(storage, 'a.csv', 'x'), /secret-key/)).toContain(message);
    });

    test('reports a missing bucket', async () => {
      const storage = openBucket('missing');
      expect(await errorOf(listAll(storage), /secret-key/)).toContain('NoSuchBucket');
      expect(await errorOf(storage.move('a.csv', 'b.csv', never), /secret-key/)).toContain('NoSuchBucket');
    });
  },
);
