import type { ComponentType } from 'preact';

/** A page: its path, with parameters such as `:id`, and its component, loaded on first use. */
export interface ConsolePage {
  readonly path: string;
  readonly load: () => Promise<ComponentType>;
}

/** All pages. The server answers the same paths (`src/console/paths.ts`). */
export const pages: readonly ConsolePage[] = [
  { path: '/', load: async () => (await import('./pages/home/home.tsx')).Home },
  // Path of a used sign-in link.
  { path: '/sign-in', load: async () => (await import('./pages/home/home.tsx')).Home },
  { path: '/batches', load: async () => (await import('./pages/batches/batches.tsx')).Batches },
  { path: '/batches/new', load: async () => (await import('./pages/new-batch/new-batch.tsx')).NewBatch },
  { path: '/batches/:id', load: async () => (await import('./pages/batch/batch.tsx')).BatchPage },
  {
    path: '/batches/:id/results',
    load: async () => (await import('./pages/results/results.tsx')).ResultsPage,
  },
  { path: '/ads/:id', load: async () => (await import('./pages/ad/ad.tsx')).AdPage },
  { path: '/emails', load: async () => (await import('./pages/emails/emails.tsx')).Emails },
  { path: '/changes', load: async () => (await import('./pages/changes/changes.tsx')).Changes },
  { path: '/review', load: async () => (await import('./pages/review/review.tsx')).Review },
  { path: '/charts', load: async () => (await import('./pages/charts/charts.tsx')).Charts },
  { path: '/schedules', load: async () => (await import('./pages/schedules/schedules.tsx')).Schedules },
  {
    path: '/schedules/new',
    load: async () => (await import('./pages/schedules/new-schedule.tsx')).NewSchedule,
  },
  {
    path: '/schedules/:id',
    load: async () => (await import('./pages/schedules/schedule.tsx')).SchedulePage,
  },
  {
    path: '/schedules/:id/edit',
    load: async () => (await import('./pages/schedules/edit-schedule.tsx')).EditSchedule,
  },
  { path: '/inboxes', load: async () => (await import('./pages/inboxes/inboxes.tsx')).Inboxes },
  { path: '/inboxes/new', load: async () => (await import('./pages/inboxes/new-inbox.tsx')).NewInbox },
  { path: '/inboxes/:id', load: async () => (await import('./pages/inboxes/inbox.tsx')).InboxPage },
  { path: '/inboxes/:id/edit', load: async () => (await import('./pages/inboxes/edit-inbox.tsx')).EditInbox },
  {
    path: '/destinations',
    load: async () => (await import('./pages/destinations/destinations.tsx')).Destinations,
  },
  {
    path: '/destinations/new',
    load: async () => (await import('./pages/destinations/new-destination.tsx')).NewDestination,
  },
  {
    path: '/destinations/:id',
    load: async () => (await import('./pages/destinations/destination.tsx')).DestinationPage,
  },
  {
    path: '/destinations/:id/edit',
    load: async () => (await import('./pages/destinations/edit-destination.tsx')).EditDestination,
  },
  { path: '/credits', load: async () => (await import('./pages/credits/credits.tsx')).Credits },
  { path: '/sql', load: async () => (await import('./pages/sql/sql.tsx')).Sql },
  { path: '/account', load: async () => (await import('./pages/account/profile.tsx')).Profile },
  { path: '/account/keys', load: async () => (await import('./pages/account/keys.tsx')).Keys },
  { path: '/account/audit', load: async () => (await import('./pages/account/audit.tsx')).Audit },
  { path: '/operator/accounts', load: async () => (await import('./pages/operator/accounts.tsx')).Accounts },
  {
    path: '/operator/accounts/:name',
    load: async () => (await import('./pages/operator/account.tsx')).AccountPage,
  },
];

/** Item of the navigation, shown to users with its permission. */
export interface NavItem {
  readonly path: string;
  readonly name: string;
  /** Path of other pages at the same place. */
  readonly also?: string;
  /** Permission that the page needs. */
  readonly needs: string;
}

/** Items of the navigation, in order. */
export const navItems: readonly NavItem[] = [
  { path: '/batches', name: 'Batches', needs: 'batches:read' },
  { path: '/emails', name: 'E-mail', needs: 'batches:read' },
  { path: '/schedules', name: 'Schedules', needs: 'batches:read' },
  { path: '/changes', name: 'Changes', needs: 'batches:read' },
  { path: '/charts', name: 'Charts', needs: 'batches:read' },
  { path: '/review', name: 'Review', needs: 'batches:read' },
  { path: '/inboxes', also: '/destinations', name: 'Connections', needs: 'batches:read' },
  { path: '/credits', name: 'Credits', needs: 'credits:read' },
  { path: '/sql', name: 'SQL', needs: 'sql:read' },
  { path: '/operator/accounts', name: 'Accounts', needs: 'operator' },
];
