import { onTestFinished } from 'vitest';
import { startApi, type RunningApi } from '../../../src/api/start-api.ts';
import type { App } from '../../../src/app/app.ts';

/** Starts one more server of an app, until the test ends; port 0: any port. */
export async function serveAt(app: App, port: number): Promise<RunningApi> {
  const api = await startApi({ ...app, config: { ...app.config, api: { ...app.config.api, port } } });
  onTestFinished(() => api.close());
  return api;
}
