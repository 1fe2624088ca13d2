import { once } from '../../core/async/once.ts';
import type { ApiContext } from '../http/api-env.ts';
import { sendFile } from '../console/route-console.ts';
import { Problem } from '../http/problem.ts';
import type { Router } from '../http/router.ts';
import { boardPolicy } from './board-page.ts';

const base = '/operator/queues';

/**
 * Routes `/operator/queues`: the queues as bull-board shows them, only for the session of an operator. This includes its files and the
 * routes that its page calls. It is read-only: only GET is allowed. It is loaded with its first request.
 */
export function routeQueueBoard({ http, guards, services }: Router): void {
  const open = once(async () => {
    const { createBoard } = await import('./board.ts');
    return createBoard(await services.work.boardQueues(), base);
  });

  const answer = async (c: ApiContext): Promise<Response> => {
    const board = await open();
    const path = c.req.path.slice(base.length);
    if (path.startsWith('/static/')) return sendFile(c, board.files.get(path));
    if (!path.startsWith('/api/')) {
      c.header('Content-Security-Policy', boardPolicy);
      c.header('Referrer-Policy', 'no-referrer');
      c.header('Cross-Origin-Opener-Policy', 'same-origin');
      return c.html(board.page);
    }
    const { status, headers, body } = await board.ask(c.req.raw);
    if (status === 404) throw new Problem('not_found');
    return c.newResponse(body, status as 200, {
      'Content-Type': headers.get('content-type') ?? 'application/json',
    });
  };
  // For all methods, and also for unknown paths.
  http.use(`${base}/*`, ...guards.read('operator'));
  http.get(base, answer);
  http.get(`${base}/*`, answer);
}
