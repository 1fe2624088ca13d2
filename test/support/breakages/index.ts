import { ads } from './ads.ts';
import { charges } from './charges.ts';
import { leases } from './leases.ts';
import { ledger } from './ledger.ts';
import { landings } from './landings.ts';
import { lookups } from './lookups.ts';
import { events } from './events.ts';
import { owners } from './owners.ts';
import { purged } from './purged.ts';
import { replies } from './replies.ts';
import { rows } from './rows.ts';
import { tenancy } from './tenancy.ts';
import type { Breakage } from './breakage.ts';

/** Manual damage to a healthy record, and the invariant that must report it. */
export const breakages: readonly Breakage[] = [
  ...rows,
  ...lookups,
  ...charges,
  ...ledger,
  ...owners,
  ...purged,
  ...ads,
  ...replies,
  ...leases,
  ...tenancy,
  ...events,
  ...landings,
];

export { nameLookups } from './breakage.ts';
