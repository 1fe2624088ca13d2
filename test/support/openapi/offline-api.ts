import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../../../src/api/http/api-env.ts';
import { createApi } from '../../../src/api/create-api.ts';
import { createMetrics } from '../../../src/api/http/metrics.ts';
import type { App } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log.ts';

/** Creates the API without services: its routes and its document exist, and routes without a service respond. All other routes fail. */
export function createOfflineApi(): OpenAPIHono<ApiEnv> {
  const away = () => Promise.reject(new Error('There are no services here.'));
  const parts = { config: readConfig({}), log: createLog('silent') };
  const services = new Proxy(parts, { get: (known, name) => (Reflect.get(known, name) as unknown) ?? {} });
  return createApi({
    services: services as unknown as App,
    limits: { take: away, takeFailure: away, takeSignIn: away, forgetSignIns: away, takeMail: away },
    metrics: createMetrics(away, {
      countBackends: () => ({ canceled: 0, terminated: 0, outliving: 0 }),
      countReadings: () => null,
    }),
    baseUrl: 'http://127.0.0.1:3000',
    stopping: new AbortController().signal,
  });
}
