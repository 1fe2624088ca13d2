import { describe, expect, test } from 'vitest';
import { fillRequest, placeholdersOf } from '../../../../../src/sources/mapped/request.ts';
import type { RequestMap } from '../../../../../src/sources/mapped/map-shape.ts';
import type { PlaceholderValues } from '../../../../../src/sources/mapped/templates.ts';

const values: PlaceholderValues = {
  domain: 'acme.com',
  name: null,
  advertiser_id: null,
  region: null,
  region_number: null,
  page_token: null,
  ads_max: '40',
  secret: 'k&y=1',
};
const template = (changes: Partial<RequestMap>): RequestMap => ({
  method: 'GET',
  path: '/search',
  query: {},
  headers: {},
  ...changes,
});
const filled = (changes: Partial<RequestMap>, given: Partial<PlaceholderValues> = {}) =>
  fillRequest('https://api.example.com/base', template(changes), { ...values, ...given });

describe('a request template is filled', () => {
  test('in its path, with encoded values', () => {
    const { url } = filled({ path: '/ads/{name}/list' }, { name: '../a b?c#d' });
    expect(url.href).toBe('https://api.example.com/base/ads/..%2Fa%20b%3Fc%23d/list');
  });

  test('in its query, with encoded values', () => {
    const { url } = filled({ query: { domain: '{domain}', key: '{secret}', q: 'ads of {domain}' } });
    expect([...url.searchParams]).toEqual([
      ['domain', 'acme.com'],
      ['key', 'k&y=1'],
      ['q', 'ads of acme.com'],
    ]);
  });

  test('in its headers', () => {
    expect(filled({ headers: { 'x-api-key': '{secret}' } }).request.headers).toEqual({
      accept: 'application/json',
      'x-api-key': 'k&y=1',
    });
  });

  test('without placeholders that have no value', () => {
    const { url, request } = filled({
      query: { region: '{region}', domain: '{domain}' },
      json: { region: '{region}', list: ['{page_token}', '{domain}'], nested: { token: 'x{page_token}' } },
    });
    expect(url.search).toBe('?domain=acme.com');
    expect(request.json).toEqual({ list: ['acme.com'], nested: {} });
  });

  test('with a number if a JSON value is a numeric placeholder only', () => {
    const json = {
      max: '{ads_max}',
      text: 'at most {ads_max}',
      region: '{region_number}',
      keep: { n: 7, yes: true, none: null },
    };
    expect(filled({ json }, { region_number: '2840' }).request.json).toEqual({
      max: 40,
      text: 'at most 40',
      region: 2840,
      keep: { n: 7, yes: true, none: null },
    });
  });

  test('only once: a value is not a template', () => {
    const { url } = filled({ query: { q: '{name}' } }, { name: '{secret}' });
    expect(url.searchParams.get('q')).toBe('{secret}');
  });

  test('with other braces unchanged', () => {
    expect(filled({ query: { q: '{"a": {domain}}' } }).url.searchParams.get('q')).toBe('{"a": acme.com}');
  });
});

test('the placeholders of a request include those of all its parts', () => {
  const request = template({
    path: '/{domain}',
    query: { a: '{region}' },
    headers: { b: '{secret}' },
    json: [{ c: '{unheard_of}' }],
  });
  expect(placeholdersOf(request)).toEqual(['domain', 'region', 'secret', 'unheard_of']);
});
