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

  test('answers 201 with the schedule, its address in Location, and what nobody said at its default', async () => {
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

  test('everything that can be said is kept, as JSON', async () => {
    const { schedule } = await api.added({ name: 'all as JSON', ...terms });
    expect(schedule).toMatchObject({ ...reported, companies: 2 });
  });

  test('everything that can be said is kept, in the query beside text/csv', async () => {
    const key = await service().createKey();
    const at = `${path}?${text.toString()}&name=all+as+CSV`;
    const answer = await service().call('POST', at, { key, headers: csv, body: list });
    expect([answer.status, answer.json()]).toEqual([
      201,
      expect.objectContaining({ ...reported, companies: 2 }),
    ]);
  });

  test('everything that can be said is kept, in the fields of a form', async () => {
    const key = await service().createKey();
    const answer = await sendForm('POST', path, key, [...text, ['name', 'all as a form']]);
    expect([answer.status, answer.json()]).toEqual([
      201,
      expect.objectContaining({ ...reported, companies: 2 }),
    ]);
  });

  test('a form has the name of its file, and a list may be gzipped, or read as it is said', async () => {
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

  test('a scan reads the list as it was said, and is bounded by the budget', async () => {
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

  test('a name that is taken is 409, and in another account it is free', async () => {
    const key = await service().createKey();
    await api.add(key, { name: 'taken' });
    const again = await api.send(key, { name: ' taken ' });
    expect([again.status, codesOf(again)]).toEqual([409, ['conflict']]);
    const other = await api.accountWith('with the same name', 0);
    expect((await api.send(other.key, { name: 'taken' })).status).toBe(201);
  });

  test('the same Idempotency-Key makes one schedule, and gets its answer again', async () => {
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
    ['another list', '', `${list}Puma,puma.com\n`],
    ['another option', '&max_ads=5', list],
  ])('an Idempotency-Key with %s is one that was used', async (what, more, body) => {
    const key = await service().createKey();
    const at = `${nightly}+with+${encodeURIComponent(what)}`;
    const headers = { ...csv, 'Idempotency-Key': what.replace(' ', '-') };
    expect((await service().call('POST', at, { key, headers, body: list })).status).toBe(201);
    const reused = await service().call('POST', `${at}${more}`, { key, headers, body });
    expect([reused.status, codesOf(reused)]).toEqual([422, ['idempotency_key_reused']]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['a pattern with seconds', { cron: '0 0 2 * * *' }, /^cron .*field for seconds/],
    ['a pattern that never comes', { cron: '0 0 31 2 *' }, /^cron .*never run/],
    ['a zone that there is not', { time_zone: 'Mars/Olympus' }, /^time_zone .*no such time zone/],
    ['a name that looks like an id', { name: 'sch_1' }, /^name/],
    ['no name', { name: '   ' }, /^name/],
    ['a name that is too long', { name: 'x'.repeat(101) }, /^name/],
    ['a source that there is not', { sources: ['gossip'] }, /unknown source/],
    ['a source that is not set up', { sources: ['serpapi'] }, /^sources: serpapi cannot be used here/],
    ['no sources', { sources: [] }, /^sources/],
    ['a region that there is not', { region: 'XX' }, /region/],
    ['an age that is none', { max_age: 'long' }, /^max_age/],
    ['days that are none', { stale_after: '2 weeks' }, /^stale_after/],
    ['too many days', { stale_after: '9999d' }, /^stale_after/],
    ['a budget of nothing', { max_credits: 0 }, /^max_credits/],
    ['a budget finer than microcredits', { max_credits_per_day: 0.00000012 }, /^max_credits_per_day: .*six/],
    ['misses beyond their bounds', { misses_to_end: 31 }, /^misses_to_end/],
    ['a policy that there is not', { overlap: 'both' }, /^overlap/],
    ['a webhook that there is not', { notify: ['nobody'] }, /^notify: There is no webhook "nobody"/],
    ['a list without a company', { rows: [{ note: 'x' }] }, /./],
    ['no rows', { rows: [] }, /^rows/],
    ['a field that there is not', { limit: 5 }, /limit/],
  ])('%s is 400, names its field, and nothing is kept', async (what, given, title) => {
    const key = await service().createKey();
    const name = `refused: ${what}`;
    const answer = await api.send(key, { name, ...given });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)[0]).toMatch(title);
    const { schedules } = await api.read<{ schedules: { name: string }[] }>(key, `${path}?limit=100`);
    expect(schedules.map((each) => each.name)).not.toContain(name);
  });

  test('what is missing is told at once, in whatever form the list comes', async () => {
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

  test('a remedy of a list speaks of parameters, not of the command line', async () => {
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
    ['another type', path, { 'Content-Type': 'application/xml' }, { body: '<x/>' }, 415],
    [
      'a form without a file',
      path,
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      { body: '--x--\r\n' },
      400,
    ],
  ])('%s is refused', async (_case, at, headers, sent, status) => {
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
    ['those who are told', { notify: [] }, {}],
  ])('changes its %s and nothing else', async (what, changes, follows) => {
    const { key, id, schedule } = await api.added({ name: `change its ${what}` });
    const answer = await service().call('PATCH', `${path}/${id}`, { key, json: changes });
    expect([answer.status, answer.json()]).toEqual([200, { ...schedule, ...changes, ...follows }]);
    expect(await api.read(key, `${path}/${id}`)).toEqual(answer.json());
  });

  test('null lifts a bound, and what is not named stays', async () => {
    const bounds = { max_credits: 1, max_credits_per_day: 2, max_ads: 3, max_age: '1d', own_only: true };
    const { key, id, schedule } = await api.added({ name: 'lifted', ...bounds, notify: [] });
    const lifted = { max_credits: null, max_ads: null, max_age: null, notify: null };
    const answer = await service().call('PATCH', `${path}/${id}`, { key, json: lifted });
    expect(answer.json()).toEqual({ ...schedule, ...lifted });
  });

  test.each(['no body', 'an empty object'])('with %s it changes nothing', async (what) => {
    const { key, id, schedule } = await api.added({ name: `unchanged by ${what}` });
    const sent = what === 'no body' ? {} : { json: {} };
    const answer = await service().call('PATCH', `${path}/${id}`, { key, ...sent });
    expect([answer.status, answer.json()]).toEqual([200, schedule]);
  });

  test('another list takes the place of the one it has, in every form, with terms beside it', async () => {
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

  test('a name that is taken is 409, and nothing is changed', async () => {
    await api.added({ name: 'has it' });
    const { key, id, schedule } = await api.added({ name: 'wants it' });
    const answer = await service().call('PATCH', `${path}/${id}`, {
      key,
      json: { name: 'has it', max_ads: 3 },
    });
    expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
    expect(await api.read(key, `${path}/${id}`)).toEqual(schedule);
  });

  test('its own name is free', async () => {
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
    [{ map: { company_domain: 'Home' } }, /^map: is of a list/],
    [{ file_name: 'x.csv' }, /^file_name: is of a list/],
    [{ rows: [] }, /^rows/],
    [{ rows: [{ note: 'x' }], max_ads: 9 }, /./],
  ])('%j is 400, and nothing is changed', async (json, title) => {
    const { key, id, schedule } = await api.added({ name: `kept: ${JSON.stringify(json)}`.slice(0, 100) });
    const answer = await service().call('PATCH', `${path}/${id}`, { key, json });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)[0]).toMatch(title);
    expect(await api.read(key, `${path}/${id}`)).toEqual(schedule);
  });

  test('options in the query are refused where there is no list beside them', async () => {
    const { key, id, schedule } = await api.added({ name: 'no list' });
    const answer = await service().call('PATCH', `${path}/${id}?max_ads=3`, { key });
    expect(answer.status).toBe(400);
    expect(await api.read(key, `${path}/${id}`)).toEqual(schedule);
  });
});

/** A form with the list and so many fields. */
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

/** The next five, by the clocks of the zone. */
function fiveTimes(pattern: RegExp): readonly string[] {
  return Array.from({ length: 5 }, () => expect.stringMatching(pattern) as string);
}

function titlesOf(answer: Answer): readonly string[] {
  return (answer.json() as ProblemBody).errors.map(({ title }) => title);
}
