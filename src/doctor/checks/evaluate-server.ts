import type { LocaleInfo, ServerInfo } from '../../../db/info/server-info.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

/** The oldest Postgres that we run on; earlier ones lack what the migrations use. */
const oldestPostgres = 15;

/** Transactions without a freeze. Postgres refuses to write shortly before 2^31, about 2,100 million. */
const ageWarn = 500e6;
const ageMax = 1500e6;
/** A transaction that is open for longer keeps every table from being cleaned. Our choice. */
const transactionSecondsMax = 3600;

/** Version, and whether anything can be written at all. */
export function evaluateServer({
  version,
  versionNumber,
  isReadOnly,
  database,
}: ServerInfo): readonly Finding[] {
  const name = 'Postgres version';
  const findings = [
    versionNumber >= oldestPostgres * 10_000
      ? ok(name, version)
      : problem(
          name,
          `${version}, older than ${oldestPostgres}`,
          `Upgrade the server to Postgres ${oldestPostgres} or newer, or point DATABASE_URL at one.`,
        ),
  ];
  if (!isReadOnly) return findings;
  const remedy = `Point DATABASE_URL at the primary server. If it is that: \`ALTER DATABASE "${database}" RESET default_transaction_read_only\`.`;
  return [...findings, problem('writing', 'this server or database can only be read', remedy)];
}

/** Checks whether what is committed stays committed when the power fails. */
export function evaluateDurability({
  fsync,
  fullPageWrites,
  synchronousCommit,
}: ServerInfo): readonly Finding[] {
  const name = 'durability';
  const off = [
    ...(fsync ? [] : ['fsync']),
    ...(fullPageWrites ? [] : ['full_page_writes']),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
  ];
  if (off.length === 0)
    return [ok(name, `fsync, full_page_writes on; synchronous_commit ${synchronousCommit}`)];
  return off.map((setting) =>
    problem(
      name,
      `${setting} is off: a power failure loses charges that were made, or the whole database`,
      `As an administrator: \`ALTER SYSTEM SET ${setting} = on\`, then \`SELECT pg_reload_conf()\`.`,
    ),
  );
}

/** Checks that there is room for the connections of one more process, which opens up to `neededMax`. */
export function evaluateConnections(
  { connectionsMax, connectionsReserved, connectionsUsed }: ServerInfo,
  neededMax: number,
): Finding {
  const free = Math.max(0, connectionsMax - connectionsReserved - connectionsUsed);
  const found = `${free} of ${connectionsMax} free; a process opens up to ${neededMax}`;
  if (free >= neededMax) return ok('connections', found);
  const remedy = `Raise it and restart Postgres: \`ALTER SYSTEM SET max_connections = ${connectionsMax + 2 * neededMax}\`; or run fewer processes.`;
  return warning('connections', found, remedy);
}

/** Checks whether old rows are cleaned away, and what stands in the way. */
export function evaluateCleaning(info: ServerInfo): readonly Finding[] {
  const { autovacuum, transactionAge, freezeAge, oldestTransactionS } = info;
  const name = 'autovacuum';
  const findings: Finding[] = [];
  if (!autovacuum) {
    const remedy =
      'As an administrator: `ALTER SYSTEM SET autovacuum = on`, `ALTER SYSTEM SET track_counts = on`, then `SELECT pg_reload_conf()`.';
    findings.push(problem(name, 'off: tables grow, queries slow down, in the end Postgres stops', remedy));
  }
  if (transactionAge > Math.max(ageWarn, 1.2 * freezeAge)) {
    const evaluate = transactionAge > ageMax ? problem : warning;
    const found = `the oldest rows are ${Math.round(transactionAge / 1e6)} million transactions old; at 2,100 million Postgres stops`;
    const remedy =
      'Find what holds it up (`SELECT * FROM pg_prepared_xacts`, replication slots), then run `VACUUM`.';
    findings.push(evaluate('transaction age', found, remedy));
  }
  if (oldestTransactionS > transactionSecondsMax) {
    const found = `a transaction has been open for ${Math.round(oldestTransactionS / 3600)} h and keeps tables from being cleaned`;
    const remedy =
      'Find it with `SELECT pid, application_name, query FROM pg_stat_activity ORDER BY xact_start`, then `SELECT pg_terminate_backend(pid)`.';
    findings.push(warning('open transaction', found, remedy));
  }
  if (findings.length > 0) return findings;
  return [
    ok(name, `on; the oldest rows are ${Math.ceil(transactionAge / 1e6)} of 2,100 million transactions old`),
  ];
}

/** Checks that the encoding stores every character, and that indexes are in the order in which they were built. */
export function evaluateLocale(info: LocaleInfo): readonly Finding[] {
  const { database, encoding, collation, provider, version, versionInUse } = info;
  const name = 'encoding';
  const remedy =
    'Make a new database (`createdb --encoding=UTF8 --template=template0 NAME`), load a dump of this one, and point DATABASE_URL at it.';
  const written =
    encoding === 'UTF8'
      ? ok(name, encoding)
      : problem(name, `${encoding}: names of companies in other alphabets are refused or spoilt`, remedy);
  const sorted = `${collation} by ${provider}`;
  if (version === versionInUse) return [written, ok('collation', sorted)];
  const found = `${sorted}: indexes were built by version ${version ?? 'unknown'}, in use is ${versionInUse ?? 'unknown'}`;
  const rebuild = `With nobody connected: \`REINDEX DATABASE "${database}"\`, then \`ALTER DATABASE "${database}" REFRESH COLLATION VERSION\`.`;
  return [written, warning('collation', found, rebuild)];
}
