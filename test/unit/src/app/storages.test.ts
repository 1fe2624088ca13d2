import { expect, test } from 'vitest';
import { createStorages } from '../../../../src/app/storages.ts';
import { ValidationError } from '../../../../src/core/errors.ts';
import { parseLocation } from '../../../../src/core/storage/location.ts';

const signal = new AbortController().signal;
const storages = createStorages({ allowedHosts: [], folders: [] });

test.each([
  ['s3://lists', { endpoint: 'https://127.0.0.1:9' }],
  ['sftp://jane@127.0.0.1:9/lists', { hostKey: `SHA256:${'A'.repeat(43)}` }],
  ['https://127.0.0.1:9/list.csv', {}],
])('storage at %s is opened with the rules for addresses', async (address, options) => {
  const storage = await storages.openStorage(parseLocation(address, options), null);
  await expect(storage.list(signal)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'storage_rejected',
  });
  await storage.close();
});

test('database is no storage for files', async () => {
  const database = parseLocation('postgres://jane@127.0.0.1/lists?sslmode=require');
  await expect(storages.openStorage(database, null)).rejects.toBeInstanceOf(ValidationError);
});

test('keys and databases are read with the rules for addresses', async () => {
  const server = parseLocation('sftp://jane@127.0.0.1/lists');
  const database = parseLocation('postgres://jane@127.0.0.1/lists?sslmode=require');
  if (server.kind !== 'sftp' || database.kind !== 'postgres') throw new Error('parsed otherwise');
  await expect(storages.readHostKey(server, signal)).rejects.toMatchObject({ code: 'storage_rejected' });
  await expect(storages.openOwnDatabase(database, null, signal)).rejects.toMatchObject({
    code: 'storage_rejected',
  });
});
