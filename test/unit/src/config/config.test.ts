import { describe, expect, test } from 'vitest';
import { parseLogLevel, parseSourceNames, readConfig } from '../../../../src/config/config.ts';
import { chooseHome } from '../../../../src/config/home.ts';
import { builtInSources } from '../../../../src/sources/registry.ts';
import { settingList } from '../../../../src/config/settings.ts';
import type { LiveSourceDefinition } from '../../../../src/sources/definition/source-definition.ts';
import { liveSources } from '../../../../src/sources/registry.ts';

const upstream = { NIGHTSHIFT_UPSTREAM_URL: 'https://api.test', NIGHTSHIFT_UPSTREAM_KEY: 'key' };

/** Settings without a default value, whose documentation describes the effect of a missing one. */
const withoutValue = [
  ...liveSources.flatMap(withoutValueOf),
  'DATABASE_URL',
  'NIGHTSHIFT_DIRECT_URL',
  'REDIS_URL',
  'NIGHTSHIFT_HOME',
  'NIGHTSHIFT_OWNER_URL',
  'NIGHTSHIFT_READER_URL',
  'NIGHTSHIFT_ACCOUNT_READER_URL',
  'NIGHTSHIFT_SOURCES',
  'NIGHTSHIFT_MAX_SPEND_PER_DAY',
  'NIGHTSHIFT_SOURCE_MAPS',
  'NIGHTSHIFT_DNS_SERVERS',
  'NIGHTSHIFT_ALLOWED_HOSTS',
  'NIGHTSHIFT_FOLDERS',
  'NIGHTSHIFT_PROBE_HELLO_NAME',
  'NIGHTSHIFT_PROBE_MAIL_FROM',
  'NIGHTSHIFT_PROBE_CONTACT',
  'NIGHTSHIFT_METRICS_PORT',
  'NIGHTSHIFT_BASE_URL',
  'NIGHTSHIFT_SMTP_URL',
  'NIGHTSHIFT_MAIL_FROM',
  'NIGHTSHIFT_OIDC_ISSUER',
  'NIGHTSHIFT_OIDC_CLIENT_ID',
  'NIGHTSHIFT_OIDC_CLIENT_SECRET',
  'NIGHTSHIFT_OIDC_NAME',
  'NIGHTSHIFT_KEEP_BATCHES_DAYS',
  'NIGHTSHIFT_KEEP_ADDRESSES_DAYS',
  'NIGHTSHIFT_KEEP_SEARCHES_DAYS',
  'NIGHTSHIFT_KEEP_SCANS_DAYS',
  'NIGHTSHIFT_KEEP_CALLS_DAYS',
  'NIGHTSHIFT_KEEP_EVENTS_DAYS',
];

describe('configuration without settings', () => {
  test('has a default for every value', () => {
    expect(readConfig({})).toEqual({
      databaseUrl: null,
      directUrl: null,
      ownerUrl: null,
      readerUrl: null,
      accountReaderUrl: null,
      sqlTimeoutMs: 10_000,
      redisUrl: null,
      home: chooseHome({ environment: {} }),
      catalog: builtInSources,
      sources: null,
      access: new Map(),
      noneOutvotesFailed: false,
      keepRawResponsesMs: 30 * 86_400_000,
      retention: {
        batches: null,
        addresses: null,
        searches: null,
        scans: null,
        calls: null,
        raw_responses: 30 * 86_400_000,
        events: null,
      },
      allowedHosts: [],
      folders: [],
      email: { dnsServers: null, dnsTimeoutMs: 5000, allowedHosts: [], hostPorts: new Map(), probe: null },
      mail: null,
      identityProvider: null,
      concurrency: 50,
      leaseMs: 30_000,
      graceMs: 20_000,
      sourceWaitMs: 60_000,
      openingCredits: '10000',
      queuePrefix: '{nightshift}',
      logLevel: 'warn',
      api: {
        host: '127.0.0.1',
        port: 3000,
        baseUrl: null,
        trustProxy: false,
        rates: { perKey: 600, perAccount: 1200, failuresPerAddress: 20 },
        backlogMax: 5_000_000,
      },
      metricsPort: null,
    });
  });

  test('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(settingList.map(({ name }) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });
});

test('an allowed host with a port is allowed on that port only, and mail uses that port', () => {
  const { allowedHosts, email } = readConfig({
    NIGHTSHIFT_ALLOWED_HOSTS: 'mx.corp:2525, [::1]:80,mirror.corp',
  });
  expect(allowedHosts).toEqual(['mx.corp:2525', '[::1]:80', 'mirror.corp']);
  expect([email.allowedHosts[0], email.hostPorts.get('mx.corp')]).toEqual(['mx.corp', 2525]);
});

test('folders of accounts are absolute paths', () => {
  const folders = (text: string) => readConfig({ NIGHTSHIFT_FOLDERS: text }).folders;
  expect(folders('/Srv/lists/, /data,/data')).toEqual(['/Srv/lists', '/data']);
  expect(folders('/')).toEqual(['/']);
  for (const text of ['lists', '/srv/../etc', '/srv/./lists'])
    expect(() => folders(text), text).toThrow('NIGHTSHIFT_FOLDERS: must be absolute folders');
});

test('e-mail requires both a server and a sender', () => {
  const [url, from] = ['smtps://user:secret@mail.example.com', 'nightshift@example.com'];
  const both = { NIGHTSHIFT_SMTP_URL: url, NIGHTSHIFT_MAIL_FROM: from };
  expect(readConfig(both).mail).toEqual({ url, from });
  expect(() => readConfig({ NIGHTSHIFT_SMTP_URL: url })).toThrow('NIGHTSHIFT_MAIL_FROM must be set together');
  expect(() => readConfig({ ...both, NIGHTSHIFT_MAIL_FROM: 'Night <n@example.com>' })).toThrow(
    'must be an e-mail address',
  );
  expect(() => readConfig({ ...both, NIGHTSHIFT_SMTP_URL: 'https://mail.example.com' })).toThrow('smtp://');
});

test('an identity provider requires issuer, client id and secret; its name defaults to its host', () => {
  const all = {
    NIGHTSHIFT_OIDC_ISSUER: 'https://login.example.com/realm',
    NIGHTSHIFT_OIDC_CLIENT_ID: 'nightshift',
    NIGHTSHIFT_OIDC_CLIENT_SECRET: 'secret',
  };
  const read = { issuer: 'https://login.example.com/realm', clientId: 'nightshift', clientSecret: 'secret' };
  expect(readConfig(all).identityProvider).toEqual({ ...read, name: 'login.example.com' });
  expect(readConfig({ ...all, NIGHTSHIFT_OIDC_NAME: 'Staff login' }).identityProvider).toEqual({
    ...read,
    name: 'Staff login',
  });
  expect(() => readConfig({ ...all, NIGHTSHIFT_OIDC_CLIENT_SECRET: '' })).toThrow('must be set together');
});

describe('the list of settings', () => {
  test.each(settingList.filter(({ name }) => !withoutValue.includes(name)))(
    'documents the actual default: $name is $defaultText',
    ({ name, defaultText }) => {
      expect(readConfig({ ...upstream, [name]: defaultText })).toEqual(readConfig(upstream));
    },
  );

  test('describes the effect of every other missing setting', () => {
    for (const { name, defaultText } of settingList.filter((setting) =>
      withoutValue.includes(setting.name),
    )) {
      expect(readConfig({})).not.toContain(defaultText);
      expect([name, defaultText.length > 3]).toEqual([name, true]);
    }
  });

  test('has every setting once, with unit and description', () => {
    expect(new Set(settingList.map(({ name }) => name)).size).toBe(settingList.length);
    expect(settingList.filter(({ unit, what }) => unit === '' || !what.endsWith('.'))).toEqual([]);
  });

  test('marks secrets', () => {
    expect(settingList.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      'DATABASE_URL',
      'NIGHTSHIFT_DIRECT_URL',
      'REDIS_URL',
      'NIGHTSHIFT_OWNER_URL',
      'NIGHTSHIFT_READER_URL',
      'NIGHTSHIFT_ACCOUNT_READER_URL',
      'NIGHTSHIFT_SMTP_URL',
      'NIGHTSHIFT_OIDC_CLIENT_SECRET',
      ...liveSources.flatMap(({ settings }) =>
        Object.values(settings).flatMap(({ kind, name }) => (kind === 'secret' ? [name] : [])),
      ),
    ]);
  });
});

test('values are converted from their units', () => {
  const config = readConfig({
    ...upstream,
    DATABASE_URL: 'postgres://db/x',
    REDIS_URL: 'rediss://one:6379,rediss://two:6379',
    NIGHTSHIFT_READER_URL: 'postgresql://reader@db/x',
    NIGHTSHIFT_HOME: '/var/lib/nightshift',
    NIGHTSHIFT_SOURCES: 'upstream, Snapshot,upstream',
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '0.5',
    NIGHTSHIFT_UPSTREAM_BURST: '1',
    NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    NIGHTSHIFT_UPSTREAM_DEADLINE_SECONDS: '2.5',
    NIGHTSHIFT_UPSTREAM_CONCURRENCY: '3',
    NIGHTSHIFT_UPSTREAM_CALLS_PER_DAY: '1000',
    NIGHTSHIFT_NONE_OUTVOTES_FAILED: 'true',
    NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: '0.5',
    NIGHTSHIFT_LEASE_SECONDS: '7',
    NIGHTSHIFT_OPENING_CREDITS: '0.2',
  });
  expect(config).toMatchObject({
    databaseUrl: 'postgres://db/x',
    redisUrl: 'rediss://one:6379,rediss://two:6379',
    readerUrl: 'postgresql://reader@db/x',
    home: '/var/lib/nightshift',
    sources: ['upstream', 'snapshot'],
    noneOutvotesFailed: true,
    keepRawResponsesMs: 43_200_000,
    leaseMs: 7000,
    openingCredits: '0.2',
  });
  expect([...config.access]).toMatchObject([
    [
      'upstream',
      {
        settings: { url: 'https://api.test', key: 'key', idempotent: true },
        limits: {
          pace: { requestsPerSecond: 0.5, burst: 1 },
          concurrency: 3,
          callsPerDay: 1000,
          deadlineMs: 2500,
        },
        namedHosts: ['api.test'],
      },
    ],
  ]);
});

test('a source that requires consent is enabled only with it', () => {
  const contact = { NIGHTSHIFT_TRANSPARENCY_CONTACT: 'https://example.com' };
  const isOn = (accepts: string) =>
    readConfig({ ...contact, NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS: accepts }).access.has('transparency');
  expect([isOn('true'), isOn('false')]).toEqual([true, false]);
  expect(messageOf(contact)).toContain('NIGHTSHIFT_TRANSPARENCY_CONTACT must be set together');
});

test('optional settings of a source have a default or are null', () => {
  const { access } = readConfig({ NIGHTSHIFT_BIGQUERY_PROJECT: 'acme' });
  expect(access.get('bigquery')).toMatchObject({
    settings: {
      projectId: 'acme',
      keyFile: null,
      url: 'https://bigquery.googleapis.com/bigquery/v2',
      gibMax: 100,
    },
    limits: {
      pace: { requestsPerSecond: 1, burst: 1 },
      concurrency: null,
      callsPerDay: null,
      deadlineMs: 600_000,
    },
    namedHosts: [],
  });
});

describe('invalid configuration', () => {
  test('reports all mistakes at once', () => {
    const mistakes = {
      DATABASE_URL: 'mysql://db',
      REDIS_URL: 'http://redis',
      NIGHTSHIFT_SOURCES: 'snapshot,google',
      NIGHTSHIFT_UPSTREAM_URL: 'ftp://api.test',
      NIGHTSHIFT_UPSTREAM_BURST: '1.5',
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'yes',
      NIGHTSHIFT_UPSTREAM_CALLS_PER_DAY: '0',
      NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: '-1',
      NIGHTSHIFT_CONCURRENCY: '0',
      NIGHTSHIFT_LEASE_SECONDS: 'soon',
      NIGHTSHIFT_OPENING_CREDITS: '-1',
      NIGHTSHIFT_QUEUE_PREFIX: 'a:b',
      NIGHTSHIFT_LOG_LEVEL: 'loud',
      NIGHTSHIFT_CONCURENCY: '5',
    };
    const message = messageOf(mistakes);
    for (const name of Object.keys(mistakes)) expect(message).toContain(name);
    expect(message).toContain('NIGHTSHIFT_UPSTREAM_KEY must be set together');
    expect(message.split('\n')).toHaveLength(1 + 15);
  });

  test.each([
    ['an unknown setting', { NIGHTSHIFT_SOURCE: 'snapshot' }, 'NIGHTSHIFT_SOURCE: unknown setting'],
    ['a key without its address', { NIGHTSHIFT_UPSTREAM_KEY: 'x' }, 'must be set together'],
    [
      'several servers, any of which may only read',
      { DATABASE_URL: 'postgres://one,two/x' },
      'DATABASE_URL: needs ?target_session_attrs=read-write',
    ],
    ['an address without its key', { NIGHTSHIFT_UPSTREAM_URL: 'https://x.test' }, 'must be set together'],
    ['an empty list of sources', { NIGHTSHIFT_SOURCES: ' , ' }, 'Unknown source'],
    ['sentinels without a master', { REDIS_URL: 'sentinel://a,b' }, 'REDIS_URL: must name the master'],
  ])('is rejected: %s', (_, environment, text) => {
    expect(messageOf(environment)).toContain(text);
  });

  test.each(['Infinity', '-5', '0', 'NaN', '1,5'])('has no period of %s seconds', (text) => {
    expect(messageOf({ NIGHTSHIFT_GRACE_SECONDS: text })).toContain('NIGHTSHIFT_GRACE_SECONDS');
  });

  test('does not reveal the value of a secret', () => {
    const secret = 'mysql://user:hunter2@db';
    expect(
      messageOf({ DATABASE_URL: secret, REDIS_URL: secret, NIGHTSHIFT_READER_URL: secret }),
    ).not.toContain('hunter2');
  });

  test('is not caused by unrelated or test variables', () => {
    const others = { PATH: '/bin', NIGHTSHIFTS: '7', NIGHTSHIFT_TEST_REDIS_URL: 'redis://x' };
    expect(readConfig(others)).toEqual(readConfig({}));
  });
});

test('a retention of 0 days stores no raw responses', () => {
  expect(readConfig({ NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: '0' }).keepRawResponsesMs).toBeNull();
});

test('every kind of data has its own retention period', () => {
  const { retention } = readConfig({
    NIGHTSHIFT_KEEP_BATCHES_DAYS: '365',
    NIGHTSHIFT_KEEP_ADDRESSES_DAYS: '30',
    NIGHTSHIFT_KEEP_SEARCHES_DAYS: '1.5',
    NIGHTSHIFT_KEEP_SCANS_DAYS: '400',
    NIGHTSHIFT_KEEP_CALLS_DAYS: '7',
    NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: '2',
    NIGHTSHIFT_KEEP_EVENTS_DAYS: '3',
  });
  const days = Object.fromEntries(
    Object.entries(retention).map(([kind, ms]) => [kind, (ms ?? 0) / 86_400_000]),
  );
  expect(days).toEqual({
    batches: 365,
    addresses: 30,
    searches: 1.5,
    scans: 400,
    calls: 7,
    raw_responses: 2,
    events: 3,
  });
});

test.each(['0', '0.5', '-3', 'soon'])('retention of %s days is rejected: the minimum is one', (days) => {
  expect(messageOf({ NIGHTSHIFT_KEEP_BATCHES_DAYS: days })).toContain('NIGHTSHIFT_KEEP_BATCHES_DAYS');
});

test('source names are case-insensitive, deduplicated and ordered', () => {
  expect(parseSourceNames(' Sample,upstream , sample,', builtInSources)).toEqual(['sample', 'upstream']);
});

test('an invalid log level falls back to the default, so that the error is logged', () => {
  expect([parseLogLevel('debug'), parseLogLevel('loud'), parseLogLevel(undefined)]).toEqual([
    'debug',
    'warn',
    'warn',
  ]);
});

function messageOf(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toMatchObject({ code: 'misconfigured' });
    return error instanceof Error ? error.message : '';
  }
  throw new Error('The configuration was accepted.');
}

/** Settings of a source without a default value: optional ones, URLs, consents, and disabled limits. */
function withoutValueOf({ id, settings }: LiveSourceDefinition): readonly string[] {
  const own = Object.values(settings).filter(
    ({ kind, required = false, default: value }) => required || kind === 'url' || value === undefined,
  );
  const limits = ['CONCURRENCY', 'CALLS_PER_DAY', 'MAX_SPEND_PER_DAY'].map(
    (limit) => `NIGHTSHIFT_${id.toUpperCase()}_${limit}`,
  );
  return [...own.map(({ name }) => name), ...limits];
}

describe('a number of details', () => {
  const parsed = (value: string) =>
    readConfig({ ...upstream, NIGHTSHIFT_SERPAPI_KEY: 'key', NIGHTSHIFT_SERPAPI_DETAILS_MAX: value });

  test.each(['0', '1', '100'])('may be %s', (value) => {
    expect(() => parsed(value)).not.toThrow();
  });

  test.each(['-1', '101', '1.5', 'all'])('may not be %s', (value) => {
    expect(() => parsed(value)).toThrow(/NIGHTSHIFT_SERPAPI_DETAILS_MAX/);
  });

  test('is not the number of pages, which is at least 1', () => {
    const environment = { ...upstream, NIGHTSHIFT_SERPAPI_KEY: 'key', NIGHTSHIFT_SERPAPI_PAGES_MAX: '0' };
    expect(() => readConfig(environment)).toThrow(/NIGHTSHIFT_SERPAPI_PAGES_MAX/);
  });
});
