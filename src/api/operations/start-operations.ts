import type { App } from '../../app/app.ts';
import { createHttp } from '../http/create-http.ts';
import { createMetrics } from '../http/metrics.ts';
import { routeOperations } from './routes.ts';
import { serve, type ApiServer } from '../http/server.ts';

/**
 * Serves `/livez`, `/readyz` and `/metrics`, and nothing else, for a process without the API. They respond until the server is closed.
 * Once `stopping` aborts, `/readyz` returns 503.
 *
 * @throws Misconfigured when the address is not available.
 */
export function startOperations(
  { work: { stats, readReadiness }, sql: { queries, countReadings }, config, log }: App,
  { port, stopping }: { readonly port: number; readonly stopping: AbortSignal },
): Promise<ApiServer> {
  const { host, baseUrl, trustProxy } = config.api;
  const metrics = createMetrics(stats.readStats, { countBackends: queries.countBackends, countReadings });
  return serve(
    (own) => {
      const http = createHttp({ log, metrics, trustProxy, baseUrl: own });
      routeOperations(http, { readReadiness, metrics, baseUrl: own, stopping });
      return http.fetch;
    },
    { host, port, portSetting: 'NIGHTSHIFT_METRICS_PORT', baseUrl },
  );
}
