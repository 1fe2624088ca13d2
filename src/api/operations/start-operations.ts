import type { App } from '../../app/app.ts';
import { createHttp } from '../http/create-http.ts';
import { createMetrics } from '../http/metrics.ts';
import { routeOperations } from './routes.ts';
import { serve, type ApiServer } from '../http/server.ts';

/**
 * Serves `/livez`, `/readyz` and `/metrics`, and nothing else, for a process without the API. They are answered until the server is
 * closed; from the moment `stopping` aborts `/readyz` says no.
 *
 * @throws Misconfigured when the address cannot be had.
 */
export function startOperations(
  { work: { stats, readReadiness }, sql: { queries }, config, log }: App,
  { port, stopping }: { readonly port: number; readonly stopping: AbortSignal },
): Promise<ApiServer> {
  const { host, baseUrl, trustProxy } = config.api;
  const metrics = createMetrics(stats.readStats, queries.countBackends);
  return serve(
    (own) => {
      const http = createHttp({ log, metrics, trustProxy, baseUrl: own });
      routeOperations(http, { readReadiness, metrics, baseUrl: own, stopping });
      return http.fetch;
    },
    { host, port, portSetting: 'NIGHTSHIFT_METRICS_PORT', baseUrl },
  );
}
