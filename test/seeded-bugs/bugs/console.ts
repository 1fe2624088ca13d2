import type { SeededBug } from './bug.ts';

const sessionTests = ['api/accounts/session.test.ts'];
const readerTests = ['integration/db/account-reader.test.ts'];

/** Guards of the console: sign-in, permissions and requests of other sites. */
export const consoleBugs: readonly SeededBug[] = [
  {
    name: 'viewer can create batches',
    guard: 'a role allows exactly its operations',
    file: 'src/core/accounts/roles.ts',
    find: "viewer: ['credits:read',",
    replace: "viewer: ['batches:write', 'credits:read',",
    tests: ['api/accounts/roles.test.ts'],
  },
  {
    name: 'cross-site request accepted',
    guard: 'a cross-site request cannot use the session of a user',
    file: 'src/api/http/same-origin.ts',
    find: "site === 'same-origin' ||",
    replace: "site !== 'none' ||",
    tests: sessionTests,
    only: 'cross-site request',
  },
  {
    name: 'sign-in link works twice',
    guard: 'a sign-in link works once',
    file: 'db/stores/accounts/sessions.ts',
    find: '        isNull(usedAt),\n        gt(expiresAt',
    replace: '        gt(expiresAt',
    tests: sessionTests,
    only: 'by link works once',
  },
  {
    name: 'SQL reads every account',
    guard: 'SQL of an account reads its own rows only',
    file: 'db/sql/account-views.sql',
    find: "CASE WHEN a.attname IS NOT NULL THEN 'v.account = ' || v_name END",
    replace: "CASE WHEN a.attname IS NOT NULL THEN 'v.account IS NOT NULL OR v.account = ' || v_name END",
    tests: readerTests,
    only: 'to its own account only',
  },
  {
    name: 'queue board is writable',
    guard: 'operators cannot change queues on the board',
    file: 'src/api/queue-board/board.ts',
    find: 'const onlyRead = { readOnlyMode: true, allowRetries: false };',
    replace: 'const onlyRead = {};',
    tests: ['console/settings/operator.browser.test.ts'],
    only: 'postgres is the only role with access',
  },
  {
    name: 'rows missing from filtered results',
    guard: 'a filter of results finds every matching row, with and without blocks',
    file: 'db/stores/sql/result-conditions.ts',
    find: "if (outcome === 'rejected') return sql`r.reject_reason IS NOT NULL`;",
    replace: "if (outcome === 'rejected') return sql`r.reject_reason IS NOT NULL AND r.row_no > 64`;",
    tests: ['api/batches/result-filters.test.ts'],
  },
];
