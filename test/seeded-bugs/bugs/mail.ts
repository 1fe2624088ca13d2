import type { SeededBug } from './bug.ts';

const cacheTests = ['integration/emails/mailbox-cache.test.ts'];
const verdictTests = ['unit/src/core/emails/verdict/verdict.test.ts'];
const limiterFile = 'db/sql/probing.sql';

/** Guards of verdicts, and of the limits of probing. */
export const mailBugs: readonly SeededBug[] = [
  {
    name: 'rejected sender counts as invalid address',
    guard: 'a rejection of the sender does not decide about the recipient',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled')",
    replace:
      "if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled' || finding === 'sender_blocked')",
    tests: verdictTests,
  },
  {
    name: 'catch-all counts as valid',
    guard: 'a server that accepts every address does not prove an address',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (catchAll === 'accepted') return { status: 'catch_all', by: 'catch_all_domain' };",
    replace: "if (catchAll === 'accepted') return { status: 'valid', by: 'mailbox_accepts' };",
    tests: verdictTests,
  },
  {
    name: 'DNS error counts as invalid',
    guard: 'a DNS error makes an address unknown',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (route.kind === 'unknown') return { status: 'unknown',",
    replace: "if (route.kind === 'unknown') return { status: 'invalid',",
    tests: verdictTests,
  },
  {
    name: 'evidence returned before it is stored',
    guard: 'evidence of a mail server is stored before a caller receives it',
    file: 'src/core/emails/probing/mailbox-cache.ts',
    find: 'await write({',
    replace: 'void write({',
    tests: cacheTests,
    only: 'cannot be stored',
  },
  {
    name: 'unwanted mailbox probed',
    guard: 'a mailbox that no caller waits for is not probed',
    file: 'src/core/emails/probing/mailbox-cache.ts',
    find: 'flight.waiting > 0',
    replace: 'flight.waiting >= 0',
    tests: cacheTests,
    only: 'no caller waits',
  },
  {
    name: 'no budget of the provider',
    guard: 'a provider gets a limited number of recipients per minute',
    file: limiterFile,
    find: "wait_ms := greatest(probe_budget_wait('group', p_group, p_group_per_minute, p_room, 1000),",
    replace: 'wait_ms := greatest(0,',
    tests: cacheTests,
    only: 'after the budget of the minute',
  },
  {
    name: 'no circuit breaker',
    guard: 'a provider that rejected the sender is paused',
    file: 'db/stores/emails/probe-limiter.ts',
    find: "if (row?.answer === 'blocked') return paused('provider_paused', row.wait_ms);",
    replace: '',
    tests: cacheTests,
    only: 'pauses a provider',
  },
  {
    name: 'opt-out ignored',
    guard: 'a person or domain that opted out is not probed',
    file: 'src/core/validation/validate-email.ts',
    find: 'if (await optOuts.has(address)) return leaveAlone(email, address);',
    replace: 'await optOuts.has(address);',
    tests: ['api/emails/probing.test.ts'],
    only: 'opted out',
  },
  {
    name: 'erased person probed again',
    guard: 'an erased person is opted out',
    file: 'db/stores/purge/erase-address.ts',
    find: "  await addOptOut(db, { kind: 'person', digest: personDigest(address) });\n",
    replace: '',
    tests: ['api/emails/probing.test.ts'],
    only: 'erased person',
  },
  {
    name: 'greylisted address not retried',
    guard: 'a greylisted address is retried without the caller',
    file: 'db/stores/work/answer-requests.ts',
    find: 'await addRechecks(db, due);',
    replace: '',
    tests: ['api/emails/probing.test.ts'],
    only: 'greylisted address',
  },
];
