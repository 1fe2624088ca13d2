import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { defaultScopes } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightshift-landings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const api = useTestApi({ workers: true, settings: { NIGHTSHIFT_FOLDERS: folder } });

test('GET /v1/batches/{id}/landings lists what landed of a batch, for every reader of the account and for no other', async () => {
  const admin = await api().createKey({ scopes: [...defaultScopes, 'admin'] });
  const reader = await api().createKey({ scopes: ['batches:read'] });
  const json = { name: 'lake', location: folder, shapes: ['rows', 'ads'], format: 'csv' };
  expect((await api().call('POST', '/v1/destinations', { key: admin, json })).status).toBe(201);
  const rows = [{ company_domain: 'nike.com' }];
  const made = await api().call('POST', '/v1/batches', { key: admin, json: { rows } });
  const { id } = made.json() as { readonly id: string };
  const path = `/v1/batches/${id}/landings`;
  const landing = { destination: 'lake', batch: id, state: 'landed', last_error: null };
  await expect
    .poll(async () => (await api().call('GET', path, { key: reader })).json())
    .toMatchObject({
      landings: [
        { ...landing, shape: 'rows', rows: 1 },
        { ...landing, shape: 'ads' },
      ],
    });

  await api().app.accounts.store.create('other');
  const other = await api().call('GET', path, {
    key: await api().createKey({ account: 'other', scopes: [...defaultScopes, 'admin'] }),
  });
  expect([other.status, codesOf(other)]).toEqual([404, ['not_found']]);
  const search = await api().createKey({ scopes: ['ads:search'] });
  expect((await api().call('GET', path, { key: search })).status).toBe(403);
});
