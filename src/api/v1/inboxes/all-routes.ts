import { routeInboxChanges } from './change-routes.ts';
import { routeInboxControl } from './control-routes.ts';
import { routeInboxes } from './routes.ts';

/** Routes of inboxes and their files. */
export const inboxRoutes = [routeInboxes, routeInboxChanges, routeInboxControl];
