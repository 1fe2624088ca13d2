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

/** Pages by place, each group as one module: a module of its own for each page costs more than its code. */
const batches = () => import('./page-groups/batches.ts');
const watch = () => import('./page-groups/watch.ts');
const data = () => import('./page-groups/data.ts');
const settings = () => import('./page-groups/settings.ts');

/** All pages. The server answers the same paths (`src/console/paths.ts`). */
export const pages: readonly ConsolePage[] = [
  { path: '/', load: async () => (await batches()).Home },
  { path: '/sign-in', load: async () => (await batches()).SignedIn },
  { path: '/sign-in/password', load: async () => (await settings()).FirstPassword },
  { path: '/batches', load: async () => (await batches()).Batches },
  { path: '/batches/new', load: async () => (await batches()).NewBatch },
  { path: '/batches/:id', load: async () => (await batches()).BatchPage },
  {
    path: '/batches/:id/results',
    load: async () => (await batches()).ResultsPage,
  },
  {
    path: '/batches/:id/unidentified',
    load: async () => (await batches()).UnidentifiedPage,
  },
  { path: '/ads/:id', load: async () => (await batches()).AdPage },
  { path: '/emails', load: async () => (await batches()).Emails },
  { path: '/changes', load: async () => (await watch()).Changes },
  { path: '/review', load: async () => (await batches()).Review },
  { path: '/charts', load: async () => (await watch()).Charts },
  { path: '/schedules', load: async () => (await watch()).Schedules },
  {
    path: '/schedules/new',
    load: async () => (await watch()).NewSchedule,
  },
  {
    path: '/schedules/:id',
    load: async () => (await watch()).SchedulePage,
  },
  {
    path: '/schedules/:id/edit',
    load: async () => (await watch()).EditSchedule,
  },
  { path: '/inboxes', load: async () => (await data()).Inboxes },
  { path: '/inboxes/new', load: async () => (await data()).NewInbox },
  { path: '/inboxes/:id', load: async () => (await data()).InboxPage },
  { path: '/inboxes/:id/edit', load: async () => (await data()).EditInbox },
  {
    path: '/destinations',
    load: async () => (await data()).Destinations,
    ...forAdmins('Destinations'),
  },
  {
    path: '/destinations/new',
    load: async () => (await data()).NewDestination,
    ...forAdmins('Destinations'),
  },
  {
    path: '/destinations/:id',
    load: async () => (await data()).DestinationPage,
    ...forAdmins('Destinations'),
  },
  {
    path: '/destinations/:id/edit',
    load: async () => (await data()).EditDestination,
    ...forAdmins('Destinations'),
  },
  { path: '/credits', load: async () => (await settings()).Credits },
  { path: '/sources', load: async () => (await settings()).Sources },
  { path: '/mapping', load: async () => (await data()).Mapping },
  { path: '/sql', load: async () => (await data()).Sql },
  { path: '/account', load: async () => (await settings()).Profile },
  {
    path: '/account/keys',
    load: async () => (await settings()).Keys,
    ...forAdmins('API keys'),
  },
  {
    path: '/account/users',
    load: async () => (await settings()).Users,
    ...forAdmins('Users'),
  },
  {
    path: '/account/notifications',
    load: async () => (await settings()).Notifications,
    ...forAdmins('Notifications'),
  },
  {
    path: '/account/notifications/new',
    load: async () => (await settings()).NewTarget,
    ...forAdmins('Notifications'),
  },
  {
    path: '/account/notifications/:id',
    load: async () => (await settings()).TargetPage,
    ...forAdmins('Notifications'),
  },
  {
    path: '/account/notifications/:id/edit',
    load: async () => (await settings()).EditTarget,
    ...forAdmins('Notifications'),
  },
  {
    path: '/account/audit',
    load: async () => (await settings()).Audit,
    ...forAdmins('Audit logs'),
  },
  {
    path: '/operator/accounts',
    load: async () => (await settings()).Accounts,
    ...forOperators('Accounts'),
  },
  {
    path: '/operator/accounts/:name',
    load: async () => (await settings()).AccountPage,
    ...forOperators('Accounts'),
  },
];

function forAdmins(subject: string) {
  return { needs: 'admin', subject } as const;
}

function forOperators(subject: string) {
  return { needs: 'operator', subject } as const;
}
