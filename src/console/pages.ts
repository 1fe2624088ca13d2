import type { ComponentType } from 'preact';
import * as batches from './page-groups/batches.ts';
import * as data from './page-groups/data.ts';
import * as settings from './page-groups/settings.ts';
import * as watch from './page-groups/watch.ts';

/** A page: its path, with parameters such as `:id`, and its content. */
export interface ConsolePage {
  readonly path: string;
  readonly content: ComponentType;
  /** Permission without which the page says who may see it. Default: none beyond a session. */
  readonly needs?: 'admin' | 'operator';
  /** Subject of the page, in the plural; for a page with `needs`. */
  readonly subject?: string;
}

/** All pages. The server answers the same paths (`src/console/paths.ts`). */
export const pages: readonly ConsolePage[] = [
  { path: '/', content: batches.Home },
  { path: '/sign-in', content: batches.SignedIn },
  { path: '/sign-in/password', content: settings.FirstPassword },
  { path: '/batches', content: batches.Batches },
  { path: '/batches/new', content: batches.NewBatch },
  { path: '/batches/:id', content: batches.BatchPage },
  { path: '/batches/:id/results', content: batches.ResultsPage },
  { path: '/batches/:id/unidentified', content: batches.UnidentifiedPage },
  { path: '/ads/:id', content: batches.AdPage },
  { path: '/emails', content: batches.Emails },
  { path: '/changes', content: watch.Changes },
  { path: '/review', content: batches.Review },
  { path: '/charts', content: watch.Charts },
  { path: '/schedules', content: watch.Schedules },
  { path: '/schedules/new', content: watch.NewSchedule },
  { path: '/schedules/:id', content: watch.SchedulePage },
  { path: '/schedules/:id/edit', content: watch.EditSchedule },
  { path: '/inboxes', content: data.Inboxes },
  { path: '/inboxes/new', content: data.NewInbox },
  { path: '/inboxes/:id', content: data.InboxPage },
  { path: '/inboxes/:id/edit', content: data.EditInbox },
  { path: '/destinations', content: data.Destinations, ...forAdmins('Destinations') },
  { path: '/destinations/new', content: data.NewDestination, ...forAdmins('Destinations') },
  { path: '/destinations/:id', content: data.DestinationPage, ...forAdmins('Destinations') },
  { path: '/destinations/:id/edit', content: data.EditDestination, ...forAdmins('Destinations') },
  { path: '/credits', content: settings.Credits },
  { path: '/sources', content: settings.Sources },
  { path: '/mapping', content: data.Mapping },
  { path: '/sql', content: data.Sql },
  { path: '/account', content: settings.Profile },
  { path: '/account/keys', content: settings.Keys, ...forAdmins('API keys') },
  { path: '/account/users', content: settings.Users, ...forAdmins('Users') },
  { path: '/account/notifications', content: settings.Notifications, ...forAdmins('Notifications') },
  { path: '/account/notifications/new', content: settings.NewTarget, ...forAdmins('Notifications') },
  { path: '/account/notifications/:id', content: settings.TargetPage, ...forAdmins('Notifications') },
  { path: '/account/notifications/:id/edit', content: settings.EditTarget, ...forAdmins('Notifications') },
  { path: '/account/audit', content: settings.Audit, ...forAdmins('Audit logs') },
  { path: '/operator/accounts', content: settings.Accounts, ...forOperators('Accounts') },
  { path: '/operator/accounts/:name', content: settings.AccountPage, ...forOperators('Accounts') },
];

function forAdmins(subject: string) {
  return { needs: 'admin', subject } as const;
}

function forOperators(subject: string) {
  return { needs: 'operator', subject } as const;
}
