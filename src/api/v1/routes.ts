import type { Router } from '../http/router.ts';
import { accountRoutes } from './accounts/all-routes.ts';
import { routeAdPage } from './ads/page-routes.ts';
import { routeAdsList } from './ads/list-routes.ts';
import { routeAdsSearch } from './ads/search-routes.ts';
import { batchRoutes } from './batches/all-routes.ts';
import { routeChanges } from './changes/routes.ts';
import { routeCharts } from './charts/routes.ts';
import { companyRoutes } from './companies/all-routes.ts';
import { routeCredits } from './credits/routes.ts';
import { routeEmailValidation } from './emails/validation-routes.ts';
import { routeEmails } from './emails/routes.ts';
import { routeEvents } from './events/routes.ts';
import { inboxRoutes } from './inboxes/all-routes.ts';
import { routeLedger } from './credits/ledger-routes.ts';
import { routeReportLinks } from './reports/links-routes.ts';
import { scheduleRoutes } from './schedules/all-routes.ts';
import { routeSources } from './sources/routes.ts';
import { routeSql } from './sql/routes.ts';
import { routeUsage } from './credits/usage-routes.ts';
import { destinationRoutes } from './destinations/all-routes.ts';
import { webhookRoutes } from './webhooks/all-routes.ts';

/** Every route under /v1. */
export const routes: readonly ((router: Router) => void)[] = [
  routeAdsSearch,
  routeEmailValidation,
  routeCredits,
  ...batchRoutes,
  ...scheduleRoutes,
  routeReportLinks,
  ...inboxRoutes,
  routeAdsList,
  routeAdPage,
  routeEmails,
  ...companyRoutes,
  routeChanges,
  routeCharts,
  routeLedger,
  routeSql,
  routeUsage,
  ...accountRoutes,
  routeEvents,
  ...destinationRoutes,
  routeSources,
  ...webhookRoutes,
];
