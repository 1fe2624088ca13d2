import type { LocaleInfo, ServerInfo } from '../../../db/info/server-info.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

/** Oldest supported Postgres; earlier versions lack features that the migrations use. */
const oldestPostgres = 15;

/** Transactions since the last freeze. Postgres stops writes shortly before 2^31, about 2,100 million. */
const ageWarn = 500e6;
const ageMax = 1500e6;
/** Maximum age of an open transaction, which keeps tables from being vacuumed. Our choice. */
const transactionSecondsMax = 3600;

/** Checks the version, and that the server accepts writes. */
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
  const remedy = `Point DATABASE_URL at the primary server. If it is the primary: \`ALTER DATABASE "${database}" RESET default_transaction_read_only\`.`;
  return [...findings, problem('writing', 'this server or database is read-only', remedy)];
}

/** Checks that committed data survives a power failure. */
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
      `${setting} is off: a power failure can lose charges, or the whole database`,
      `As an administrator: \`ALTER SYSTEM SET ${setting} = on\`, then \`SELECT pg_reload_conf()\`.`,
    ),
  );
}

/** Checks that one more process can connect. It opens up to `neededMax` connections. */
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

/** Checks that old rows are vacuumed, and what prevents it. */
export function evaluateCleaning(info: ServerInfo): readonly Finding[] {
  const { autovacuum, transactionAge, freezeAge, oldestTransactionS } = info;
  const name = 'autovacuum';
  const findings: Finding[] = [];
  if (!autovacuum) {
    const remedy =
      'As an administrator: `ALTER SYSTEM SET autovacuum = on`, `ALTER SYSTEM SET track_counts = on`, then `SELECT pg_reload_conf()`.';
    findings.push(problem(name, 'off: tables grow, queries slow down, and finally Postgres stops', remedy));
  }
  if (transactionAge > Math.max(ageWarn, 1.2 * freezeAge)) {
    const evaluate = transactionAge > ageMax ? problem : warning;
    const found = `the oldest rows are ${Math.round(transactionAge / 1e6)} million transactions old; at 2,100 million Postgres stops`;
    const remedy =
      'Find the cause (`SELECT * FROM pg_prepared_xacts`, replication slots), then run `VACUUM`.';
    findings.push(evaluate('transaction age', found, remedy));
  }
  if (oldestTransactionS > transactionSecondsMax) {
    const found = `a transaction has been open for ${Math.round(oldestTransactionS / 3600)} h and keeps tables from being vacuumed`;
    const remedy =
      'Find it with `SELECT pid, application_name, query FROM pg_stat_activity ORDER BY xact_start`, then `SELECT pg_terminate_backend(pid)`.';
    findings.push(warning('open transaction', found, remedy));
  }
  if (findings.length > 0) return findings;
  return [
    ok(name, `on; the oldest rows are ${Math.ceil(transactionAge / 1e6)} of 2,100 million transactions old`),
  ];
}

/** Checks that the encoding stores every character, and that the collation has not changed since indexes were built. */
export function evaluateLocale(info: LocaleInfo): readonly Finding[] {
  const { database, encoding, collation, provider, version, versionInUse } = info;
  const name = 'encoding';
  const remedy =
    'Create a new database (`createdb --encoding=UTF8 --template=template0 NAME`), restore a dump of this one, and point DATABASE_URL at it.';
  const written =
    encoding === 'UTF8'
      ? ok(name, encoding)
      : problem(name, `${encoding}: company names in other alphabets are rejected or corrupted`, remedy);
  const sorted = `${collation} by ${provider}`;
  if (version === versionInUse) return [written, ok('collation', sorted)];
  const found = `${sorted}: indexes were built by version ${version ?? 'unknown'}, in use is ${versionInUse ?? 'unknown'}`;
  const rebuild = `While nothing is connected: \`REINDEX DATABASE "${database}"\`, then \`ALTER DATABASE "${database}" REFRESH COLLATION VERSION\`.`;
  return [written, warning('collation', found, rebuild)];
}
