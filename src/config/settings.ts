import { z } from 'zod';
import type { LiveSourceDefinition } from '../sources/definition/source-definition.ts';
import { mapsSetting } from '../sources/definition/named-map.ts';
import { liveSources, sourceIds } from '../sources/registry.ts';
import { circuitBreaker, greylisting } from '../core/work/retry-policies.ts';
import { retentionSettings } from './retention.ts';
import {
  address,
  baseAddress,
  credits,
  folderList,
  logLevels,
  mailAddress,
  minutesList,
  port,
  postgresAddress,
  redisAddress,
  seconds,
  setting,
  spend,
  wholeNumber,
  writerAddress,
  yesOrNo,
  type Setting,
} from './setting.ts';
import { settingsOfSources } from './source-settings.ts';

/** Live sources that are used when none is named. */
const defaults = liveSources.flatMap(({ id, isDefault = false }) => (isDefault ? [id] : []));

const greylistingMinutes = greylisting.delaysMs.map((delayMs) => delayMs / 60_000).join();
const sourceWaitSeconds = circuitBreaker.initialDelayMs / 1000;

/** Every setting but those of the live sources, with its schema, unit, default and description. */
const settings = {
  DATABASE_URL: setting(writerAddress.optional(), {
    unit: 'URL',
    defaultText: 'a private server',
    what:
      'Postgres 15 or newer. Without it, Nightshift starts a private Postgres in the home folder. For a primary with standbys, several servers ' +
      'separated by commas and ?target_session_attrs=read-write.',
    secret: true,
  }),
  NIGHTSHIFT_DIRECT_URL: setting(writerAddress.optional(), {
    unit: 'URL',
    defaultText: 'DATABASE_URL',
    what: 'The same database without the pooler, if DATABASE_URL leads to one in transaction mode, such as PgBouncer.',
    secret: true,
  }),
  REDIS_URL: setting(redisAddress.optional(), {
    unit: 'URL',
    defaultText: 'the queue runs on Postgres',
    what:
      'Redis for the queue and the rate limits: redis://, or rediss:// for TLS. For a cluster, several nodes separated by commas. With ' +
      'Sentinel, sentinel://HOST:26379,HOST:26379/NAME.',
    secret: true,
  }),
  NIGHTSHIFT_HOME: setting(z.string().optional(), {
    unit: 'folder',
    defaultText: 'the nearest .nightshift from the working folder upwards, else ~/.local/share/nightshift',
    what:
      'Home folder: data and passwords of the private server, and in lists/ the updated or corrected lists of e-mail domains. The default follows ' +
      'XDG_DATA_HOME; on macOS it is in ~/Library/Application Support, on Windows in %LOCALAPPDATA%.',
  }),
  NIGHTSHIFT_OWNER_URL: setting(writerAddress.optional(), {
    unit: 'URL',
    defaultText: 'NIGHTSHIFT_DIRECT_URL or DATABASE_URL',
    what: 'Login of the owner of the tables. Only `nightshift migrate`, `nightshift accounts login` and `nightshift restore` use it.',
    secret: true,
  }),
  NIGHTSHIFT_READER_URL: setting(postgresAddress.optional(), {
    unit: 'URL',
    defaultText: 'DATABASE_URL as role nightshift_reader',
    what:
      'Login for `nightshift sql`, a member of nightshift_reader. If its servers are standbys of DATABASE_URL, exports, reports, pages and ' +
      "accounts' SQL are read there, too.",
    secret: true,
  }),
  NIGHTSHIFT_ACCOUNT_READER_URL: setting(writerAddress.optional(), {
    unit: 'URL',
    defaultText: 'that of the private server',
    what: 'Login for the SQL of accounts, a member of nightshift_account only. Each query is bound to one account. Without it, accounts have no SQL on your own server.',
    secret: true,
  }),
  NIGHTSHIFT_SQL_TIMEOUT_SECONDS: setting(seconds.max(300).default(10), {
    unit: 's',
    defaultText: '10',
    what: 'Time limit of a query of an account.',
  }),
  NIGHTSHIFT_SOURCES: setting(z.string().optional(), {
    unit: 'names',
    defaultText: ['snapshot when one is loaded', ...defaults.map((id) => `${id} when configured`)].join(', '),
    what: `Ad sources in order of preference: ${sourceIds.join(', ')}, or a name of NIGHTSHIFT_SOURCE_MAPS.`,
  }),
  [mapsSetting]: setting(z.string().optional(), {
    unit: 'files',
    defaultText: 'none',
    what: 'Source maps, separated by commas: FILE or NAME=FILE. Each is a source with the name of its file, its own NIGHTSHIFT_NAME_KEY and its own limits.',
  }),
  NIGHTSHIFT_NONE_OUTVOTES_FAILED: setting(yesOrNo.default(false), {
    unit: 'true, false',
    defaultText: 'false',
    what: 'With several sources, a source without ads outweighs one that failed. An outage can then be reported as "no ads".',
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
    what: 'Name servers for mail domains, separated by commas, such as 127.0.0.1:5353.',
  }),
  NIGHTSHIFT_DNS_TIMEOUT_SECONDS: setting(seconds.max(30).default(5), {
    unit: 's',
    defaultText: '5',
    what: 'Time limit of a DNS query, including its retry.',
  }),
  NIGHTSHIFT_ALLOWED_HOSTS: setting(z.string().optional(), {
    unit: 'host names',
    defaultText: 'none',
    what: 'Hosts that may have private addresses, separated by commas, such as hosts of your own network. A mail host can have a port: mx.corp:2525.',
  }),
  NIGHTSHIFT_FOLDERS: setting(folderList.optional(), {
    unit: 'folders',
    defaultText: 'none',
    what: 'Folders, separated by commas, below which accounts may name folders for lists and results, over the API and in the console. Commands may name any folder.',
  }),
  NIGHTSHIFT_PROBE_HELLO_NAME: setting(z.string().optional(), {
    unit: 'host name',
    defaultText: 'probing is off',
    what: 'Host name of this machine for mail servers, with matching forward and reverse DNS. With this setting, Nightshift checks mailboxes at their mail servers.',
  }),
  NIGHTSHIFT_PROBE_MAIL_FROM: setting(z.string().optional(), {
    unit: 'address',
    defaultText: 'probing is off',
    what: 'Sender address of mailbox checks, on the same domain of your own.',
  }),
  NIGHTSHIFT_PROBE_CONTACT: setting(z.string().optional(), {
    unit: 'address',
    defaultText: 'probing is off',
    what: 'Address for complaints about mailbox checks, on the same domain of your own.',
  }),
  NIGHTSHIFT_PROBE_RETRY_MINUTES: setting(minutesList.default(greylistingMinutes), {
    unit: 'min',
    defaultText: greylistingMinutes,
    what: 'Delays before the first, second and later retries at a mail server that uses greylisting.',
  }),
  NIGHTSHIFT_PROBE_GROUP_PER_MINUTE: setting(wholeNumber.max(100_000).default(10), {
    unit: 'recipients',
    defaultText: '10',
    what: 'Mailbox checks per minute at the mail servers of one provider, by all workers.',
  }),
  NIGHTSHIFT_PROBE_DOMAIN_PER_DAY: setting(wholeNumber.max(1_000_000).default(200), {
    unit: 'recipients',
    defaultText: '200',
    what: 'Mailbox checks per day for one domain. More checks look like a directory harvest attack.',
  }),
  NIGHTSHIFT_PROBE_EGRESS_PER_MINUTE: setting(wholeNumber.max(100_000).default(60), {
    unit: 'recipients',
    defaultText: '60',
    what: 'Mailbox checks per minute under one NIGHTSHIFT_PROBE_HELLO_NAME.',
  }),
  NIGHTSHIFT_SMTP_URL: setting(address(['smtp', 'smtps']).optional(), {
    unit: 'URL',
    defaultText: 'e-mail is off',
    what: 'Mail server for events by e-mail, with its login: smtps://user:password@mail.example.com. Requires NIGHTSHIFT_MAIL_FROM.',
    secret: true,
  }),
  NIGHTSHIFT_MAIL_FROM: setting(mailAddress.optional(), {
    unit: 'address',
    defaultText: 'e-mail is off',
    what: 'Sender of events by e-mail, an address that the mail server accepts.',
  }),
  NIGHTSHIFT_OIDC_ISSUER: setting(address(['https', 'http']).optional(), {
    unit: 'URL',
    defaultText: 'passwords and links',
    what: 'Issuer of an OpenID Connect provider for sign-in to the console. The callback URL is NIGHTSHIFT_BASE_URL/v1/session/provider/callback.',
  }),
  NIGHTSHIFT_OIDC_CLIENT_ID: setting(z.string().min(1).optional(), {
    unit: 'text',
    defaultText: 'none',
    what: 'Client id at the OpenID Connect provider. Requires the issuer and the secret.',
  }),
  NIGHTSHIFT_OIDC_CLIENT_SECRET: setting(z.string().min(1).optional(), {
    unit: 'text',
    defaultText: 'none',
    what: 'Client secret at the OpenID Connect provider.',
    secret: true,
  }),
  NIGHTSHIFT_OIDC_NAME: setting(z.string().min(1).max(60).optional(), {
    unit: 'text',
    defaultText: 'the host of the issuer',
    what: 'Name of the provider on the sign-in page.',
  }),
  NIGHTSHIFT_CONCURRENCY: setting(wholeNumber.max(1000).default(50), {
    unit: 'calls',
    defaultText: '50',
    what: 'Maximum number of calls to live sources in flight per process: this many for batches, and as many for single searches.',
  }),
  NIGHTSHIFT_LEASE_SECONDS: setting(seconds.min(1).default(30), {
    unit: 's',
    defaultText: '30',
    what: 'Lease of a chunk: time after which another worker takes over the work of a silent one.',
  }),
  NIGHTSHIFT_GRACE_SECONDS: setting(seconds.default(20), {
    unit: 's',
    defaultText: '20',
    what: 'Time for calls in flight to finish when a worker stops.',
  }),
  NIGHTSHIFT_MAX_SPEND_PER_DAY: setting(spend.optional(), {
    unit: 'amount and currency',
    defaultText: 'no limit',
    what: 'Cost of the calls to each source a day at most, by UTC and by its price, such as 10USD. A source whose price is in another currency is not called.',
  }),
  NIGHTSHIFT_SOURCE_WAIT_SECONDS: setting(seconds.default(sourceWaitSeconds), {
    unit: 's',
    defaultText: String(sourceWaitSeconds),
    what: 'Pause of a source that rejects calls or does not answer. If it does not answer, each further pause doubles, up to 15 minutes.',
  }),
  NIGHTSHIFT_OPENING_CREDITS: setting(credits.default('10000'), {
    unit: 'credits',
    defaultText: '10000',
    what: 'Credits granted once to the account default, at the first start.',
  }),
  NIGHTSHIFT_QUEUE_PREFIX: setting(
    z
      .string()
      .regex(/^[^:]+$/, { error: 'must not contain a colon' })
      .default('{nightshift}'),
    {
      unit: 'text',
      defaultText: '{nightshift}',
      what: 'Prefix of all keys on Redis. The braces keep them on one node of a cluster.',
    },
  ),
  HOST: setting(z.string().min(1).default('127.0.0.1'), {
    unit: 'address',
    defaultText: '127.0.0.1',
    what: 'Address on which the API and the metrics port listen; 0.0.0.0 for every interface.',
  }),
  PORT: setting(port.default(3000), {
    unit: 'port',
    defaultText: '3000',
    what: 'Port of the API; 0 for any free port.',
  }),
  NIGHTSHIFT_METRICS_PORT: setting(port.optional(), {
    unit: 'port',
    defaultText: 'no port is opened',
    what: 'Port on which `nightshift work` serves /livez, /readyz and /metrics; 0 for any free port.',
  }),
  NIGHTSHIFT_BASE_URL: setting(baseAddress.optional(), {
    unit: 'URL',
    defaultText: 'http://HOST:PORT',
    what: 'Public URL of the API. Error types start with it.',
  }),
  NIGHTSHIFT_TRUST_PROXY: setting(yesOrNo.default(false), {
    unit: 'true, false',
    defaultText: 'false',
    what: 'Trust your proxy in front of the API: the last address of X-Forwarded-For is the client.',
  }),
  NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: setting(wholeNumber.default(600), {
    unit: 'requests/min',
    defaultText: '600',
    what: 'Rate limit of an API key, across all processes.',
  }),
  NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: setting(wholeNumber.default(1200), {
    unit: 'requests/min',
    defaultText: '1200',
    what: 'Rate limit of an account, across all keys and processes.',
  }),
  NIGHTSHIFT_BAD_KEYS_PER_MINUTE: setting(wholeNumber.default(20), {
    unit: 'requests/min',
    defaultText: '20',
    what: 'Rate limit of requests with an invalid key, per client address.',
  }),
  NIGHTSHIFT_BACKLOG_MAX: setting(wholeNumber.default(5_000_000), {
    unit: 'lookups',
    defaultText: '5000000',
    what: 'Maximum number of open lookups of all batches. Beyond it, the API rejects further batches.',
  }),
  NIGHTSHIFT_LOG_LEVEL: setting(z.enum(logLevels).default('warn'), {
    unit: 'level',
    defaultText: 'warn',
    what: 'Log level on stderr: silent, error, warn, info or debug.',
  }),
};

/** All settings of an installation with these live sources, as `nightshift config` lists them; those of the sources come last. */
export function settingsWith(sources: readonly LiveSourceDefinition[]): readonly Setting[] {
  return Object.entries({ ...settings, ...settingsOfSources(sources) }).map(([name, { about }]) => ({
    name,
    secret: false,
    ...about,
  }));
}

/** All settings without those of source maps, as docs/reference/configuration.md lists them. */
export const settingList: readonly Setting[] = settingsWith(liveSources);

/** Schema of the environment without the live sources: every setting by its name. */
export const environmentShape = z.object(
  Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof typeof settings]: (typeof settings)[Name]['schema'];
  },
);
