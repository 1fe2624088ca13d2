import type { SeededBug } from './bug.ts';

const askTests = ['integration/emails/ask-mailboxes.test.ts'];
const verdictTests = ['unit/src/core/emails/verdict/verdict.test.ts'];
const gateFile = 'db/sql/probing.sql';

/** Guards of verdicts, and of the manners towards mail servers. */
export const mailBugs: readonly SeededBug[] = [
  {
    name: 'refused as a sender means invalid',
    guard: 'a server that dislikes us says nothing about the recipient',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled')",
    replace:
      "if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled' || finding === 'sender_blocked')",
    tests: verdictTests,
  },
  {
    name: 'catch-all counts as valid',
    guard: 'a server that accepts any name says nothing about this one',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (catchAll === 'accepted') return { status: 'catch_all', by: 'catch_all_domain' };",
    replace: "if (catchAll === 'accepted') return { status: 'valid', by: 'mailbox_accepts' };",
    tests: verdictTests,
  },
  {
    name: 'silent DNS means invalid',
    guard: 'DNS that does not tell is unknown',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (route.kind === 'unknown') return { status: 'unknown',",
    replace: "if (route.kind === 'unknown') return { status: 'invalid',",
    tests: verdictTests,
  },
  {
    name: 'answer told before it is kept',
    guard: 'what a mail server said is kept before anybody hears of it',
    file: 'src/core/emails/probing/probe-questions.ts',
    find: 'await keep({',
    replace: 'void keep({',
    tests: askTests,
    only: 'could not be kept',
  },
  {
    name: 'asked for nobody',
    guard: 'who no longer waits is not asked about',
    file: 'src/core/emails/probing/probe-questions.ts',
    find: 'questionOf(recipient.address)?.waiting === 0',
    replace: 'questionOf(recipient.address)?.waiting === -1',
    tests: askTests,
    only: 'no longer waits',
  },
  {
    name: 'no budget of the group',
    guard: 'the hosts of a group are asked about so many recipients a minute',
    file: gateFile,
    find: "wait_ms := greatest(probe_budget_wait('group', p_group, p_group_per_minute, p_room, 1000),",
    replace: 'wait_ms := greatest(0,',
    tests: askTests,
    only: 'a budget that is used up',
  },
  {
    name: 'no circuit breaker',
    guard: 'a server that refused us is left alone',
    file: 'db/stores/emails/probe-gate.ts',
    find: "if (row?.answer === 'blocked') return paused('provider_paused', row.wait_ms);",
    replace: '',
    tests: askTests,
    only: 'refuses us is left alone',
  },
  {
    name: 'opt-out overlooked',
    guard: 'who wants to be left alone is not asked about',
    file: 'src/core/validation/validate-email.ts',
    find: 'if (await optOuts.has(address)) return leaveAlone(email, address);',
    replace: 'await optOuts.has(address);',
    tests: ['api/emails/probing.test.ts'],
    only: 'opted out',
  },
  {
    name: 'forgotten, and asked about again',
    guard: 'who is forgotten is opted out',
    file: 'db/stores/purge/erase-address.ts',
    find: "  await addOptOut(db, { kind: 'person', digest: personDigest(address) });\n",
    replace: '',
    tests: ['api/emails/probing.test.ts'],
    only: 'forgotten',
  },
  {
    name: 'greylisted for ever',
    guard: 'who was put off is asked again without the caller',
    file: 'db/stores/work/requests.ts',
    find: 'if (dueAt !== null) await addRecheck(db, lookup.lookupId, dueAt);',
    replace: '',
    tests: ['api/emails/probing.test.ts'],
    only: 'put off',
  },
];
