import type { Router } from '../../http/router.ts';
import { routeMapping } from './mapping-routes.ts';
import { routeCompanies } from './routes.ts';
import { routeUnidentified } from './unidentified-routes.ts';

/** Routes of the advertisers of companies. */
export const companyRoutes: readonly ((router: Router) => void)[] = [
  routeCompanies,
  routeMapping,
  routeUnidentified,
];
