import { createRoute, z } from '@hono/zod-openapi';
import {
  accountParts,
  type AccountPart,
  type AccountRevisions,
} from '../../../core/accounts/account-revisions.ts';
import type { Permission } from '../../../core/accounts/roles.ts';
import {
  createEventStreams,
  eventStreamHeaders,
  eventStreamResponse,
} from '../../http/responses/event-stream.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { shareReads } from './share-reads.ts';

/** Permissions of the parts that not every caller of the route may read. */
const needs: Partial<Record<AccountPart, Permission>> = { balance: 'credits:read', notifications: 'admin' };

/** Streams read a little more than once per second; all streams of an account share one read. */
const ageMsMax = 900;

/**
 * Routes `GET /v1/events`: the revisions of the parts of an account as server-sent events.
 *
 * Costs one statement per second and account with open streams, however many there are, and per stream one lookup of its key or session
 * every five seconds. Writers have no cost. The statement uses indexes, and reads at most 200 rows of a table (`account-revisions.ts` in
 * `db/stores/accounts`). A client that reads what has changed does so at its own pace: an event says only that something has.
 */
export function routeEvents(router: Router): void {
  const { http, guards, services } = router;
  const streamEvents = createEventStreams(router, {
    total: 1000,
    perAccount: 100,
    beyondTotal: 'rate_limit_exceeded',
  });
  const readRevisions = shareReads((id: number) => services.accounts.revisions.read(id), {
    ageMsMax,
    nowMs: () => performance.now(),
  });
  const route = createRoute({
    method: 'get',
    path: '/v1/events',
    summary: 'Stream the changes of the account',
    description: `Streams server-sent events. \`revisions\` is sent when the stream opens, and when something in the account has changed, at most once per
second. Its data is a JSON object with the revision of each part of the account: \`batches\`, \`schedules\`, \`changes\`, \`balance\`
(requires \`credits:read\`), \`notifications\` (requires \`admin\`) and \`sources\`. A revision is an opaque text. Once the revision of a
part differs, read what you show of it again. Revisions cover the newest 200 items of a part, and all batches in progress.
To resume a stream, send Last-Event-ID: a state that was received already is not sent again. The stream has no end; it closes when the
server stops, and within seconds when the key or session becomes invalid. Reconnect after a second. Free.`,
    tags: ['Events'],
    middleware: guards.read('batches:read'),
    request: {
      query: z.strictObject({
        follow: z.enum(['true', 'false']).default('true').openapi({
          description: 'With `false`, the response ends after the first event.',
        }),
      }),
      headers: eventStreamHeaders,
    },
    responses: {
      ...eventStreamResponse,
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, permissions } = c.var.caller;
    const isLast = c.req.valid('query').follow === 'false';
    return streamEvents(c, async () => ({
      event: 'revisions',
      data: JSON.stringify(readable(await readRevisions(accountId), permissions)),
      isLast,
    }));
  });
}

/** Revisions that a caller may read. */
function readable(
  revisions: AccountRevisions,
  permissions: readonly Permission[],
): Partial<AccountRevisions> {
  const parts = accountParts.filter((part) => {
    const need = needs[part];
    return need === undefined || permissions.includes(need);
  });
  return Object.fromEntries(parts.map((part) => [part, revisions[part]]));
}
