import type { Redis } from 'ioredis';
import { QueueUnavailable } from '../core/errors.ts';
import { answerInTime } from '../core/async/answer-in-time.ts';
import { explainRedisError } from './explain-redis-error.ts';

const reachMsMax = 5000;

/**
 * Waits until the server answers for the first time. Later losses are retried; but a server that has never answered is more often
 * a wrong URL than a restart, so the user gets an error.
 *
 * @throws QueueUnavailable when it does not answer within five seconds, or rejects the login; `cause` is for `explainRedisError`.
 */
export async function reachRedis(client: Redis): Promise<void> {
  const errors = noteErrors(client);
  try {
    await answerInTime(reachMsMax, () => client.ping());
  } catch (error) {
    const cause = errors.decisive() ?? error;
    const { found, remedy } = explainRedisError(cause instanceof Error ? cause : new Error(String(cause)));
    throw new QueueUnavailable(`${found.replace(/^./, (first) => first.toUpperCase())}. ${remedy}`, {
      cause,
    });
  } finally {
    errors.stop();
  }
}

/** Events with errors: of the client, of single nodes of a cluster, and of sentinels. */
const errorEvents = ['error', 'node error', 'sentinelError'] as const;

/** Notes the last error of each event. */
function noteErrors(client: Redis) {
  const last = new Map<string, Error>();
  const listeners = errorEvents.map((event) => ({
    event,
    note: (error: Error) => void last.set(event, prefer(last.get(event), error)),
  }));
  for (const { event, note } of listeners) client.on(event, note);
  return {
    /** The error that says most: that of a sentinel or a node before the summary of the client. */
    decisive(): Error | undefined {
      const summary = last.get('error');
      if (summary !== undefined && !isSummary(summary)) return summary;
      return last.get('sentinelError') ?? last.get('node error') ?? summary;
    },
    stop(): void {
      for (const { event, note } of listeners) client.off(event, note);
    },
  };
}

function isSummary({ message }: Error): boolean {
  return /^All sentinels are unreachable|^Failed to refresh slots cache/.test(message);
}

/** A sentinel that answers with an error says more than one that is away. */
function prefer(earlier: Error | undefined, later: Error): Error {
  return earlier !== undefined && later.message.includes('Connection is closed') ? earlier : later;
}
