import { DatabaseUnavailable, Misconfigured, type EnrichError } from '../core/errors.ts';

/** Output of a start that failed. */
export interface FailedStart {
  /** The last lines of the log. */
  readonly log: string;
  readonly logPath: string;
  readonly dataFolder: string;
}

/** Why another attempt may succeed: the port was taken meanwhile, or an earlier server has not quite gone. */
export type Passing = 'port_taken' | 'earlier_server';

/** Reads from the log of a failed start whether it will pass; undefined when it will not. */
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
      'Processes of a killed server still work on these data. Wait for them, or end them, and start again.',
  },
  {
    pattern: /could not map anonymous shared memory|Cannot allocate memory|could not create semaphores/,
    kind: Misconfigured,
    remedy: 'The machine gives the server too little memory. Free some, or set DATABASE_URL.',
  },
  {
    pattern: /unrecognized configuration parameter|invalid value for parameter|is outside the valid range/,
    kind: Misconfigured,
    remedy: 'Mend the setting it names.',
  },
  {
    pattern: /incompatible with server|incompatible with this version|was initialized (?:by|with)/,
    kind: Misconfigured,
    remedy: 'Install the Postgres that made the data.',
  },
  {
    pattern: /Permission denied|wrong ownership|invalid permissions/,
    kind: Misconfigured,
    remedy: 'Give the data folder, and the way to it, back to the user it belongs to.',
  },
];

/** The error for a start that failed for good: what the server said, where its log is, and what to do. */
export function startFailure({ log, logPath, dataFolder }: FailedStart): EnrichError {
  const known = remedies.find(({ pattern }) => pattern.test(log));
  const Kind = known?.kind ?? DatabaseUnavailable;
  const remedy = known?.remedy ?? 'Mend what it names, or set DATABASE_URL to use another server.';
  const output = log === '' ? 'It said nothing.' : `It said:\n${log}`;
  return new Kind(
    `The private Postgres server did not start on ${dataFolder}. ${output}\n${remedy} Whole log: ${logPath}`,
  );
}
