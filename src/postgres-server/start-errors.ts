import { DatabaseUnavailable, Misconfigured, type EnrichError } from '../core/errors.ts';

/** Output of a start that failed. */
export interface FailedStart {
  /** The last lines of the log. */
  readonly log: string;
  /** Null for a log that does not stay. */
  readonly logPath: string | null;
  readonly dataFolder: string;
}

/** Temporary reason of a failed start: the port is in use, or an earlier server is still shutting down. */
export type Passing = 'port_taken' | 'earlier_server';

/** Finds a temporary reason in the log of a failed start; undefined for a permanent one. */
export function readPassing(log: string): Passing | undefined {
  if (/could not create any TCP\/IP sockets|Address already in use/.test(log)) return 'port_taken';
  if (/pre-existing shared memory block|lock file "postmaster\.pid"/.test(log)) return 'earlier_server';
  return undefined;
}

const remedies: readonly {
  pattern: RegExp;
  kind: typeof Misconfigured | typeof DatabaseUnavailable;
  remedy: string;
}[] = [
  {
    pattern: /No space left on device|Disk quota exceeded/,
    kind: DatabaseUnavailable,
    remedy: 'Free some disk space and start again.',
  },
  {
    pattern: /pre-existing shared memory block|lock file "postmaster\.pid"/,
    kind: DatabaseUnavailable,
    remedy:
      'Processes of a killed server still use this data. Wait until they end, or end them, and start again.',
  },
  {
    pattern: /could not map anonymous shared memory|Cannot allocate memory|could not create semaphores/,
    kind: Misconfigured,
    remedy: 'The machine has too little memory for the server. Free some, or set DATABASE_URL.',
  },
  {
    pattern: /unrecognized configuration parameter|invalid value for parameter|is outside the valid range/,
    kind: Misconfigured,
    remedy: 'Fix the setting in the message.',
  },
  {
    pattern: /incompatible with server|incompatible with this version|was initialized (?:by|with)/,
    kind: Misconfigured,
    remedy: 'Install the version of Postgres that created the data.',
  },
  {
    pattern: /Permission denied|wrong ownership|invalid permissions/,
    kind: Misconfigured,
    remedy: 'Restore the owner and the permissions of the data folder and its parents.',
  },
];

/** Creates the error of a permanently failed start, with the output of the server, the path of its log if it stays, and the remedy. */
export function startFailure({ log, logPath, dataFolder }: FailedStart): EnrichError {
  const known = remedies.find(({ pattern }) => pattern.test(log));
  const Kind = known?.kind ?? DatabaseUnavailable;
  const remedy = known?.remedy ?? 'Fix the error, or set DATABASE_URL to use another server.';
  const output = log === '' ? 'It printed nothing.' : `It printed:\n${log}`;
  const whole = logPath === null ? '' : ` Full log: ${logPath}`;
  return new Kind(`The private Postgres server did not start on ${dataFolder}. ${output}\n${remedy}${whole}`);
}
