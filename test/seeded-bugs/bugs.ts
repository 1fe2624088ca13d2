import type { SeededBug } from './bugs/bug.ts';
import { consoleBugs } from './bugs/console.ts';
import { fileBugs } from './bugs/files.ts';
import { mailBugs } from './bugs/mail.ts';
import { moneyBugs } from './bugs/money.ts';
import { purgeBugs } from './bugs/purge.ts';
import { scanBugs } from './bugs/scans.ts';
import { workBugs } from './bugs/work.ts';

export type { SeededBug } from './bugs/bug.ts';

/** Every guard with the tests that must detect its loss. Names are unique; `docs/contributing/seeded-bugs.md` has the same list. */
export const seededBugs: readonly SeededBug[] = [
  ...moneyBugs,
  ...workBugs,
  ...fileBugs,
  ...mailBugs,
  ...purgeBugs,
  ...scanBugs,
  ...consoleBugs,
];
