import { beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import { roles, type Permission, type Role } from '../../../src/core/accounts/roles.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import { listOperations, type Document } from '../../support/openapi/document.ts';
import { signInAs, type SessionCall } from '../../support/api/session-calls.ts';

const api = useTestApi();

/** Permissions of each role, independent of the product's table. */
const may: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['credits:read', 'batches:read', 'sql:read'],
  member: ['credits:read', 'batches:read', 'sql:read', 'ads:search', 'email:validate', 'batches:write'],
  admin: [
    'credits:read',
    'batches:read',
    'sql:read',
    'ads:search',
    'email:validate',
    'batches:write',
    'admin',
  ],
  operator: [
    ...(['credits:read', 'batches:read', 'sql:read', 'ads:search', 'email:validate'] as const),
    ...(['batches:write', 'admin', 'operator'] as const),
  ],
};

/** Permission of each operation, by path and method: the first match applies. */
const needs: readonly (readonly [method: RegExp, path: RegExp, permission: Permission | null])[] = [
  [/./, /^\/v1\/operator\//, 'operator'],
  [/./, /^\/v1\/(account|webhooks|destinations)\b/, 'admin'],
  [/./, /^\/v1\/sql\b/, 'sql:read'],
  [/./, /^\/v1\/(credits|ledger)\b/, 'credits:read'],
  [/POST/, /^\/v1\/ads\/google-ads-search$/, 'ads:search'],
  [/POST/, /^\/v1\/people\/email-validation$/, 'email:validate'],
  [/./, /^\/v1\/sessions?\b/, null],
  [/./, /\/subscription$/, 'batches:read'],
  [/GET/, /^\/v1\//, 'batches:read'],
  [/./, /^\/v1\//, 'batches:write'],
];

interface Asked {
  readonly method: string;
  /** Path with an unknown id. */
  readonly path: string;
  readonly permission: Permission;
}

let operations: readonly Asked[] = [];
beforeAll(async () => {
  const document = (await api().call('GET', '/openapi.json')).json() as Document;
  operations = listOperations(document).flatMap(({ method, path, isGuarded, isOfSession }) => {
    if (!isGuarded && !isOfSession) return [];
    const known = needs.find(([ofMethod, ofPath]) => ofMethod.test(method) && ofPath.test(path));
    const permission = known?.[2] ?? null;
    return permission === null ? [] : [{ method, path: askedAt(path), permission }];
  });
});

/** Path with an unknown id; of the endless stream of an account, its first event. */
function askedAt(path: string): string {
  return path === '/v1/events' ? `${path}?follow=false` : path.replaceAll(/\{\w+\}/g, 'nobody-has-it');
}

test('every guarded operation is covered', () => {
  expect(operations.length).toBeGreaterThan(55);
  expect(new Set(operations.map(({ permission }) => permission))).toEqual(new Set(may.operator));
});

describe.each(roles)('role %s', (role) => {
  let ask: SessionCall;
  beforeAll(async () => {
    ask = await signInAs(api(), role);
  });

  test('may call exactly its operations, and any other has no effect', async () => {
    const before = await api().countRows();
    const isAllowed = ({ permission }: Asked) => may[role].includes(permission);
    for (const { method, path } of operations.filter((each) => !isAllowed(each))) {
      const answer = await ask(method, path, method === 'GET' ? {} : { json: {} });
      expect([method, path, answer.status, codesOf(answer)]).toEqual([
        ...[method, path, 403],
        ['insufficient_scope'],
      ]);
    }
    expect(await api().countRows()).toEqual(before);
    for (const { method, path } of operations.filter(isAllowed)) {
      const { status } = await ask(method, path, method === 'GET' ? {} : { json: {} });
      expect([method, path, [401, 403].includes(status)]).toEqual([method, path, false]);
    }
  });
});

test('operator operations reject requests without a session and keys with all scopes', async () => {
  const key = await api().createKey({ scopes: [...scopes] });
  for (const { method, path } of operations.filter(({ permission }) => permission === 'operator')) {
    const json = method === 'GET' ? {} : { json: {} };
    expect((await api().call(method, path, json)).status).toBe(401);
    expect((await api().call(method, path, { ...json, key })).status).toBe(403);
  }
});
