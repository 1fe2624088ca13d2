import type { Router } from '../../http/router.ts';
import { routeBatchControl } from './control-routes.ts';
import { routeBatchEvents } from './events-routes.ts';
import { routeBatchExport } from './export-routes.ts';
import { routeBatchReport } from './report-routes.ts';
import { routeBatchTimeline } from './timeline-routes.ts';
import { routeBatchUpload } from './upload-routes.ts';
import { routeBatches } from './routes.ts';
import { routeFacets } from './facets-routes.ts';
import { routeBatchLabels } from './labels-routes.ts';
import { routeListColumns } from './columns-routes.ts';
import { routeRunAgain } from './run-again-routes.ts';
import { routeRejectedRows } from './rejected-rows-routes.ts';

/** Every route of batches, in the order of the reference. */
export const batchRoutes: readonly ((router: Router) => void)[] = [
  routeBatchUpload,
  routeListColumns,
  routeRejectedRows,
  routeBatches,
  routeBatchLabels,
  routeBatchControl,
  routeRunAgain,
  routeBatchExport,
  routeBatchReport,
  routeBatchEvents,
  routeBatchTimeline,
  routeFacets,
];
