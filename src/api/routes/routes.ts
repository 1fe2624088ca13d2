import type { Router } from '../router.ts';
import { routeAdPage } from './ad-page.ts';
import { routeAdsList } from './ads-list.ts';
import { routeAdsSearch } from './ads-search.ts';
import { routeApiKeys } from './api-keys.ts';
import { routeBatchControl } from './batch-control.ts';
import { routeBatchEvents } from './batch-events.ts';
import { routeBatchExport } from './batch-export.ts';
import { routeBatchReport } from './batch-report.ts';
import { routeBatchTimeline } from './batch-timeline.ts';
import { routeBatchUpload } from './batch-upload.ts';
import { routeBatches } from './batches.ts';
import { routeChanges } from './changes.ts';
import { routeCharts } from './charts.ts';
import { routeCredits } from './credits.ts';
import { routeEmailValidation } from './email-validation.ts';
import { routeEmails } from './emails.ts';
import { routeFacets } from './facets.ts';
import { routeLedger } from './ledger.ts';
import { routeListColumns } from './list-columns.ts';
import { routeRejectedRows } from './rejected-rows.ts';
import { routeOperatorAccounts } from './operator-accounts.ts';
import { routeScheduleControl } from './schedule-control.ts';
import { routeScheduleReport } from './schedule-report.ts';
import { routeScheduleUpload } from './schedule-upload.ts';
import { routeSchedules } from './schedules.ts';
import { routeSql } from './sql.ts';
import { routeUsage } from './usage.ts';
import { routeWebhookDeliveries } from './webhook-deliveries.ts';
import { routeAudit } from './audit.ts';
import { routeSession } from './session.ts';
import { routeSessionProvider } from './session-provider.ts';
import { routeWebhooks } from './webhooks.ts';

/** Every route under /v1. */
export const routes: readonly ((router: Router) => void)[] = [
  routeAdsSearch,
  routeEmailValidation,
  routeCredits,
  routeBatchUpload,
  routeListColumns,
  routeRejectedRows,
  routeBatches,
  routeBatchControl,
  routeBatchExport,
  routeBatchReport,
  routeBatchEvents,
  routeBatchTimeline,
  routeFacets,
  routeScheduleUpload,
  routeSchedules,
  routeScheduleControl,
  routeScheduleReport,
  routeAdsList,
  routeAdPage,
  routeEmails,
  routeChanges,
  routeCharts,
  routeLedger,
  routeSql,
  routeUsage,
  routeSession,
  routeSessionProvider,
  routeApiKeys,
  routeAudit,
  routeWebhooks,
  routeWebhookDeliveries,
  routeOperatorAccounts,
];
