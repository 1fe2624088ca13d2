import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type Answer, type ProblemBody } from '../../support/api/test-api.ts';
import { createSchedulesApi, path, type ScanOut, type ScheduleOut } from '../../support/api/schedules-api.ts';

const csv = { 'Content-Type': 'text/csv' };
const list = 'company,website\nNike,nike.com\nadidas AG,adidas.de\nNike again,nike.com\n';
const nightly = `${path}?cron=${encodeURIComponent('0 2 * * 1-5')}&name=nightly`;

describe('POST /v1/schedules', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test('returns 201 with the schedule, its address in Location, and defaults', async () => {
    const key = await service().createKey();
    const answer = await api.send(key, { name: 'defaults' });
    const schedule = answer.json() as ScheduleOut;
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${path}/${schedule.id}`);
    expect(schedule).toEqual({
      id: expect.stringMatching(/^sch_[0-9a-f]{32}$/) as string,
      name: 'defaults',
      cron: '0 2 * * *',
      description: 'At 02:00',
      time_zone: 'UTC',
      state: 'active',
      next_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT02:00:00\.000Z$/) as string,
      next_local: fiveTimes(/^\d{4}-\d\d-\d\dT02:00:00\+00:00$/),
      companies: 2,
      file_name: 'rows.json',
      sources: ['sample'],
      region: null,
      max_ads: null,
      own_only: false,
      max_age: null,
      max_credits: null,
      max_credits_per_day: null,
      overlap: 'skip',
      catch_up: 'once',
      misses_to_end: 2,
      stale_after: '14d',
      notify: null,
      last_scan: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect(await api.read(key, answer.headers.get('location') ?? '')).toEqual(schedule);
  });

  const terms = {
    cron: '30 2 * * 1-5',
    time_zone: 'Europe/Berlin',
    sources: ['sample'],
    max_ads: 50,
    own_only: true,
    max_age: '12h',
    max_credits: 2.5,
    max_credits_per_day: 10,
    overlap: 'queue',
    catch_up: 'none',
    misses_to_end: 3,
    stale_after: '30d',
    file_name: 'rivals.csv',
  };
  const text = new URLSearchParams(
    Object.entries(terms).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const reported = {
    ...terms,
    description: 'At 02:30, Monday through Friday',
    next_at: expect.stringMatching(/T0[01]:30:00\.000Z$/) as string,
  };

  test('stores all options from JSON', async () => {
    const { schedule } = await api.added({ name: 'all as JSON', ...terms });
    expect(schedule).toMatchObject({ ...reported, companies: 2 });
  });

  test('stores all options from the query with text/csv', async () => {
    const key = await service().createKey();
    const at = `${path}?${text.toString()}&name=all+as+CSV`;
    const answer = await service().call('POST', at, { key, headers: csv, body: list });
    expect([answer.status, answer.json()]).toEqual([
      201,
      expect.objectContaining({ ...reported, companies: 2 }),
    ]);
  });

  test('stores all options from the fields of a form', async () => {
    const key = await service().createKey();
    const answer = await sendForm('POST', path, key, [...text, ['name', 'all as a form']]);
    expect([answer.status, answer.json()]).toEqual([
      201,
      expect.objectContaining({ ...reported, companies: 2 }),
    ]);
  });

  test('takes the file name from the form, and accepts gzip and parse options', async () => {
    const key = await service().createKey();
    const form = await sendForm('POST', path, key, [
      ['name', 'form'],
      ['cron', '0 0 * * *'],
    ]);
    expect(form.json()).toMatchObject({ file_name: 'list.csv' });
    const at = `${path}?name=zipped&cron=0+0+*+*+*&header=false&columns=company_name,company_domain&delimiter=;`;
    const body = gzipSync('Nike;nike.com\nadidas;adidas.de\nPuma;puma.com\n');
    const zipped = await service().call('POST', at, { key, headers: csv, body });
    expect([zipped.status, zipped.json()]).toEqual([201, expect.objectContaining({ companies: 3 })]);
  });

  test('applies the parse options and the budget to its scans', async () => {
    const key = await service().createKey();
    const at = `${path}?name=mapped&cron=0+0+*+*+*&map=company_domain=Home&max_credits=0.2`;
    const body = 'Ticker,Home\nNKE,nike.com\nADS,adidas.de\n';
    const { id } = (await service().call('POST', at, { key, headers: csv, body })).json() as ScheduleOut;
    await service().call('POST', `${path}/${id}/run`, { key });
    await service().app.schedules.fire(id);
    const { scans } = await api.read<{ scans: ScanOut[] }>(key, `${path}/${id}/scans`);
    expect(await api.read(key, `/v1/batches/${scans[0]?.batch ?? ''}`)).toMatchObject({
      lookups: { total: 2 },
      max_credits: 0.2,
      operations: ['ads_search'],
    });
  });

  test('returns 409 for a name in use, but not in another account', async () => {
    const key = await service().createKey();
    await api.add(key, { name: 'taken' });
    const again = await api.send(key, { name: ' taken ' });
    expect([again.status, codesOf(again)]).toEqual([409, ['conflict']]);
    const other = await api.accountWith('with the same name', 0);
    expect((await api.send(other.key, { name: 'taken' })).status).toBe(201);
  });

  test('makes one schedule with the same Idempotency-Key, and returns the same bytes', async () => {
    const key = await service().createKey();
    const headers = { ...csv, 'Idempotency-Key': 'one-schedule' };
    const [first, again] = [
      await service().call('POST', `${nightly}-once`, { key, headers, body: list }),
      await service().call('POST', `${nightly}-once`, { key, headers, body: list }),
    ];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });

  test.each([
    ['another file', '', `${list}Puma,puma.com\n`],
    ['another option', '&max_ads=5', list],
  ])('returns 422 for an Idempotency-Key that is used with %s', async (what, more, body) => {
    const key = await service().createKey();
    const at = `${nightly}+with+${encodeURIComponent(what)}`;
    const headers = { ...csv, 'Idempotency-Key': what.replace(' ', '-') };
    expect((await service().call('POST', at, { key, headers, body: list })).status).toBe(201);
    const reused = await service().call('POST', `${at}${more}`, { key, headers, body });
    expect([reused.status, codesOf(reused)]).toEqual([422, ['idempotency_key_reused']]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['a pattern with seconds', { cron: '0 0 2 * * *' }, /^cron .*field for seconds/],
    ['a pattern that never occurs', { cron: '0 0 31 2 *' }, /^cron .*never run/],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, /^time_zone .*unknown time zone/],
    ['a name that looks like an id', { name: 'sch_1' }, /^name/],
    ['no name', { name: '   ' }, /^name/],
    ['a name that is too long', { name: 'x'.repeat(101) }, /^name/],
    ['an unknown source', { sources: ['gossip'] }, /unknown source/],
    [
      'a source that is not configured',
      { sources: ['serpapi'] },
      /^sources: serpapi is not completely configured/,
    ],
    ['no sources', { sources: [] }, /^sources/],
    ['an unknown region', { region: 'XX' }, /region/],
    ['an invalid max_age', { max_age: 'long' }, /^max_age/],
    ['an invalid stale_after', { stale_after: '2 weeks' }, /^stale_after/],
    ['too many days', { stale_after: '9999d' }, /^stale_after/],
    ['a budget of zero', { max_credits: 0 }, /^max_credits/],
    ['a budget finer than microcredits', { max_credits_per_day: 0.00000012 }, /^max_credits_per_day: .*six/],
    ['misses beyond their bounds', { misses_to_end: 31 }, /^misses_to_end/],
    ['an unknown policy', { overlap: 'both' }, /^overlap/],
    ['an unknown webhook', { notify: ['absent'] }, /^notify: There is no webhook "absent"/],
    ['a list without a company', { rows: [{ note: 'x' }] }, /./],
    ['no rows', { rows: [] }, /^rows/],
    ['an unknown field', { limit: 5 }, /limit/],
  ])('returns 400 with the field for %s, and stores nothing', async (what, given, title) => {
    const key = await service().createKey();
    const name = `refused: ${what}`;
    const answer = await api.send(key, { name, ...given });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)[0]).toMatch(title);
    const { schedules } = await api.read<{ schedules: { name: string }[] }>(key, `${path}?limit=100`);
    expect(schedules.map((each) => each.name)).not.toContain(name);
  });

  test('reports all missing fields at once, in every content type', async () => {
    const key = await service().createKey();
    const missing = ['name: is missing', 'cron: is missing'];
    expect(titlesOf(await service().call('POST', path, { key, headers: csv, body: list }))).toEqual(missing);
    expect(titlesOf(await sendForm('POST', path, key, []))).toEqual(missing);
    const json = await service().call('POST', path, {
      key,
      json: { rows: [{ company_domain: 'nike.com' }] },
    });
    expect(titlesOf(json).map((title) => title.split(':', 1)[0])).toEqual(['name', 'cron']);
  });

  test('gives remedies for the API, not for the command line', async () => {
    const key = await service().createKey();
    const answer = await service().call('POST', `${nightly}-words`, {
      key,
      headers: csv,
      body: 'a,b\n1,2\n',
    });
    expect(answer.status).toBe(400);
    expect(titlesOf(answer).join()).not.toContain('--');
  });

  const whole = { name: 'whole', cron: '0 2 * * *', rows: [{ company_domain: 'nike.com' }] };

  test.each([
    ['options in the query beside JSON', `${path}?name=x`, {}, { json: whole }, 400],
    ['another content type', path, { 'Content-Type': 'application/xml' }, { body: '<x/>' }, 415],
    [
      'a form without a file',
      path,
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      { body: '--x--\r\n' },
      400,
    ],
  ])('rejects %s', async (_case, at, headers, sent, status) => {
    const answer = await service().call('POST', at, { key: await service().createKey(), headers, ...sent });
    expect(answer.status).toBe(status);
  });

  test('every invariant holds', async () => {
    expect(await service().findings()).toEqual([]);
  });

  async function sendForm(
    method: string,
    at: string,
    key: string,
    fields: readonly (readonly [string, string])[],
  ): Promise<Answer> {
    return service().call(method, at, { key, ...formOf(fields) });
  }
});

describe('PATCH /v1/schedules/{id}', () => {
  const service = useTestApi();
  const api = createSchedulesApi(service);

  test.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
    ['name', { name: 'renamed' }, {}],
    [
      'pattern',
      { cron: '0 3 * * *' },
      {
        description: 'At 03:00',
        next_at: expect.stringMatching(/T03:/) as string,
        next_local: fiveTimes(/T03:00:00\+00:00$/),
      },
    ],
    [
      'zone',
      { time_zone: 'Asia/Tokyo' },
      { next_at: expect.stringMatching(/T17:/) as string, next_local: fiveTimes(/T02:00:00\+09:00$/) },
    ],
    ['budgets', { max_credits: 1.5, max_credits_per_day: 3 }, {}],
    ['search', { max_ads: 7, own_only: true, max_age: '30m' }, {}],
    ['policies', { overlap: 'queue', catch_up: 'none', misses_to_end: 5, stale_after: '7d' }, {}],
    ['webhooks', { notify: [] }, {}],
  ])('changes its %s and nothing else', async (what, changes, follows) => {
    const { key, id, schedule } = await api.added({ name: `change its ${what}` });
    const answer = await service().call('PATCH', `${path}/${id}`, { key, json: changes });
    expect([answer.status, answer.json()]).toEqual([200, { ...schedule, ...changes, ...follows }]);
    expect(await api.read(key, `${path}/${id}`)).toEqual(answer.json());
  });

  test('removes a bound with null, and keeps other fields', async () => {
    const bounds = { max_credits: 1, max_credits_per_day: 2, max_ads: 3, max_age: '1d', own_only: true };
    const { key, id, schedule } = await api.added({ name: 'lifted', ...bounds, notify: [] });
    const lifted = { max_credits: null, max_ads: null, max_age: null, notify: null };
    const answer = await service().call('PATCH', `${path}/${id}`, { key, json: lifted });
    expect(answer.json()).toEqual({ ...schedule, ...lifted });
  });

  test.each(['no body', 'an empty object'])('changes nothing with %s', async (what) => {
    const { key, id, schedule } = await api.added({ name: `unchanged by ${what}` });
    const sent = what === 'no body' ? {} : { json: {} };
    const answer = await service().call('PATCH', `${path}/${id}`, { key, ...sent });
    expect([answer.status, answer.json()]).toEqual([200, schedule]);
  });

  test('replaces the file in every content type, with options', async () => {
    const { key, id } = await api.added({ name: 'another list' });
    const at = `${path}/${id}`;
    const rows = [{ company_domain: 'puma.com' }];
    const asJson = await service().call('PATCH', at, { key, json: { rows, max_ads: 4 } });
    expect(asJson.json()).toMatchObject({ companies: 1, file_name: 'rows.json', max_ads: 4 });
    const body = 'website\nnike.com\npuma.com\nadidas.de\n';
    const asCsv = await service().call('PATCH', `${at}?max_ads=5`, { key, headers: csv, body });
    expect(asCsv.json()).toMatchObject({ companies: 3, file_name: 'upload.csv', max_ads: 5 });
    const asForm = await service().call('PATCH', at, { key, ...formOf([['max_ads', '6']]) });
    expect(asForm.json()).toMatchObject({ companies: 2, file_name: 'list.csv', max_ads: 6 });
    await service().call('POST', `${at}/run`, { key });
    await service().app.schedules.fire(id);
    const { scans } = await api.read<{ scans: ScanOut[] }>(key, `${at}/scans`);
    expect(await api.read(key, `/v1/batches/${scans[0]?.batch ?? ''}`)).toMatchObject({
      file_name: 'list.csv',
      lookups: { total: 2 },
    });
  });

  test('returns 409 for a name in use, and changes nothing', async () => {
    await api.added({ name: 'has it' });
    const { key, id, schedule } = await api.added({ name: 'wants it' });
    const answer = await service().call('PATCH', `${path}/${id}`, {
      key,
      json: { name: 'has it', max_ads: 3 },
    });
    expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
    expect(await api.read(key, `${path}/${id}`)).toEqual(schedule);
  });

  test('accepts its own name', async () => {
    const { key, id } = await api.added({ name: 'its own' });
    expect((await service().call('PATCH', `${path}/${id}`, { key, json: { name: 'its own' } })).status).toBe(
      200,
    );
  });

  test.each<[Readonly<Record<string, unknown>>, RegExp]>([
    [{ state: 'paused' }, /state/],
    [{ cron: 'daily' }, /^cron/],
    [{ cron: null }, /^cron/],
    [{ time_zone: 'Berlin' }, /^time_zone/],
    [{ sources: ['serpapi'] }, /^sources/],
    [{ max_credits: -1 }, /^max_credits/],
    [{ stale_after: '0d' }, /^stale_after/],
    [{ name: 'sch_2' }, /^name/],
    [{ map: { company_domain: 'Home' } }, /^map: is an option of a file/],
    [{ file_name: 'x.csv' }, /^file_name: is an option of a file/],
    [{ rows: [] }, /^rows/],
    [{ rows: [{ note: 'x' }], max_ads: 9 }, /./],
  ])('returns 400 for %j, and changes nothing', async (json, title) => {
    const { key, id, schedule } = await api.added({ name: `kept: ${JSON.stringify(json)}`.slice(0, 100) });
    const answer = await service().call('PATCH', `${path}/${id}`, { key, json });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)[0]).toMatch(title);
    expect(await api.read(key, `${path}/${id}`)).toEqual(schedule);
  });

  test('rejects options in the query without a file', async () => {
    const { key, id, schedule } = await api.added({ name: 'no list' });
    const answer = await service().call('PATCH', `${path}/${id}?max_ads=3`, { key });
    expect(answer.status).toBe(400);
    expect(await api.read(key, `${path}/${id}`)).toEqual(schedule);
  });
});

/** A form with the file and these fields. */
function formOf(fields: readonly (readonly [string, string])[]) {
  const part = (head: string, body: string) =>
    `--limit\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const parts = [
    ...fields.map(([name, value]) => part(`name="${name}"`, value)),
    part('name="file"; filename="list.csv"', list),
  ];
  return {
    headers: { 'Content-Type': 'multipart/form-data; boundary=limit' },
    body: `${parts.join('')}--limit--\r\n`,
  };
}

/** The next five times in the time zone. */
function fiveTimes(pattern: RegExp): readonly string[] {
  return Array.from({ length: 5 }, () => expect.stringMatching(pattern) as string);
}

function titlesOf(answer: Answer): readonly string[] {
  return (answer.json() as ProblemBody).errors.map(({ title }) => title);
}
