import type { Router } from '../../http/router.ts';
import { routeBatchLandings } from './batch-landings-route.ts';
import { routeLandings } from './landings-routes.ts';
import { routeDestinations } from './routes.ts';

/** Every route of destinations. */
export const destinationRoutes: readonly ((router: Router) => void)[] = [
  routeDestinations,
  routeLandings,
  routeBatchLandings,
];
