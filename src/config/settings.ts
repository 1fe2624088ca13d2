import { z } from 'zod';
import { liveSources, sourceIds } from '../sources/registry.ts';
import { circuitBreaker, greylisting } from '../core/work/retry-policies.ts';
import { retentionSettings } from './retention.ts';
import {
  address,
  baseAddress,
  credits,
  logLevels,
  mailAddress,
  minutesList,
  port,
  postgresAddress,
  seconds,
  setting,
  wholeNumber,
  yesOrNo,
  type Setting,
} from './setting.ts';
import { sourceSettings } from './source-settings.ts';

/** Live sources that are used where none is named. */
const defaults = liveSources.flatMap(({ id, isDefault = false }) => (isDefault ? [id] : []));

const greylistingMinutes = greylisting.delaysMs.map((delayMs) => delayMs / 60_000).join();
const sourceWaitSeconds = circuitBreaker.initialDelayMs / 1000;

/** Every setting but those of the live sources: how it is read, its unit, its default, and what it does. */
const settings = {
  DATABASE_URL: setting(postgresAddress.optional(), {
    unit: 'URL',
    defaultText: 'a private server',
    what: 'Postgres 15 or newer. Without it a private Postgres is started under the home folder.',
    secret: true,
  }),
  REDIS_URL: setting(address(['redis', 'rediss']).optional(), {
    unit: 'URL',
    defaultText: 'the queue runs on Postgres',
    what: 'Redis for the queue and the pace; several nodes of a cluster separated by commas.',
    secret: true,
  }),
  NIGHTSHIFT_HOME: setting(z.string().min(1).default('.nightshift'), {
    unit: 'folder',
    defaultText: '.nightshift',
    what: 'Where the private server keeps its data and its passwords; in lists/ the lists of e-mail domains that were fetched or corrected.',
  }),
  NIGHTSHIFT_OWNER_URL: setting(postgresAddress.optional(), {
    unit: 'URL',
    defaultText: 'DATABASE_URL',
    what: 'The login that owns the tables: `nightshift migrate` and `nightshift accounts login` use it, and nothing else does.',
    secret: true,
  }),
  NIGHTSHIFT_READER_URL: setting(postgresAddress.optional(), {
    unit: 'URL',
    defaultText: 'DATABASE_URL as role nightshift_reader',
    what: 'The login that `nightshift sql` uses; a member of nightshift_reader.',
    secret: true,
  }),
  NIGHTSHIFT_ACCOUNT_READER_URL: setting(postgresAddress.optional(), {
    unit: 'URL',
    defaultText: 'that of the private server',
    what: "The login that runs accounts' own queries, bound to one account for each; in the role nightshift_account and in no other. Without it, on a server of yours, accounts have no SQL.",
    secret: true,
  }),
  NIGHTSHIFT_SQL_TIMEOUT_SECONDS: setting(seconds.max(300).default(10), {
    unit: 's',
    defaultText: '10',
    what: "How long a query of an account's own may take.",
  }),
  NIGHTSHIFT_SOURCES: setting(z.string().optional(), {
    unit: 'names',
    defaultText: ['snapshot when one is loaded', ...defaults.map((id) => `${id} when configured`)].join(', '),
    what: `Where ads come from, in the order they are asked. There are: ${sourceIds.join(', ')}.`,
  }),
  NIGHTSHIFT_NONE_OUTVOTES_FAILED: setting(yesOrNo.default(false), {
    unit: 'true, false',
    defaultText: 'false',
    what: 'With several sources: one that found no ads outvotes one that failed. An outage may then read as "no ads".',
  }),
  NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: setting(z.coerce.number().min(0).max(3650).default(30), {
    unit: 'days',
    defaultText: '30',
    what: 'Retention of raw responses of live sources. `nightshift reparse` parses them again without a charge. 0 stores none.',
  }),
  ...retentionSettings,
  NIGHTSHIFT_DNS_SERVERS: setting(z.string().optional(), {
    unit: 'addresses',
    defaultText: 'those of the machine',
    what: 'Name servers to ask about mail domains, separated by commas, such as 127.0.0.1:5353.',
  }),
  NIGHTSHIFT_DNS_TIMEOUT_SECONDS: setting(seconds.max(30).default(5), {
    unit: 's',
    defaultText: '5',
    what: 'How long one question to a name server may take, its repeat included.',
  }),
  NIGHTSHIFT_ALLOWED_HOSTS: setting(z.string().optional(), {
    unit: 'host names',
    defaultText: 'none',
    what: 'Hosts that may have addresses which are not public, separated by commas: those of your own network. A mail host may have a port: mx.corp:2525.',
  }),
  NIGHTSHIFT_PROBE_HELLO_NAME: setting(z.string().optional(), {
    unit: 'host name',
    defaultText: 'probing is off',
    what: 'The name of this machine for mail servers, which resolves to the address it sends from and back. With it, mail servers are asked about mailboxes.',
  }),
  NIGHTSHIFT_PROBE_MAIL_FROM: setting(z.string().optional(), {
    unit: 'address',
    defaultText: 'probing is off',
    what: 'The sender that mail servers are asked as, on the same domain of your own.',
  }),
  NIGHTSHIFT_PROBE_CONTACT: setting(z.string().optional(), {
    unit: 'address',
    defaultText: 'probing is off',
    what: 'Where you read complaints about probing, on the same domain of your own.',
  }),
  NIGHTSHIFT_PROBE_RETRY_MINUTES: setting(minutesList.default(greylistingMinutes), {
    unit: 'min',
    defaultText: greylistingMinutes,
    what: 'How long to wait before a mail server that puts us off (greylisting) is asked again, after the first time, the second, and so on.',
  }),
  NIGHTSHIFT_PROBE_GROUP_PER_MINUTE: setting(wholeNumber.max(100_000).default(10), {
    unit: 'recipients',
    defaultText: '10',
    what: 'Recipients a minute that the mail servers of one provider are asked about, by all workers together.',
  }),
  NIGHTSHIFT_PROBE_DOMAIN_PER_DAY: setting(wholeNumber.max(1_000_000).default(200), {
    unit: 'recipients',
    defaultText: '200',
    what: 'Recipients of one domain a day. Who asks about more looks like one who tries out names.',
  }),
  NIGHTSHIFT_PROBE_EGRESS_PER_MINUTE: setting(wholeNumber.max(100_000).default(60), {
    unit: 'recipients',
    defaultText: '60',
    what: 'Recipients a minute that are asked about under one NIGHTSHIFT_PROBE_HELLO_NAME.',
  }),
  NIGHTSHIFT_SMTP_URL: setting(address(['smtp', 'smtps']).optional(), {
    unit: 'URL',
    defaultText: 'events go by no mail',
    what: 'The mail server that events are handed to, with its login: smtps://user:password@mail.example.com. Together with NIGHTSHIFT_MAIL_FROM.',
    secret: true,
  }),
  NIGHTSHIFT_MAIL_FROM: setting(mailAddress.optional(), {
    unit: 'address',
    defaultText: 'events go by no mail',
    what: 'Who sends events by mail, an address that the mail server lets you send as.',
  }),
  NIGHTSHIFT_OIDC_ISSUER: setting(address(['https', 'http']).optional(), {
    unit: 'URL',
    defaultText: 'passwords and links',
    what: 'An identity provider (OpenID Connect) through which users sign in to the console too; its callback address is NIGHTSHIFT_BASE_URL/v1/session/provider/callback.',
  }),
  NIGHTSHIFT_OIDC_CLIENT_ID: setting(z.string().min(1).optional(), {
    unit: 'text',
    defaultText: 'none',
    what: 'What Nightshift is called there. Together with the issuer and the secret.',
  }),
  NIGHTSHIFT_OIDC_CLIENT_SECRET: setting(z.string().min(1).optional(), {
    unit: 'text',
    defaultText: 'none',
    what: 'Its secret there.',
    secret: true,
  }),
  NIGHTSHIFT_OIDC_NAME: setting(z.string().min(1).max(60).optional(), {
    unit: 'text',
    defaultText: 'the host of the issuer',
    what: 'What the provider is called on the page where one signs in.',
  }),
  NIGHTSHIFT_CONCURRENCY: setting(wholeNumber.max(1000).default(50), {
    unit: 'calls',
    defaultText: '50',
    what: 'Calls to live sources that one process has in flight at most.',
  }),
  NIGHTSHIFT_LEASE_SECONDS: setting(seconds.min(1).default(30), {
    unit: 's',
    defaultText: '30',
    what: 'How long a worker that went silent keeps its chunk before another takes it over.',
  }),
  NIGHTSHIFT_GRACE_SECONDS: setting(seconds.default(20), {
    unit: 's',
    defaultText: '20',
    what: 'How long a stopping worker lets calls under way finish.',
  }),
  NIGHTSHIFT_SOURCE_WAIT_SECONDS: setting(seconds.default(sourceWaitSeconds), {
    unit: 's',
    defaultText: String(sourceWaitSeconds),
    what: 'How long a source is left alone that refused us or gives no answers; in the second case twice as long every time, up to 15 minutes.',
  }),
  NIGHTSHIFT_OPENING_CREDITS: setting(credits.default('10000'), {
    unit: 'credits',
    defaultText: '10000',
    what: 'What the account default is granted, once, at the first start.',
  }),
  NIGHTSHIFT_QUEUE_PREFIX: setting(
    z
      .string()
      .regex(/^[^:]+$/, { error: 'must not contain a colon' })
      .default('{nightshift}'),
    {
      unit: 'text',
      defaultText: '{nightshift}',
      what: 'Prefix of all keys on Redis; the braces keep them on one node of a cluster.',
    },
  ),
  HOST: setting(z.string().min(1).default('127.0.0.1'), {
    unit: 'address',
    defaultText: '127.0.0.1',
    what: 'Where the API and the port for metrics listen; 0.0.0.0 for every interface.',
  }),
  PORT: setting(port.default(3000), {
    unit: 'port',
    defaultText: '3000',
    what: 'The port of the API; 0 takes any free one.',
  }),
  NIGHTSHIFT_METRICS_PORT: setting(port.optional(), {
    unit: 'port',
    defaultText: 'no port is opened',
    what: 'Where `nightshift work` serves /livez, /readyz and /metrics, and nothing else; 0 takes any free one.',
  }),
  NIGHTSHIFT_BASE_URL: setting(baseAddress.optional(), {
    unit: 'URL',
    defaultText: 'http://HOST:PORT',
    what: 'The address by which clients know the API; the types of errors begin with it.',
  }),
  NIGHTSHIFT_TRUST_PROXY: setting(yesOrNo.default(false), {
    unit: 'true, false',
    defaultText: 'false',
    what: 'The API stands behind a proxy of ours: the last address of X-Forwarded-For is the caller.',
  }),
  NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: setting(wholeNumber.default(600), {
    unit: 'requests/min',
    defaultText: '600',
    what: 'How often one API key may ask, at all processes together.',
  }),
  NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: setting(wholeNumber.default(1200), {
    unit: 'requests/min',
    defaultText: '1200',
    what: 'The same for all keys of an account.',
  }),
  NIGHTSHIFT_BAD_KEYS_PER_MINUTE: setting(wholeNumber.default(20), {
    unit: 'requests/min',
    defaultText: '20',
    what: 'How often one address may present a bad key before it is told to wait.',
  }),
  NIGHTSHIFT_BACKLOG_MAX: setting(wholeNumber.default(5_000_000), {
    unit: 'lookups',
    defaultText: '5000000',
    what: 'Open lookups of all batches beyond which the API takes no further list.',
  }),
  NIGHTSHIFT_LOG_LEVEL: setting(z.enum(logLevels).default('warn'), {
    unit: 'level',
    defaultText: 'warn',
    what: 'How much is logged to stderr: silent, error, warn, info or debug.',
  }),
};

/** Settings, as docs/reference/configuration.md and `nightshift config` list them; those of the live sources come last. */
export const settingList: readonly Setting[] = Object.entries({ ...settings, ...sourceSettings }).map(
  ([name, { about }]) => ({
    name,
    secret: false,
    ...about,
  }),
);

/** The environment as it is read, without the live sources: every setting by its name. */
export const environmentShape = z.object(
  Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof typeof settings]: (typeof settings)[Name]['schema'];
  },
);
