import { pino, type Logger } from 'pino';
import { toLoggedError } from './core/logged-error.ts';

export type { Logger } from 'pino';

/** Matches Nightshift's API keys, passwords in URLs and e-mail addresses, anywhere in a line. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\bns_live_[0-9A-Za-z]{36}\b/g, 'ns_live_…'],
  [/:\/\/([^\s:/@"]*):[^\s@/"]+@/g, '://$1:…@'],
  // Matches only from the start of a word: from every letter of it, a long line would take seconds.
  [/(?<![^\s"'<>,;:@\\])[^\s"'<>,;:@\\]+@[^\s"'<>,;:@\\]+\.\p{L}{2,}/gu, '…@…'],
];

/** Removes secrets from a finished line by their form: redaction by path alone leaks (measured, 8 of 12 cases). */
export function redact(line: string): string {
  return secrets.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/**
 * Creates a log to stderr (stdout is for results), or to `write`, with one JSON object per line, redacted by path and by value. The level is
 * its name.
 *
 * Errors are logged without the values that they contain (`toLoggedError`). Lines have a fixed message; values are fields:
 * `batchId`, `chunkId`, `jobId`.
 */
export function createLog(
  level: string,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const stream = { write: (line: string) => write(redact(line)) };
  return pino(
    {
      level,
      base: null,
      formatters: { level: (name) => ({ level: name }) },
      serializers: { err: toLoggedError },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['*.key', '*.password', '*.headers', 'key', 'password', 'headers'], censor: '…' },
    },
    stream,
  );
}

/** Time in which further losses are counted instead of logged. */
const burstMs = 1000;

/**
 * Returns a function that logs the loss of a connection. A restart of a server ends all connections of a process: the others of the same second
 * are one line, with their `count`.
 */
export function logLosses(log: Logger, message: string): (error: Error) => void {
  let others: number | null = null;
  return (error) => {
    if (others !== null) {
      others += 1;
      return;
    }
    others = 0;
    log.warn({ err: error }, message);
    setTimeout(() => {
      if (others !== null && others > 0) log.warn({ count: others }, `${message}, as were others`);
      others = null;
    }, burstMs).unref();
  };
}
