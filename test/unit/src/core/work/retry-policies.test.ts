import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  backoffMs,
  outboxEntry,
  outboxDelayMs,
  sourceFailureDelayMs,
  throttling,
} from '../../../../../src/core/work/retry-policies.ts';
import { packageRoot } from '../../../../../src/package-root.ts';
import { trackedFiles } from '../../../../support/ci/project-source.ts';
import { listPolicies } from '../../../../support/docs/reference/retries-page.ts';

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

test('backoff grows by its coefficient up to its maximum', () => {
  const delays = [0, 1, 2, 5, 6, 100].map((failures) => seconds(backoffMs(throttling, failures)));
  expect(delays).toEqual([1, 2, 4, 32, 60, 60]);
});

test('the delay after a failure of a source is a random part of a growing maximum', () => {
  expect([0, 1, 2, 3, 4, 5].map((tries) => seconds(sourceFailureDelayMs(tries, 0.5)))).toEqual([
    0.5, 2, 8, 32, 128, 150,
  ]);
  expect(sourceFailureDelayMs(3, 0)).toBe(0);
});

describe('the delay of an event', () => {
  test('follows Standard Webhooks and ends after the tenth attempt', () => {
    const hour = 3600;
    expect(Array.from({ length: 11 }, (_, i) => seconds(outboxDelayMs(i + 1, null, 0.5)))).toEqual([
      5,
      300,
      1800,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
      null,
      null,
    ]);
  });

  test('is up to a fifth shorter or longer', () => {
    for (const [i, delayMs] of outboxEntry.delaysMs.entries()) {
      expect(outboxDelayMs(i + 1, null, 0)).toBe(delayMs * 0.8);
      expect(outboxDelayMs(i + 1, null, 0.999_999_999)).toBe(Math.round(delayMs * 1.2));
    }
  });

  test('is the delay that the receiver requests if that is longer, and never adds an attempt', () => {
    expect(outboxDelayMs(1, 60_000, 0.5)).toBe(60_000);
    expect(outboxDelayMs(2, 60_000, 0.5)).toBe(300_000);
    expect(outboxDelayMs(10, 60_000, 0.5)).toBeNull();
  });
});

/** Texts that define a retry: a growing delay, a maximum number of attempts, a delay before the next one, options of libraries. */
const retryRules: readonly RegExp[] = [
  /\*\* ?[a-z]\w*/i,
  /\bpower\(\s*\d|\d\s*\^\s*\w/i,
  /(?<![a-z])\w*(?:retr(?:y|ies)|(?<!en|coun|se)tries|attempts?|backoff|coefficient|starts)\w*["']?\s*[:=]\s*\[?(?:[2-9]|1\d)/i,
  /\b\w*(?:delay|pause|backoff|again|retry(?:after)?)(?:Ms|Seconds)(?:Max|Min)?\s*[:=]\s*[1-9]/i,
  /\b(?:maxRetries|retryDelay|retryStrategy|reconnectOnError|maxRetriesPerRequest)\w*:/,
  /\battempts:\s*[1-9]/,
];

/** Matches that are not retries. */
const noRetryRules: Readonly<Record<string, RegExp>> = {
  // Cost of scrypt.
  'src/core/accounts/password.ts': /N: 2 \*\* logN/,
  // All combinations of reasons.
  'src/core/emails/verdict/quality.ts': /2 \*\* reasonOrder\.length/,
  // Step of an axis.
  'src/reporter/documents/charts/scale.ts': /10 \*\* Math/,
  // Deadline of one attempt.
  'src/app/event-channels.ts': /attemptMs = 20_000/,
  // Step of a sample's times shown.
  'src/core/sample/sample-regions.ts': /10 \*\* Math/,
  // Polling for a lock.
  'db/locks/leader-lock.ts': /askAgainMs/,
};

const homes = [
  'src/core/work/retry-policies.ts',
  'src/core/work/redis-retries.ts',
  'src/core/work/postgres-retries.ts',
];

describe('retry rules', () => {
  const files = trackedFiles('src', 'db', 'workers')
    .filter(
      (path) => /\.(?:tsx?|sql)$/.test(path) && !homes.includes(path) && !path.startsWith('db/migrations/'),
    )
    .map((path) => ({ path, lines: withoutComments(readFileSync(join(packageRoot, path), 'utf8')) }));

  test('occur in their modules only', () => {
    const found = files.flatMap(({ path, lines }) =>
      lines
        .filter(
          (line) => retryRules.some((rule) => rule.test(line)) && noRetryRules[path]?.test(line) !== true,
        )
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test('have only exceptions that are in use', () => {
    const unneeded = Object.entries(noRetryRules).filter(
      ([path, exception]) =>
        !files.some(
          (file) =>
            file.path === path &&
            file.lines.some((line) => exception.test(line) && retryRules.some((rule) => rule.test(line))),
        ),
    );
    expect(unneeded).toEqual([]);
  });

  test.each([
    'const delay = Math.min(1000 * 2 ** tries, 60_000);',
    "least(interval '30 seconds' * power(2, tries), interval '5 minutes')",
    'v_wait_ms := p_wait_ms * 2 ^ v_state.pauses;',
    'const triesMax = 5;',
    'defaultJobOptions: { attempts: 1 }',
    'const retryAfterSeconds = 5;',
    'const pauseMs = 6 * 3_600_000;',
    '{ maxRetriesPerRequest: null }',
  ])('are found in %s', (line) => {
    expect(retryRules.some((rule) => rule.test(line))).toBe(true);
  });
});

test('every retry policy has the unit in the name of each duration', () => {
  const fields = listPolicies().flatMap(({ numbers }) => Object.entries(numbers));
  const unnamed = fields.filter(
    ([field, value]) =>
      typeof value === 'number' && value >= 50 && !/Ms(?:Max|Min)?$|[sS]econds$/.test(field),
  );
  expect(unnamed).toEqual([]);
});

/** Lines of code without comments. */
function withoutComments(text: string): readonly string[] {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)(?:\/\/|--).*$/, ''));
}
