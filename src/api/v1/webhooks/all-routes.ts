import type { Router } from '../../http/router.ts';
import { routeWebhookDeliveries } from './deliveries-routes.ts';
import { routeWebhooks } from './routes.ts';
import { routeSubscriptions } from './subscription-routes.ts';

/** Every route of notifications. */
export const webhookRoutes: readonly ((router: Router) => void)[] = [
  routeWebhooks,
  routeWebhookDeliveries,
  routeSubscriptions,
];
