import { createRoute } from '@hono/zod-openapi';
import type { Scan } from '../../../core/schedules/schedule.ts';
import { jsonReply, storedResponse, storeInTransaction, send } from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { nothingRequest } from '../batches/control-schema.ts';
import { postHeaders } from '../../http/headers.ts';
import { scanBody, scheduleBody, scheduleId, toScanBody, toScheduleBody } from './schema.ts';

/** Routes `POST /v1/schedules/{id}/pause`, `resume` and `run`, and `DELETE /v1/schedules/{id}`. */
export function routeScheduleControl(router: Router): void {
  routePause(router);
  routeResume(router);
  routeRun(router);
  routeRemove(router);
}

function routePause({ http, guards, services }: Router): void {
  const { store: schedules } = services.schedules;
  const route = createRoute({
    ...control(guards, 'pause', 'Pause a schedule'),
    description:
      'Pauses a schedule. Times during the pause neither run nor count as missed. A waiting scan is skipped; a running scan continues.',
  });
  http.openapi(route, async (c) => {
    const paused = await schedules.pause(c.var.caller.accountId, c.req.valid('param').id);
    return c.json(toScheduleBody(paused), 200);
  });
}

function routeResume({ http, guards, services }: Router): void {
  const { store: schedules } = services.schedules;
  const route = createRoute({
    ...control(guards, 'resume', 'Resume a schedule'),
    description: 'Resumes a paused schedule. It runs again from its next time on.',
  });
  http.openapi(route, async (c) => {
    const resumed = await schedules.resume(c.var.caller.accountId, c.req.valid('param').id);
    return c.json(toScheduleBody(resumed), 200);
  });
}

function routeRun({ http, guards, services }: Router): void {
  const { store: schedules } = services.schedules;
  const route = createRoute({
    ...control(guards, 'run', 'Run a schedule now'),
    description:
      'Starts an additional scan, also while the schedule is paused. It begins within seconds. If another scan is open, the new one waits or is rejected, as `overlap` specifies.',
    responses: {
      201: { description: 'The scan.', content: { 'application/json': { schema: scanBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const scan = await schedules.run(c.var.caller.accountId, id, storeInTransaction(c, toReply));
    return send(c, storedResponse(c) ?? toReply(scan)) as never;
  });
}

function toReply(scan: Scan) {
  return jsonReply(201, toScanBody(scan));
}

function routeRemove({ http, guards, services }: Router): void {
  const { store: schedules } = services.schedules;
  const route = createRoute({
    method: 'delete',
    path: '/v1/schedules/{id}',
    summary: 'Remove a schedule',
    description:
      'Removes a schedule permanently. Its batches are kept. A waiting scan is skipped; a running scan continues. The name becomes available to other schedules.',
    tags: ['Schedules'],
    middleware: guards.remove('batches:write'),
    request: { params: scheduleId },
    responses: {
      204: { description: 'The schedule is removed.' },
      ...problemResponses('delete', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    await schedules.remove(c.var.caller.accountId, c.req.valid('param').id);
    return c.body(null, 204);
  });
}

/** Common part of the three routes. */
function control<Move extends 'pause' | 'resume' | 'run'>(
  guards: Router['guards'],
  move: Move,
  summary: string,
) {
  return {
    method: 'post' as const,
    path: `/v1/schedules/{id}/${move}` as const,
    summary,
    tags: ['Schedules'],
    middleware: guards.post('batches:write'),
    request: {
      params: scheduleId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: {
      200: { description: 'The schedule.', content: { 'application/json': { schema: scheduleBody } } },
      ...problemResponses('post', 'not_found'),
    },
  };
}
