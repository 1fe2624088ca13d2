import type { ComponentType } from 'preact';

/** A page: its path, with parameters such as `:id`, and its component, loaded on first use. */
export interface ConsolePage {
  readonly path: string;
  readonly load: () => Promise<ComponentType>;
  /** Permission without which the page says who may see it. Default: none beyond a session. */
  readonly needs?: 'admin' | 'operator';
  /** Subject of the page, in the plural; for a page with `needs`. */
  readonly subject?: string;
}

/** All pages. The server answers the same paths (`src/console/paths.ts`). */
export const pages: readonly ConsolePage[] = [
  { path: '/', load: async () => (await import('./pages/home/home.tsx')).Home },
  { path: '/sign-in', load: async () => (await import('./pages/sign-in/signed-in.tsx')).SignedIn },
  { path: '/batches', load: async () => (await import('./pages/batches/batches.tsx')).Batches },
  { path: '/batches/new', load: async () => (await import('./pages/new-batch/new-batch.tsx')).NewBatch },
  { path: '/batches/:id', load: async () => (await import('./pages/batch/batch.tsx')).BatchPage },
  {
    path: '/batches/:id/results',
    load: async () => (await import('./pages/results/results.tsx')).ResultsPage,
  },
  {
    path: '/batches/:id/unidentified',
    load: async () => (await import('./pages/unidentified/unidentified.tsx')).UnidentifiedPage,
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
    ...forAdmins('Destinations'),
  },
  {
    path: '/destinations/new',
    load: async () => (await import('./pages/destinations/new-destination.tsx')).NewDestination,
    ...forAdmins('Destinations'),
  },
  {
    path: '/destinations/:id',
    load: async () => (await import('./pages/destinations/destination.tsx')).DestinationPage,
    ...forAdmins('Destinations'),
  },
  {
    path: '/destinations/:id/edit',
    load: async () => (await import('./pages/destinations/edit-destination.tsx')).EditDestination,
    ...forAdmins('Destinations'),
  },
  { path: '/credits', load: async () => (await import('./pages/credits/credits.tsx')).Credits },
  { path: '/mapping', load: async () => (await import('./pages/mapping/mapping.tsx')).Mapping },
  { path: '/sql', load: async () => (await import('./pages/sql/sql.tsx')).Sql },
  { path: '/account', load: async () => (await import('./pages/account/profile.tsx')).Profile },
  {
    path: '/account/keys',
    load: async () => (await import('./pages/account/keys.tsx')).Keys,
    ...forAdmins('API keys'),
  },
  {
    path: '/account/notifications',
    load: async () => (await import('./pages/notifications/notifications.tsx')).Notifications,
    ...forAdmins('Notifications'),
  },
  {
    path: '/account/notifications/new',
    load: async () => (await import('./pages/notifications/new-target.tsx')).NewTarget,
    ...forAdmins('Notifications'),
  },
  {
    path: '/account/notifications/:id',
    load: async () => (await import('./pages/notifications/target.tsx')).TargetPage,
    ...forAdmins('Notifications'),
  },
  {
    path: '/account/notifications/:id/edit',
    load: async () => (await import('./pages/notifications/edit-target.tsx')).EditTarget,
    ...forAdmins('Notifications'),
  },
  {
    path: '/account/audit',
    load: async () => (await import('./pages/account/audit.tsx')).Audit,
    ...forAdmins('Audit logs'),
  },
  {
    path: '/operator/accounts',
    load: async () => (await import('./pages/operator/accounts.tsx')).Accounts,
    ...forOperators('Accounts'),
  },
  {
    path: '/operator/accounts/:name',
    load: async () => (await import('./pages/operator/account.tsx')).AccountPage,
    ...forOperators('Accounts'),
  },
];

function forAdmins(subject: string) {
  return { needs: 'admin', subject } as const;
}

function forOperators(subject: string) {
  return { needs: 'operator', subject } as const;
}
