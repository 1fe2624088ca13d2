import type { Router } from '../router.ts';
import { routeAdsList } from './ads-list.ts';
import { routeAdsSearch } from './ads-search.ts';
import { routeApiKeys } from './api-keys.ts';
import { routeBatchControl } from './batch-control.ts';
import { routeBatchEvents } from './batch-events.ts';
import { routeBatchExport } from './batch-export.ts';
import { routeBatchReport } from './batch-report.ts';
import { routeBatchUpload } from './batch-upload.ts';
import { routeBatches } from './batches.ts';
import { routeChanges } from './changes.ts';
import { routeCredits } from './credits.ts';
import { routeEmailValidation } from './email-validation.ts';
import { routeLedger } from './ledger.ts';
import { routeScheduleControl } from './schedule-control.ts';
import { routeScheduleUpload } from './schedule-upload.ts';
import { routeSchedules } from './schedules.ts';
import { routeWebhookDeliveries } from './webhook-deliveries.ts';
import { routeWebhooks } from './webhooks.ts';

/** Every route under /v1. */
export const routes: readonly ((router: Router) => void)[] = [
  routeAdsSearch,
  routeEmailValidation,
  routeCredits,
  routeBatchUpload,
  routeBatches,
  routeBatchControl,
  routeBatchExport,
  routeBatchReport,
  routeBatchEvents,
  routeScheduleUpload,
  routeSchedules,
  routeScheduleControl,
  routeAdsList,
  routeChanges,
  routeLedger,
  routeApiKeys,
  routeWebhooks,
  routeWebhookDeliveries,
];
