import { describe, expect, test } from 'vitest';
import { textForm } from '../../../../../src/adapters/webhooks/mail-layout.ts';
import { parsePayload } from '../../../../../src/adapters/webhooks/wire.ts';
import { eventTypes } from '../../../../../src/core/events/event.ts';
import { messageOf } from '../../../../../src/core/events/messages/message-of.ts';
import { examplePayloads } from '../../../../support/events/event-payloads.ts';

/** Formats the event as plain text. */
function messageText(event: string, payload: object, timeZone: string | null = 'Europe/Berlin'): string {
  const parsed = parsePayload(event, payload);
  if (parsed === null) throw new Error(`${event} cannot be read.`);
  return textForm(messageOf(parsed, timeZone));
}

function scan(changes: object): object {
  const none = { new: 0, reactivated: 0, ended: 0, changed: 0, baseline: 0 };
  const companies = { total: 50, complete: 50, truncated: 0, partial: 0, unconfirmed_empty: 0, failed: 0 };
  const quiet = {
    changes: none,
    companies,
    top: [],
    credits: { spent: 0.4, left: 99.6 },
    retry_command: null,
  };
  return { ...examplePayloads['scan.changes'], ...quiet, ...changes };
}

describe('the message of a scan', () => {
  test('has the changes, the top companies, the completeness, the cost and the command to retry failed companies', () => {
    expect(messageText('scan.changes', examplePayloads['scan.changes'])).toBe(
      [
        '5 new and 2 ended ads among 50 companies of "rivals" (scan of 2026-11-22 02:00 Europe/Berlin)',
        '',
        'Ads        4 new, 1 running again, 2 ended, 3 changed',
        'Most at    nike.com (3 new), puma.com (1 new, 2 ended)',
        'Companies  46 complete, 1 truncated, 1 partial, 1 not identified or not confirmed, 1 failed',
        'Credits    9.4 spent, 90.6 left',
        '',
        'List the changes:',
        '  nightshift changes rivals --since 1d',
        'Try the failed company again:',
        '  nightshift retry bat_01a1ff734ad97655b2c761ba36458456',
        '',
      ].join('\n'),
    );
  });

  test('is one line if nothing changed', () => {
    expect(messageText('scan.changes', scan({}))).toBe(
      'Nothing changed at 50 companies of "rivals" (scan of 2026-11-22 02:00 Europe/Berlin); 0.4 credits spent, 99.6 left.\n',
    );
  });

  test('has the failed companies even if nothing changed', () => {
    const companies = { total: 2, complete: 0, truncated: 0, partial: 0, unconfirmed_empty: 0, failed: 2 };
    const text = messageText('scan.changes', scan({ companies, retry_command: 'nightshift retry bat_1' }));
    expect(text).toContain('All lookups failed at 2 companies of "rivals"');
    expect(text).toContain('Try the 2 failed companies again:\n  nightshift retry bat_1\n');
    const some = messageText('scan.changes', scan({ companies: { ...companies, complete: 1, failed: 1 } }));
    expect(some).toContain('Nothing changed at 1 of 2 companies');
    expect(some).toContain('Companies  1 complete, 1 failed');
  });

  test.each([
    ['unconfirmed_empty', '1 not identified or not confirmed'],
    ['partial', '1 partial'],
  ])('never says that nothing changed at a company with the answer %s', (kind, label) => {
    const companies = { total: 2, complete: 1, truncated: 0, partial: 0, unconfirmed_empty: 0, failed: 0 };
    const text = messageText('scan.changes', scan({ companies: { ...companies, [kind]: 1 } }));
    expect(text).toContain('Nothing changed at 1 of 2 companies of "rivals"');
    expect(text).toContain(`Companies  1 complete, ${label}\n`);
    const none = messageText('scan.changes', scan({ companies: { ...companies, complete: 0, [kind]: 2 } }));
    expect(none).toContain('No complete answer at 2 companies of "rivals"');
  });

  test('names the schedule in its command only if a shell reads it as one word', () => {
    const changes = { new: 1, reactivated: 0, ended: 0, changed: 0, baseline: 0 };
    const text = messageText('scan.changes', scan({ changes, schedule: 'a; rm -rf /' }));
    expect(text).toContain('  nightshift changes --since 1d\n');
  });

  test('reports the ads of a first scan as a baseline, without changes', () => {
    const changes = { new: 0, reactivated: 0, ended: 0, changed: 0, baseline: 312 };
    expect(messageText('scan.changes', scan({ changes }))).toContain(
      'First scan: 312 ads recorded among 50 companies of "rivals" (scan of',
    );
  });

  test('uses the singular for a count of one', () => {
    const companies = { total: 1, complete: 1, truncated: 0, partial: 0, unconfirmed_empty: 0, failed: 0 };
    const changes = { new: 1, reactivated: 0, ended: 0, changed: 0, baseline: 0 };
    expect(messageText('scan.changes', scan({ companies, changes }))).toMatch(
      /^1 new ad at 1 company of "rivals"/,
    );
    const changed = { ...changes, new: 0, changed: 1 };
    expect(messageText('scan.changes', scan({ changes: changed }))).toMatch(
      /^1 changed ad among 50 companies/,
    );
  });

  test('lists five top companies at most', () => {
    const changes = { new: 7, reactivated: 0, ended: 0, changed: 0, baseline: 0 };
    const top = Array.from({ length: 7 }, (_, i) => ({ company: `c${i}.com`, new: 1, ended: 0 }));
    const text = messageText('scan.changes', scan({ changes, top }));
    expect([text.includes('c4.com (1 new)'), text.includes('c5.com')]).toEqual([true, false]);
  });

  test('has times in the time zone of the schedule, or in UTC if the zone is unknown', () => {
    expect(messageText('scan.changes', scan({}), 'America/New_York')).toContain(
      '2026-11-21 20:00 America/New_York',
    );
    expect(messageText('scan.changes', scan({}), null)).toContain('2026-11-22 01:00 UTC');
    expect(messageText('scan.changes', scan({}), 'Mars/Olympus')).toContain('2026-11-22 01:00 UTC');
    expect(messageText('scan.changes', scan({ due_at: '2026-11-21T23:30:00Z' }))).toContain(
      '2026-11-22 00:30',
    );
    // Postgres' format of a timestamp in JSON.
    expect(messageText('scan.changes', scan({ due_at: '2026-11-22T06:30:00.123456+05:30' }))).toContain(
      '2026-11-22 02:00',
    );
  });

  test('keeps a hostile schedule name short and on one line', () => {
    const schedule = `a\r\nBcc: all@example.com\u2028\u202e${'x'.repeat(200)}`;
    const [first = ''] = messageText('scan.changes', scan({ schedule })).split('\n');
    expect(first).toMatch(
      /^Nothing changed at 50 companies of "a Bcc: all at example\[\.\]com x+…" \(scan of/,
    );
  });
});

describe('messages of other events', () => {
  test('describe a completed batch', () => {
    expect(messageText('batch.completed', examplePayloads['batch.completed'])).toBe(
      [
        '"companies.csv" is finished',
        '',
        'Batch    bat_01a1ff734ad97655b2c761ba36458456',
        'Rows     1,200, of which 2 rejected',
        'Lookups  800 found, 250 without ads, 30 not identified, 20 failed',
        'Credits  160 spent, 9840 left',
        '',
        'Try the 20 failed lookups again:',
        '  nightshift retry bat_01a1ff734ad97655b2c761ba36458456',
        '',
      ].join('\n'),
    );
  });

  test('describe a failed batch', () => {
    expect(messageText('batch.failed', examplePayloads['batch.failed'])).toContain(
      '"companies.csv" is finished, and all of its 2 lookups failed\n',
    );
  });

  test('describe a waiting batch and the command that resumes it', () => {
    const text = messageText('batch.waiting_for_credits', examplePayloads['batch.waiting_for_credits']);
    expect(text).toContain('waits for credits: the balance is below the price of a result (0.2 credits)\n');
    expect(text).toContain('  nightshift credits grant 100 --reason "more companies"\n');
    const reason = 'its budget is used up (--max-credits)';
    expect(
      messageText('batch.waiting_for_credits', { ...examplePayloads['batch.waiting_for_credits'], reason }),
    ).toContain('  nightshift resume bat_01a1ff734ad97655b2c761ba36458456 --max-credits CREDITS\n');
  });

  test('describe missed scans', () => {
    expect(messageText('schedule.missed', examplePayloads['schedule.missed'])).toBe(
      [
        '2 scans of "rivals" did not start when due',
        '',
        'Due  2026-11-21 02:00 Europe/Berlin to 2026-11-22 02:00 Europe/Berlin',
        'Now  No scan was started for them. Keep `nightshift up` or `nightshift work` running',
        '',
        'Find the cause:',
        '  nightshift doctor',
        'Scan now:',
        '  nightshift schedule run rivals',
        '',
      ].join('\n'),
    );
    const caughtUp = messageText('schedule.missed', {
      ...examplePayloads['schedule.missed'],
      missed: 1,
      caught_up: true,
    });
    expect(caughtUp).toContain(
      'Due  2026-11-22 02:00 Europe/Berlin\nNow  One scan was started for all of them.',
    );
    expect(caughtUp).not.toContain('schedule run');
  });

  test('quote the schedule name in a command, or use a placeholder if quoting is not possible', () => {
    const named = (schedule: string) =>
      messageText('schedule.missed', { ...examplePayloads['schedule.missed'], schedule });
    expect(named('my rivals; rm -rf ~')).toContain("  nightshift schedule run 'my rivals; rm -rf ~'\n");
    expect(named("it's $(rm)")).toContain('  nightshift schedule run NAME\n');
  });

  test('describe a failed file of an inbox, without links from the file', () => {
    expect(messageText('inbox.file_failed', examplePayloads['inbox.file_failed'])).toBe(
      [
        '"leads/monday.csv" of the inbox "lists" was not loaded',
        '',
        'Reason  monday.csv has no column for companies or addresses.',
        '',
        'List the failed files:',
        '  nightshift inbox files lists --state failed',
        '',
      ].join('\n'),
    );
    const reason = 'line 2: "https://bait.example.com"\nis wrong';
    expect(messageText('inbox.file_failed', { ...examplePayloads['inbox.file_failed'], reason })).toContain(
      'Reason  line 2: "https bait[.]example[.]com" is wrong\n',
    );
  });

  test('describe an inbox that cannot be reached', () => {
    expect(messageText('inbox.failing', examplePayloads['inbox.failing'])).toContain(
      'The inbox "lists" cannot be reached\n\nSince   2026-11-22 02:00 Europe/Berlin\nReason  The bucket rejects the access key.\n',
    );
  });

  test('describe low credits', () => {
    expect(messageText('credits.low', examplePayloads['credits.low'])).toMatch(
      /^Credits run low: 99\.6 left, below 100\n\nHeld {2}0\.2 for open lookups\n/,
    );
  });
});

test('the payload of every event can be parsed', () => {
  for (const event of eventTypes)
    expect(parsePayload(event, examplePayloads[event])).toMatchObject({ event });
});

test('parsing an invalid payload or an unknown event returns null', () => {
  expect(parsePayload('scan.changes', { scan: 'scn_1' })).toBeNull();
  expect(parsePayload('moon.full', {})).toBeNull();
});
