import type { SeededBug } from './bug.ts';

const sessionTests = ['api/accounts/session.test.ts'];
const readerTests = ['integration/db/account-reader.test.ts'];

/** Guards of the console: who is let in, what they may do, and what of it their browser is told. */
export const consoleBugs: readonly SeededBug[] = [
  {
    name: 'viewers hand in lists',
    guard: 'a role may do what it says and no more',
    file: 'src/core/accounts/roles.ts',
    find: "viewer: ['credits:read',",
    replace: "viewer: ['batches:write', 'credits:read',",
    tests: ['api/accounts/roles.test.ts'],
  },
  {
    name: 'another site may ask',
    guard: 'no page of another site does anything with the session of a visitor',
    file: 'src/api/http/same-origin.ts',
    find: "site === 'same-origin' ||",
    replace: "site !== 'none' ||",
    tests: sessionTests,
    only: 'another site has the browser make',
  },
  {
    name: 'a link signs in twice',
    guard: 'a sign-in link works once',
    file: 'db/stores/accounts/sessions.ts',
    find: '        isNull(usedAt),\n        gt(expiresAt',
    replace: '        gt(expiresAt',
    tests: sessionTests,
    only: 'by a link works once',
  },
  {
    name: 'queries read every account',
    guard: 'SQL of an account sees its own rows alone',
    file: 'db/sql/account-views.sql',
    find: "CASE WHEN a.attname IS NOT NULL THEN 'v.account = ' || v_name END",
    replace: "CASE WHEN a.attname IS NOT NULL THEN 'v.account IS NOT NULL OR v.account = ' || v_name END",
    tests: readerTests,
    only: 'to no other',
  },
  {
    name: 'the board changes queues',
    guard: 'whoever looks into the queues changes nothing there',
    file: 'src/api/queue-board/board.ts',
    find: 'const onlyRead = { readOnlyMode: true, allowRetries: false };',
    replace: 'const onlyRead = {};',
    tests: ['console/operator.browser.test.ts'],
    only: 'postgres is the only one who may look',
  },
  {
    name: 'rows hidden from a filter',
    guard: 'a filter of results finds every row that fits, also once its blocks are made',
    file: 'db/stores/sql/result-conditions.ts',
    find: "if (outcome === 'rejected') return sql`r.reject_reason IS NOT NULL`;",
    replace: "if (outcome === 'rejected') return sql`r.reject_reason IS NOT NULL AND r.row_no > 64`;",
    tests: ['api/batches/result-filters.test.ts'],
  },
];
