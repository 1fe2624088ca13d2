import type { Router } from '../router.ts';
import { routeAdsList } from './ads-list.ts';
import { routeAdsSearch } from './ads-search.ts';
import { routeApiKeys } from './api-keys.ts';
import { routeBatchControl } from './batch-control.ts';
import { routeBatchEvents } from './batch-events.ts';
import { routeBatchExport } from './batch-export.ts';
import { routeBatchUpload } from './batch-upload.ts';
import { routeBatches } from './batches.ts';
import { routeChanges } from './changes.ts';
import { routeCredits } from './credits.ts';
import { routeEmailValidation } from './email-validation.ts';
import { routeLedger } from './ledger.ts';

/** Every route under /v1. */
export const routes: readonly ((router: Router) => void)[] = [
  routeAdsSearch,
  routeEmailValidation,
  routeCredits,
  routeBatchUpload,
  routeBatches,
  routeBatchControl,
  routeBatchExport,
  routeBatchEvents,
  routeAdsList,
  routeChanges,
  routeLedger,
  routeApiKeys,
];
