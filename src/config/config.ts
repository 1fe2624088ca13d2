import { z } from 'zod';
import { Misconfigured } from '../core/errors.ts';
import type { Retention } from '../core/purge/purge-kinds.ts';
import type { LiveSourceDefinition, SourceAccess } from '../sources/definition/source-definition.ts';
import { createSourceCatalog, type SourceCatalog } from '../sources/registry.ts';
import { chooseHome } from './home.ts';
import { toRetention } from './retention.ts';
import { halfSet, logLevels, splitFolders } from './setting.ts';
import { environmentShape, settingsWith } from './settings.ts';
import { halfSetSources, toSourceAccess } from './source-access.ts';
import { parseSourceMaps } from './source-maps.ts';
import { settingsOfSources, sourceEnvironment } from './source-settings.ts';

/** Configuration of a process. */
export interface Config {
  readonly databaseUrl: string | null;
  /** Address of the server itself if `databaseUrl` is that of a pooler in transaction mode; null: it is not. */
  readonly directUrl: string | null;
  /** Login that migrates and creates logins; null: that of `databaseUrl`. */
  readonly ownerUrl: string | null;
  readonly readerUrl: string | null;
  readonly accountReaderUrl: string | null;
  readonly sqlTimeoutMs: number;
  readonly redisUrl: string | null;
  /** Absolute path. */
  readonly home: string;
  /** The built-in sources, and those of the operator's maps. */
  readonly catalog: SourceCatalog;
  /** Default sources; null: the snapshot and the upstream, if present. */
  readonly sources: readonly string[] | null;
  /** Settings of the live sources that are turned on, by the id of the source. */
  readonly access: ReadonlyMap<string, SourceAccess>;
  readonly noneOutvotesFailed: boolean;
  /** Retention of raw responses; null: not stored. */
  readonly keepRawResponsesMs: number | null;
  readonly retention: Retention;
  /** Hosts that may have private addresses: `name`, `name:port` or an address, in lower case. */
  readonly allowedHosts: readonly string[];
  /** Folders below which accounts may name folders: absolute paths. */
  readonly folders: readonly string[];
  readonly email: EmailConfig;
  /** Null: e-mail is off. */
  readonly mail: MailConfig | null;
  /** Null: sign-in by password or link only. */
  readonly identityProvider: IdentityProviderConfig | null;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly graceMs: number;
  readonly sourceWaitMs: number;
  /** Credits in decimal text. */
  readonly openingCredits: string;
  readonly queuePrefix: string;
  readonly logLevel: string;
  readonly api: ApiConfig;
  /** Metrics port of `work`; null: none. */
  readonly metricsPort: number | null;
}

/** Mail server for events by e-mail. */
export interface MailConfig {
  readonly url: string;
  readonly from: string;
}

/** OpenID Connect provider for sign-in. */
export interface IdentityProviderConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Display name. */
  readonly name: string;
}

/** Configuration of the e-mail validation. */
export interface EmailConfig {
  /** Null: the name servers of the machine. */
  readonly dnsServers: readonly string[] | null;
  readonly dnsTimeoutMs: number;
  /** Mail hosts that may have private addresses, on any port: their names in lower case. */
  readonly allowedHosts: readonly string[];
  /** Ports of allowed mail hosts, unless 25. */
  readonly hostPorts: ReadonlyMap<string, number>;
  /** Null: probing is off. */
  readonly probe: ProbeConfig | null;
}

/** Configuration of mailbox checks at mail servers. */
export interface ProbeConfig {
  readonly helloName: string;
  readonly mailFrom: string;
  readonly contact: string;
  readonly retryAfterMs: readonly number[];
  /** Maximum numbers of recipients. */
  readonly budgets: {
    readonly groupPerMinute: number;
    readonly domainPerDay: number;
    readonly egressPerMinute: number;
  };
}

/** Configuration of the HTTP API. */
export interface ApiConfig {
  readonly host: string;
  readonly port: number;
  /** Null: derived from host and port. */
  readonly baseUrl: string | null;
  readonly trustProxy: boolean;
  /** Requests per minute. */
  readonly rates: {
    readonly perKey: number;
    readonly perAccount: number;
    readonly failuresPerAddress: number;
  };
  /** Number of open lookups beyond which further batches are rejected. */
  readonly backlogMax: number;
}

/**
 * Reads the configuration from an environment. An empty variable counts as unset.
 *
 * @throws Misconfigured naming all mistakes.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentShape.safeParse(given);
  const listed = parseSourceMaps(given);
  const catalog = createSourceCatalog(listed.maps);
  const { liveSources } = catalog;
  const ofSources = sourceEnvironment(settingsOfSources(liveSources)).safeParse(given);
  const mistakes = [
    ...listed.mistakes,
    ...unknownNames(given, liveSources),
    ...[parsed, ofSources].flatMap(({ error }) => error?.issues.map(describeIssue) ?? []),
    ...halfSetSources(liveSources, given),
    ...halfSet(given, probeNames),
    ...halfSet(given, mailNames),
    ...halfSet(given, openIdNames),
    ...unknownSources(given, catalog),
  ];
  if (!parsed.success || !ofSources.success || mistakes.length > 0) throw misconfigured(mistakes);
  const values = parsed.data;
  return {
    databaseUrl: values.DATABASE_URL ?? null,
    directUrl: values.NIGHTSHIFT_DIRECT_URL ?? null,
    ownerUrl: values.NIGHTSHIFT_OWNER_URL ?? null,
    readerUrl: values.NIGHTSHIFT_READER_URL ?? null,
    accountReaderUrl: values.NIGHTSHIFT_ACCOUNT_READER_URL ?? null,
    sqlTimeoutMs: values.NIGHTSHIFT_SQL_TIMEOUT_SECONDS * 1000,
    redisUrl: values.REDIS_URL ?? null,
    home: chooseHome({ environment }),
    catalog,
    sources:
      values.NIGHTSHIFT_SOURCES === undefined ? null : parseSourceNames(values.NIGHTSHIFT_SOURCES, catalog),
    access: toSourceAccess(liveSources, ofSources.data, values.NIGHTSHIFT_MAX_SPEND_PER_DAY),
    noneOutvotesFailed: values.NIGHTSHIFT_NONE_OUTVOTES_FAILED,
    keepRawResponsesMs:
      values.NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS === 0
        ? null
        : values.NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS * 86_400_000,
    retention: toRetention(values),
    allowedHosts: splitNames(values.NIGHTSHIFT_ALLOWED_HOSTS ?? ''),
    folders: splitFolders(values.NIGHTSHIFT_FOLDERS ?? ''),
    email: toEmail(values),
    mail: toMail(values),
    identityProvider: toIdentityProvider(values),
    concurrency: values.NIGHTSHIFT_CONCURRENCY,
    leaseMs: values.NIGHTSHIFT_LEASE_SECONDS * 1000,
    graceMs: values.NIGHTSHIFT_GRACE_SECONDS * 1000,
    sourceWaitMs: values.NIGHTSHIFT_SOURCE_WAIT_SECONDS * 1000,
    openingCredits: values.NIGHTSHIFT_OPENING_CREDITS,
    queuePrefix: values.NIGHTSHIFT_QUEUE_PREFIX,
    logLevel: values.NIGHTSHIFT_LOG_LEVEL,
    api: toApi(values),
    metricsPort: values.NIGHTSHIFT_METRICS_PORT ?? null,
  };
}

/**
 * Parses a list of source names, such as `snapshot,upstream`.
 *
 * @throws Misconfigured when one is unknown.
 */
export function parseSourceNames(text: string, catalog: SourceCatalog): readonly string[] {
  const names = splitNames(text);
  const mistake = sourceMistake(text, names, catalog);
  if (mistake !== null) throw new Misconfigured(mistake);
  return names;
}

function splitNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  return [...new Set(names)].filter((name) => name !== '');
}

function sourceMistake(text: string, names: readonly string[], catalog: SourceCatalog): string | null {
  const unknown = names.find((name) => catalog.find(name) === undefined);
  if (unknown === undefined && names.length > 0) return null;
  return `Unknown source "${unknown ?? text}". ${catalog.suggestion(unknown ?? text)}`;
}

/** Parses the log level, independently of the rest of the configuration, which can be invalid. Default: `warn`. */
export function parseLogLevel(text: string | undefined): string {
  return logLevels.find((level) => level === text) ?? 'warn';
}

function toApi(values: z.infer<typeof environmentShape>): ApiConfig {
  return {
    host: values.HOST,
    port: values.PORT,
    baseUrl: values.NIGHTSHIFT_BASE_URL ?? null,
    trustProxy: values.NIGHTSHIFT_TRUST_PROXY,
    rates: {
      perKey: values.NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE,
      perAccount: values.NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE,
      failuresPerAddress: values.NIGHTSHIFT_BAD_KEYS_PER_MINUTE,
    },
    backlogMax: values.NIGHTSHIFT_BACKLOG_MAX,
  };
}

function toEmail(values: z.infer<typeof environmentShape>): EmailConfig {
  const { NIGHTSHIFT_DNS_SERVERS: servers, NIGHTSHIFT_ALLOWED_HOSTS: allowed = '' } = values;
  const hosts = splitNames(allowed).map(readHost);
  return {
    dnsServers: servers === undefined ? null : splitNames(servers),
    dnsTimeoutMs: values.NIGHTSHIFT_DNS_TIMEOUT_SECONDS * 1000,
    allowedHosts: hosts.map(({ name }) => name),
    hostPorts: new Map(hosts.flatMap(({ name, port }) => (port === null ? [] : [[name, port]]))),
    probe: toProbe(values),
  };
}

/** Parses a host with an optional port, such as `mx.corp:2525`; an IPv6 address has more than one colon and no port. */
function readHost(text: string): { readonly name: string; readonly port: number | null } {
  const [, name, port] = /^([^:]+):(\d{1,5})$/.exec(text) ?? [];
  return name === undefined ? { name: text, port: null } : { name, port: Number(port) };
}

const probeNames = [
  'NIGHTSHIFT_PROBE_HELLO_NAME',
  'NIGHTSHIFT_PROBE_MAIL_FROM',
  'NIGHTSHIFT_PROBE_CONTACT',
] as const;

function toProbe(values: z.infer<typeof environmentShape>): ProbeConfig | null {
  const [helloName, mailFrom, contact] = probeNames.map((name) => values[name]);
  if (helloName === undefined || mailFrom === undefined || contact === undefined) return null;
  return {
    helloName: helloName.toLowerCase(),
    mailFrom,
    contact,
    retryAfterMs: values.NIGHTSHIFT_PROBE_RETRY_MINUTES.split(',').map((minutes) => Number(minutes) * 60_000),
    budgets: {
      groupPerMinute: values.NIGHTSHIFT_PROBE_GROUP_PER_MINUTE,
      domainPerDay: values.NIGHTSHIFT_PROBE_DOMAIN_PER_DAY,
      egressPerMinute: values.NIGHTSHIFT_PROBE_EGRESS_PER_MINUTE,
    },
  };
}

const mailNames = ['NIGHTSHIFT_SMTP_URL', 'NIGHTSHIFT_MAIL_FROM'] as const;

function toMail(values: z.infer<typeof environmentShape>): MailConfig | null {
  const [url, from] = mailNames.map((name) => values[name]);
  return url === undefined || from === undefined ? null : { url, from };
}

const openIdNames = [
  'NIGHTSHIFT_OIDC_ISSUER',
  'NIGHTSHIFT_OIDC_CLIENT_ID',
  'NIGHTSHIFT_OIDC_CLIENT_SECRET',
] as const;

function toIdentityProvider(values: z.infer<typeof environmentShape>): IdentityProviderConfig | null {
  const [issuer, clientId, clientSecret] = openIdNames.map((name) => values[name]);
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return { issuer, clientId, clientSecret, name: values.NIGHTSHIFT_OIDC_NAME ?? new URL(issuer).hostname };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${issue.message}`;
}

/** Lists unknown settings: a misspelt name would silently leave a default in place. Variables of tests are ignored. */
function unknownNames(
  given: Readonly<Record<string, unknown>>,
  liveSources: readonly LiveSourceDefinition[],
): readonly string[] {
  const known = new Set(settingsWith(liveSources).map(({ name }) => name));
  return Object.keys(given)
    .filter(
      (name) => name.startsWith('NIGHTSHIFT_') && !name.startsWith('NIGHTSHIFT_TEST_') && !known.has(name),
    )
    .map((name) => `${name}: unknown setting. \`nightshift config\` lists all settings.`);
}

function unknownSources(
  { NIGHTSHIFT_SOURCES: text }: Readonly<Record<string, string | undefined>>,
  catalog: SourceCatalog,
): readonly string[] {
  if (text === undefined) return [];
  const mistake = sourceMistake(text, splitNames(text), catalog);
  return mistake === null ? [] : [`NIGHTSHIFT_SOURCES: ${mistake}`];
}

function misconfigured(mistakes: readonly string[]): Misconfigured {
  return new Misconfigured(`The configuration is invalid:\n  ${mistakes.join('\n  ')}`);
}
