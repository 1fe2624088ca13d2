import type pg from 'pg';
import { openApiDocument } from '../../../../src/api/docs/openapi.ts';
import type { Document } from '../../openapi/document.ts';
import { createOfflineApi } from '../../openapi/offline-api.ts';
import { cliPage } from './cli-page.ts';
import { configurationPage } from './configuration-page.ts';
import { errorsPage } from './errors-page.ts';
import { httpApiPage } from './http-api-page.ts';
import { sourcesPage } from './sources-page.ts';
import { retriesPage } from './retries-page.ts';
import { viewsPage } from './views-page.ts';

/** Pages that need no database: each by its path, with the function that makes its text. */
export const offlinePages: Readonly<Record<string, () => string>> = {
  'docs/reference/cli.md': cliPage,
  'docs/reference/http-api.md': () => httpApiPage(openApiDocument(createOfflineApi()) as unknown as Document),
  'docs/reference/errors.md': errorsPage,
  'docs/reference/configuration.md': configurationPage,
  'docs/reference/sources.md': sourcesPage,
  'docs/architecture/retries.md': retriesPage,
};

/** Pages made from a migrated database. */
export const databasePages: Readonly<
  Record<string, (database: Pick<pg.ClientBase, 'query'>) => Promise<string>>
> = {
  'docs/reference/views.md': viewsPage,
};
