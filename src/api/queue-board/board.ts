import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type {
  AppControllerRoute,
  BullBoardQueues,
  ControllerHandlerReturnType,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import { Hono, type Context } from 'hono';
import type { App } from '../../app/app.ts';
import { readConsoleFiles, type ConsoleFile } from '../console/console-files.ts';
import { makeBoardPage } from './board-page.ts';

type BoardQueues = Awaited<ReturnType<App['work']['boardQueues']>>;

/** The queue board: its page, its files, and the routes that its page calls. */
export interface Board {
  readonly page: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
  /** Responds to a GET below the base; 404 if the path does not exist. */
  readonly ask: (request: Request) => Promise<Response>;
}

/** Routes of job flows, which Nightshift does not use. Each would keep a connection open. */
const withheld = /\/flow$/;

/**
 * Creates a read-only bull-board over our queues. Only its reading routes exist, and each queue is marked read-only, so that the page
 * offers no actions.
 */
export function createBoard(queues: BoardQueues, base: string): Board {
  const ui = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));
  const http = new Hono().basePath(base);
  const { adapter, readConfig } = createReadingAdapter(http);
  createBullBoard({
    queues: queues.map(({ queue, about }) => new BullMQAdapter(queue, { ...onlyRead, description: about })),
    serverAdapter: adapter,
    options: { uiConfig, uiBasePath: ui },
  });
  const folder = join(ui, 'dist');
  return {
    page: makeBoardPage(folder, base, readConfig()),
    files: readConsoleFiles(folder),
    ask: async (request) => http.fetch(request),
  };
}

const onlyRead = { readOnlyMode: true, allowRetries: false };

const uiConfig: UIConfig = {
  boardTitle: 'Nightshift queues',
  miscLinks: [{ text: 'Back to the accounts', url: '/operator/accounts' }],
  hideDocsLink: true,
  hideRedisDetails: true,
  showWorkers: false,
  locale: { lng: 'en-US' },
};

/** Creates an adapter that registers only the reading routes of bull-board. */
function createReadingAdapter(http: Hono): {
  readonly adapter: IServerAdapter;
  readonly readConfig: () => UIConfig;
} {
  let known: BullBoardQueues = new Map();
  let config: UIConfig = {};
  let toAnswer: (error: Error) => ControllerHandlerReturnType = () => ({ status: 500, body: {} });

  async function answer(c: Context, handler: AppControllerRoute['handler']): Promise<Response> {
    const request = { queues: known, uiConfig: config, params: c.req.param(), query: c.req.query() };
    const asked = Promise.resolve(handler({ ...request, body: {}, headers: {} }));
    const { status, body } = await asked.catch((error: unknown) => {
      if (error instanceof Error) return toAnswer(error);
      throw error;
    });
    return Response.json(body, { status: status ?? 200 });
  }

  const adapter: IServerAdapter = {
    setQueues: (queues) => {
      known = queues;
      return adapter;
    },
    setUIConfig: (given) => {
      config = given;
      return adapter;
    },
    setErrorHandler: (handler) => {
      toAnswer = handler;
      return adapter;
    },
    setApiRoutes: (routes) => {
      for (const { method, route, handler } of routes) {
        if (method !== 'get') continue;
        for (const path of [route].flat().filter((each) => !withheld.test(each)))
          http.get(path, (c) => answer(c, handler));
      }
      return adapter;
    },
    // Nightshift serves the page and its files itself.
    setViewsPath: () => adapter,
    setStaticPath: () => adapter,
    setEntryRoute: () => adapter,
  };
  return { adapter, readConfig: () => config };
}
