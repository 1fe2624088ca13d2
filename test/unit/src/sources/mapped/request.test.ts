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

describe('a placeholder', () => {
  const json = (template: Readonly<Record<string, string>>, given: Partial<PlaceholderValues> = {}) => {
    const { request } = filled({ method: 'POST', json: template }, given);
    return request.jsonText ?? JSON.stringify(request.json);
  };

  test('has its default without a value', () => {
    const query = { countries: '["{region:ALL}"]', other: '{region_number:0}' };
    expect([...filled({ query }).url.searchParams.values()]).toEqual(['["ALL"]', '0']);
    expect([...filled({ query }, { region: 'DE' }).url.searchParams.values()]).toEqual(['["DE"]', '0']);
    expect(json({ where: '{region_number:2840}' })).toBe('{"where":2840}');
  });

  test('becomes a list of texts or of exact numbers', () => {
    const ids = '7123456789012345678,42';
    expect(json({ ids: '{advertiser_id_list}' }, { advertiser_id: ids })).toBe(
      '{"ids":["7123456789012345678","42"]}',
    );
    expect(json({ ids: '{advertiser_number_list}' }, { advertiser_id: ids })).toBe(
      '{"ids":[7123456789012345678,42]}',
    );
    expect(json({ in: '{region_list}', ids: '{advertiser_id_list}' })).toBe('{}');
    expect(json({ in: '{region_list}' }, { region: 'DE' })).toBe('{"in":["DE"]}');
  });

  test('has the day, and the first day of the past year', () => {
    const query = { a: '{year_ago}', b: '{today}', c: '{year_ago_compact}-{today_compact}' };
    const days = (today: string) => [...filled({ query }, { today }).url.searchParams.values()];
    expect(days('2026-07-03')).toEqual(['2025-07-04', '2026-07-03', '20250704-20260703']);
    expect(days('2024-02-29')[0]).toBe('2023-03-02');
  });

  test('has the secret for a Basic login', () => {
    const headers = { authorization: 'Basic {secret_base64}' };
    expect(filled({ headers }, { secret: 'ada:pass' }).request.headers).toMatchObject({
      authorization: 'Basic YWRhOnBhc3M=',
    });
  });
});
