import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as openRequest } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkCompanies } from '../../../src/producer/preview/check-companies.ts';
import { readCompanies, type ReadOptions } from '../../../src/producer/rows/read-companies.ts';
import {
  codesOf,
  useTestApi,
  type Answer,
  type TestApi,
  type ProblemBody,
} from '../../support/api/test-api.ts';
import { contractPricesMicro } from '../../support/stand-in/contract-prices.ts';
import { encodeText, streamOf } from '../../support/csv/company-files.ts';

const path = '/v1/batches';
const plain = 'company,website,note\nNike,nike.com,first\nadidas AG,adidas.de,second\n,spotify.com,\n';
const plainCells = [
  ['Nike', 'nike.com', 'first'],
  ['adidas AG', 'adidas.de', 'second'],
  ['', 'spotify.com', ''],
];

describe('POST /v1/batches as text/csv', () => {
  const api = useTestApi();

  test('returns 201 with the batch, its address in Location, and every row in order with its own cells', async () => {
    const answer = await sendCsv(api(), plain);
    const batch = batchOf(answer);
    expect(answer.headers.get('location')).toBe(`${path}/${batch.id}`);
    expect(batch).toMatchObject({
      state: 'running',
      file_name: 'upload.csv',
      operations: ['ads_search'],
      sources: ['sample'],
      rows: { total: 3, rejected: 0 },
      lookups: { total: 3, open: 3, found: 0 },
      credits: { charged: 0, ceiling: 0.6 },
      limit: null,
      max_credits: null,
      finished_at: null,
    });
    const { columns, rows } = await readRows(api(), batch.id);
    expect(columns).toEqual(['company', 'website', 'note']);
    expect(rows.map(({ cells }) => cells)).toEqual(plainCells);
    expect(rows.map(({ row, line, outcome }) => [row, line, outcome])).toEqual([
      [1, 2, 'open'],
      [2, 3, 'open'],
      [3, 4, 'open'],
    ]);
  });

  test('returns the address of the batch in Location', async () => {
    const answer = await sendCsv(api(), plain);
    const key = await api().createKey();
    const read = await api().call('GET', answer.headers.get('location') ?? '', { key });
    expect([read.status, read.json()]).toEqual([200, answer.json()]);
  });

  test('accepts a chunked body, cut within characters and lines', async () => {
    const lines = Array.from({ length: 2500 }, (_, i) => [
      `Müller ${i} Straße`,
      `company-${i}.example.com`,
      `"é"`,
    ]);
    const text = `company,website,note\n${lines.map((cells) => cells.join(',')).join('\n')}\n`;
    const batch = batchOf(await sendCsv(api(), piecesOf(text, 1021)));
    expect(batch.rows).toEqual({ total: 2500, rejected: 0 });
    const { rows } = await readRows(api(), batch.id);
    expect(rows.map(({ cells }) => cells)).toEqual(lines.map(([name, site]) => [name, site, 'é']));
  });

  test.each([
    ['gzipped', gzipSync(plain), {}],
    ['gzipped, with Content-Encoding', gzipSync(plain), { 'Content-Encoding': 'gzip' }],
    ['UTF-16LE with a byte order mark', encodeText(plain, 'utf-16le', true), {}],
    ['UTF-16BE with a byte order mark', encodeText(plain, 'utf-16be', true), {}],
    ['UTF-8 with a byte order mark', encodeText(plain, 'utf-8', true), {}],
    ['separated by semicolons', plain.replaceAll(',', ';'), {}],
    ['separated by tabs', plain.replaceAll(',', '\t'), {}],
    ['separated into lines by CR LF', plain.replaceAll('\n', '\r\n'), {}],
    [
      'sent with parameters in the content type',
      plain,
      { 'Content-Type': 'Text/CSV; charset=utf-8; header=present' },
    ],
  ])('accepts a file that is %s', async (_case, body, headers) => {
    const batch = batchOf(await sendCsv(api(), body, { headers }));
    const { columns, rows } = await readRows(api(), batch.id);
    expect(columns).toEqual(['company', 'website', 'note']);
    expect(rows.map(({ cells }) => cells)).toEqual(plainCells);
  });

  test('keeps rejected rows in place, with reason and line', async () => {
    const list = 'company,website\nNike,nike.com\n"two\nlines",a.com,b\n-,\nadidas,adidas.de\n';
    const batch = batchOf(await sendCsv(api(), list));
    expect(batch).toMatchObject({ rows: { total: 4, rejected: 2 }, lookups: { total: 2 } });
    const { rows } = await readRows(api(), batch.id);
    expect(rows.map(({ line, outcome, cells }) => [line, outcome, cells])).toEqual([
      [2, 'open', ['Nike', 'nike.com']],
      [3, 'rejected', ['two\nlines', 'a.com', 'b']],
      [5, 'rejected', ['-', '']],
      [6, 'open', ['adidas', 'adidas.de']],
    ]);
    expect(rows.map(({ reason }) => reason)).toEqual([
      null,
      expect.stringContaining('too many fields') as string,
      expect.stringMatching(/./) as string,
      null,
    ]);
  });

  test('shares one lookup among rows of the same company', async () => {
    const batch = batchOf(await sendCsv(api(), 'website\nnike.com\nhttps://www.nike.com/de\nNIKE.com\n'));
    expect(batch).toMatchObject({ rows: { total: 3 }, lookups: { total: 1 }, credits: { ceiling: 0.2 } });
  });

  test.each<[string, string | Buffer, Readonly<Record<string, string>>, readonly (readonly string[])[]]>([
    [
      'map: columns by field',
      'Ticker,Security,Home\nNKE,Nike,nike.com\n',
      { map: 'company_name=Security,company_domain=Home' },
      [['NKE', 'Nike', 'nike.com']],
    ],
    [
      'delimiter: one that is not detected',
      'company_name^company_domain\nNike^nike.com\n',
      { delimiter: '^' },
      [['Nike', 'nike.com']],
    ],
    [
      'delimiter of several characters, quote and escape',
      "company_name::company_domain\n'Nike\\' Inc'::nike.com\n",
      { delimiter: '::', quote: "'", escape: '\\' },
      [["Nike' Inc", 'nike.com']],
    ],
    [
      'skip_lines: text above the header',
      'x,y\ncompany_name,company_domain\nNike,nike.com\n',
      { skip_lines: '1' },
      [['Nike', 'nike.com']],
    ],
    [
      'delimiter: tab by name',
      'company\twebsite\nNike\tnike.com\n',
      { delimiter: 'tab' },
      [['Nike', 'nike.com']],
    ],
    [
      'encoding',
      encodeText('company,website\nNestlé – S.A.,nestle.com\n', 'windows-1252'),
      { encoding: 'windows-1252' },
      [['Nestlé – S.A.', 'nestle.com']],
    ],
    [
      'header=false with columns: first line as data',
      'Nike,nike.com\nadidas,adidas.de\n',
      { header: 'false', columns: 'company_name,company_domain' },
      [
        ['Nike', 'nike.com'],
        ['adidas', 'adidas.de'],
      ],
    ],
    [
      'header=false with map: columns by number',
      '1,nike.com\n2,adidas.de\n',
      { header: 'false', map: 'company_domain=2' },
      [
        ['1', 'nike.com'],
        ['2', 'adidas.de'],
      ],
    ],
    [
      'columns: names instead of the header',
      'A,B\nNike,nike.com\n',
      { columns: 'company_name, company_domain', header: 'true' },
      [['Nike', 'nike.com']],
    ],
  ])('option %s', async (_case, body, options, cells) => {
    const batch = batchOf(await sendCsv(api(), body, { options }));
    expect(batch.rows.rejected).toBe(0);
    expect((await readRows(api(), batch.id)).rows.map((row) => row.cells)).toEqual(cells);
  });

  test('stores the options limit, max_credits, file_name, source and operations in the batch', async () => {
    const options = {
      limit: '2',
      max_credits: '0.25',
      file_name: 'Liste für März.csv',
      source: 'sample',
      operations: 'ads_search',
    };
    expect(batchOf(await sendCsv(api(), plain, { options }))).toMatchObject({
      limit: 2,
      max_credits: 0.25,
      file_name: 'Liste für März.csv',
      sources: ['sample'],
      operations: ['ads_search'],
      rows: { total: 3 },
    });
  });

  test('takes max_credits to a millionth of a credit', async () => {
    const batch = batchOf(await sendCsv(api(), plain, { options: { max_credits: '0.000001' } }));
    expect(batch.max_credits).toBe(0.000001);
  });

  test.each([
    ['an unknown option', 'limits=3'],
    ['an option given twice', 'limit=1&limit=2'],
    ['a limit of 0', 'limit=0'],
    ['an empty limit', 'limit='],
    ['a limit that is not an integer', 'limit=1.5'],
    ['negative credits', 'max_credits=-1'],
    ['zero credits', 'max_credits=0'],
    ['credits with seven decimal places', 'max_credits=0.1234567'],
    ['a ten-millionth of a credit', 'max_credits=0.0000001'],
    ['credits beyond the range of numbers', 'max_credits=1e400'],
    ['dry_run that is neither true nor false', 'dry_run=yes'],
    ['header that is neither true nor false', 'header=0'],
    ['an unknown operation', 'operations=email_validation'],
    ['an empty file name', 'file_name='],
    ['a file name of 201 characters', `file_name=${'x'.repeat(201)}`],
    ['a file name with a NUL', 'file_name=a%00b.csv'],
    ['an unknown encoding', 'encoding=klingon'],
    ['a delimiter of two characters', 'delimiter=ab'],
    ['a map without an equals sign', 'map=company_domain'],
    ['a map to an unknown column', 'map=company_domain=Nowhere'],
    ['a map of an unknown field', 'map=company_phone=website'],
    ['fewer column names than columns', 'columns=company_name'],
  ])('returns 400 for %s, and stores nothing', async (_case, query) => {
    const before = await countedAt(api());
    const answer = await sendCsv(api(), plain, { query });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(await countedAt(api())).toEqual(before);
  });

  test.each([
    ['no usable column', 'colour,size\nred,L\nblue,M\n', ', line 1'],
    ['no header', 'company,nike.com\nadidas,adidas.de\n', ', line 1'],
    ['no content', '', ''],
    ['binary content', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1, 2, 3]), ''],
    ['a truncated gzip stream', gzipSync(plain.repeat(50)).subarray(0, 60), ''],
  ])(
    'returns 400 for a file with %s, with its name, line and remedy, and stores nothing',
    async (_case, body, place) => {
      const before = await countedAt(api());
      const answer = await sendCsv(api(), body, { options: { file_name: 'night.csv' } });
      expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
      expect(titlesOf(answer)[0]).toContain(`night.csv${place}`);
      // What is wrong, and what to do about it.
      expect(titlesOf(answer)[0]).toMatch(/[.:] .{20,}/);
      expect(await countedAt(api())).toEqual(before);
    },
  );

  test.each([
    ['a quote that is never closed', `${plain}"adidas,adidas.de\n`, 'never closed'],
    ['two columns of the same name', 'website,website\nnike.com,adidas.de\n', 'both named "website"'],
  ])('accepts a file with %s, unless it must be well-formed', async (_case, body, message) => {
    expect((await sendCsv(api(), body)).status).toBe(201);
    const before = await countedAt(api());
    const answer = await sendCsv(api(), body, { options: { strict: 'true' } });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)[0]).toContain(message);
    expect(await countedAt(api())).toEqual(before);
  });

  test('names the place of an error once, and no options of the command line', async () => {
    const [title = ''] = titlesOf(
      await sendCsv(api(), 'company,nike.com\n', { options: { file_name: 'night.csv' } }),
    );
    expect(title.match(/night\.csv/g)).toHaveLength(1);
    expect(title).not.toMatch(/--\w/);
  });

  test('returns 413 for a file that is too large when unpacked', async () => {
    // Packed as lists are, about 60 to 1: what packs better than 100 to 1 is refused for that.
    const lines = Array.from(
      { length: 1000 },
      () => `nike.com,${randomBytes(12).toString('hex')}${' '.repeat(1030)}`,
    );
    const block = Buffer.from(`website,note\n${lines.join('\n')}\n`);
    const bomb = Buffer.concat(Array<Buffer>(201).fill(gzipSync(block, { level: 1 })));
    const before = await countedAt(api());
    const answer = await sendCsv(api(), bomb);
    expect([answer.status, codesOf(answer)]).toEqual([413, ['payload_too_large']]);
    expect(await countedAt(api())).toEqual(before);
  });

  test('returns 400 for an unknown source', async () => {
    const before = await countedAt(api());
    const answer = await sendCsv(api(), plain, { options: { source: 'nosuchsource' } });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(titlesOf(answer)[0]).toContain('nosuchsource');
    expect(await countedAt(api())).toEqual(before);
  });

  test('returns 400 for an unknown source in a dry run', async () => {
    const answer = await sendCsv(api(), plain, { options: { source: 'nosuchsource', dry_run: 'true' } });
    expect(answer.status).toBe(400);
  });

  test('accepts or rejects a file with a NUL in a column name, without a server error', async () => {
    const answer = await sendCsv(api(), 'website,a\0b\nnike.com,1\n');
    expect([201, 400]).toContain(answer.status);
  });

  test('stores nothing when a client disconnects during the upload', async () => {
    const before = await countedAt(api());
    await sendHalf(api().url, await api().createKey());
    await expect.poll(() => folderOf(api())).toEqual([]);
    expect(await countedAt(api())).toEqual(before);
  });

  test('delivers a response that is sent before the upload has ended', async () => {
    const headers = { 'Content-Type': 'text/csv' };
    const body = plain.repeat(50_000);
    const answer = await api().call('POST', path, { key: 'ns_live_none', headers, body });
    expect(answer.status).toBe(401);
  });

  test('leaves no uploads on disk, and every invariant holds', async () => {
    expect(folderOf(api())).toEqual([]);
    expect(await api().findings()).toEqual([]);
  });
});

describe('POST /v1/batches with dry_run', () => {
  const api = useTestApi();
  const list = [
    'company,website,note',
    'Nike,nike.com,',
    'Nike again,https://nike.com/de,',
    ',,nothing',
    'adidas,not a domain,warned',
    'a,b.com,c,d',
    '"Zalando\nSE",zalando.de,',
  ].join('\n');

  test('returns 200 with the result of `nightshift check`, and stores nothing', async () => {
    const before = await api().countRows();
    const answer = await sendCsv(api(), list, { options: { dry_run: 'true', file_name: 'list.csv' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(answer.json()).toMatchObject(await checked(list, { fileName: 'list.csv' }));
    expect(answer.json()).toMatchObject({
      encoding: 'utf-8',
      delimiter: ',',
      columns: ['company', 'website', 'note'],
      fields: { company_domain: 'website', company_name: 'company' },
      rows: { total: 6, rejected: 2, with_warnings: 1, duplicates: 1 },
      companies: 3,
      credits: { floor: 0, ceiling: 0.6 },
    });
    expect(await api().countRows()).toEqual({ ...before, api_keys: (before['api_keys'] ?? 0) + 1 });
  });

  test('applies the parse options', async () => {
    const options = { header: 'false', columns: 'a,b', map: 'company_domain=b', delimiter: ';' };
    const answer = await sendCsv(api(), 'x;nike.com\ny;nike.com\n', {
      options: { ...options, dry_run: 'true' },
    });
    const reading = { noHeader: true, columns: ['a', 'b'], map: { company_domain: 'b' }, delimiter: ';' };
    expect(answer.json()).toMatchObject(
      await checked('x;nike.com\ny;nike.com\n', { fileName: 'upload.csv', ...reading }),
    );
  });

  test('returns the same for a form and for rows in JSON', async () => {
    const form = new FormData();
    form.set('dry_run', 'true');
    form.set('file', new File([list], 'list.csv'));
    const rows = [{ company_domain: 'nike.com' }, { company_domain: 'nike.com' }, { company_domain: '' }];
    expect((await sendForm(api(), form)).json()).toMatchObject(await checked(list, { fileName: 'list.csv' }));
    expect((await sendJson(api(), { rows, dry_run: true })).json()).toMatchObject({
      columns: ['company_domain'],
      rows: { total: 3, rejected: 1, duplicates: 1 },
      companies: 1,
    });
  });

  test('returns 400 for a file that cannot be parsed', async () => {
    const answer = await sendCsv(api(), 'colour,size\nred,L\n', { options: { dry_run: 'true' } });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(folderOf(api())).toEqual([]);
  });
});

describe('POST /v1/batches as multipart/form-data', () => {
  const api = useTestApi();

  test('accepts one file with options as fields before and after it', async () => {
    const form = new FormData();
    form.set('map', 'company_domain=Home');
    form.set('limit', '1');
    form.set(
      'list',
      new File(['Name,Home\nNike,nike.com\nadidas,adidas.de\n'], 'Größen.csv', { type: 'text/csv' }),
    );
    form.set('max_credits', '3');
    form.set('delimiter', ',');
    const answer = await sendForm(api(), form);
    const batch = batchOf(answer);
    expect(answer.headers.get('location')).toBe(`${path}/${batch.id}`);
    expect(batch).toMatchObject({ file_name: 'Größen.csv', limit: 1, max_credits: 3, rows: { total: 2 } });
    expect((await readRows(api(), batch.id)).rows.map(({ cells }) => cells)).toEqual([
      ['Nike', 'nike.com'],
      ['adidas', 'adidas.de'],
    ]);
  });

  test('prefers the field file_name to the name of the file', async () => {
    const form = new FormData();
    form.set('file', new File([plain], 'a.csv'));
    form.set('file_name', 'b.csv');
    expect(batchOf(await sendForm(api(), form)).file_name).toBe('b.csv');
  });

  test('accepts a gzipped file of some megabytes', async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `Company ${i % 7},,${randomBytes(60).toString('hex')}`,
    ).join('\n');
    const form = new FormData();
    form.set('file', new File([gzipSync(`company,website,note\n${lines}\n`)], 'list.csv.gz'));
    expect(batchOf(await sendForm(api(), form))).toMatchObject({
      rows: { total: 20_000 },
      lookups: { total: 7 },
    });
  });

  test.each<[string, (form: FormData) => void]>([
    ['without a file', (form) => form.set('limit', '1')],
    ['without fields', () => undefined],
    [
      'with two files',
      (form) => {
        form.set('one', new File([plain], 'one.csv'));
        form.set('two', new File([plain], 'two.csv'));
      },
    ],
    [
      'with three files',
      (form) => {
        for (const name of ['one', 'two', 'three']) form.set(name, new File([plain], `${name}.csv`));
      },
    ],
    [
      'with an unknown field before the file',
      (form) => {
        form.set('limits', '1');
        form.set('file', new File([plain], 'list.csv'));
      },
    ],
    [
      'with an unknown field after the file',
      (form) => {
        form.set('file', new File([plain], 'list.csv'));
        form.set('colour', 'red');
      },
    ],
    [
      'with a field given twice',
      (form) => {
        form.append('limit', '1');
        form.append('limit', '1');
        form.set('file', new File([plain], 'list.csv'));
      },
    ],
    [
      'with an invalid value in a field',
      (form) => {
        form.set('file', new File([plain], 'list.csv'));
        form.set('max_credits', 'many');
      },
    ],
    ['with an empty file', (form) => form.set('file', new File([], 'list.csv'))],
    [
      'with a field of 20 kilobytes',
      (form) => {
        form.set('map', `company_domain=website${' '.repeat(20_000)}`);
        form.set('file', new File([plain], 'list.csv'));
      },
    ],
    [
      'with hundreds of fields',
      (form) => {
        form.set('file', new File([plain], 'list.csv'));
        for (let n = 0; n < 300; n += 1) form.set(`field-${n}`, 'x');
      },
    ],
  ])('returns 400 for a form %s, and stores nothing', async (_case, fill) => {
    const before = await countedAt(api());
    const form = new FormData();
    fill(form);
    const answer = await sendForm(api(), form);
    expect([answer.status, [...new Set(codesOf(answer))]]).toEqual([400, ['validation_error']]);
    expect(await countedAt(api())).toEqual(before);
    expect(folderOf(api())).toEqual([]);
  });

  test.each([
    ['has no boundary', 'multipart/form-data', rawForm('x', true)],
    ['has another boundary than its header', 'multipart/form-data; boundary=y', rawForm('x', true)],
    ['is empty', 'multipart/form-data; boundary=x', ''],
  ])('returns 400 for a form that %s, and stores nothing', async (_case, type, body) => {
    const before = await countedAt(api());
    const key = await api().createKey();
    const answer = await api().call('POST', path, {
      key,
      headers: { 'Content-Type': type },
      body,
      signal: AbortSignal.timeout(15_000),
    });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(await countedAt(api())).toEqual(before);
    expect(folderOf(api())).toEqual([]);
  });

  test('returns 400 for options in the query', async () => {
    const form = new FormData();
    form.set('file', new File([plain], 'list.csv'));
    const answer = await sendForm(api(), form, '?limit=1');
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});

describe('POST /v1/batches with a truncated form', () => {
  const api = useTestApi();

  test('returns 400, stores nothing and does not affect the server', async () => {
    const key = await api().createKey();
    const before = await countedAt(api());
    const answer = await api().call('POST', path, {
      key,
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: rawForm('x', false),
      signal: AbortSignal.timeout(5000),
    });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(await countedAt(api())).toEqual(before);
    expect(folderOf(api())).toEqual([]);
    expect((await api().call('GET', '/livez')).status).toBe(200);
  });
});

describe('POST /v1/batches as rows in JSON', () => {
  const api = useTestApi();

  test('keeps rows and cells in order, with the names of all fields as columns in order of appearance', async () => {
    const rows = [
      { note: 'first', company_domain: 'nike.com' },
      { company_domain: 'adidas.de', owner: 'Jonas', note: 'second' },
      { company_name: 'Spotify AB' },
    ];
    const answer = await sendJson(api(), {
      rows,
      file_name: 'crm',
      max_credits: 1.5,
      limit: 2,
      source: ['sample'],
    });
    const batch = batchOf(answer);
    expect(answer.headers.get('location')).toBe(`${path}/${batch.id}`);
    expect(batch).toMatchObject({
      file_name: 'crm',
      max_credits: 1.5,
      limit: 2,
      rows: { total: 3, rejected: 0 },
    });
    const read = await readRows(api(), batch.id);
    expect(read.columns).toEqual(['note', 'company_domain', 'owner', 'company_name']);
    expect(read.rows.map(({ cells }) => cells)).toEqual([
      ['first', 'nike.com', '', ''],
      ['second', 'adidas.de', 'Jonas', ''],
      ['', '', '', 'Spotify AB'],
    ]);
  });

  test('accepts numbers, booleans, null, quotes, line breaks, commas, blanks and emoji unchanged', async () => {
    const rows = [
      { company_domain: 'nike.com', n: 0.5, b: true, z: null, t: 'say "hi", twice\r\nor\nmore' },
      { company_domain: 'adidas.de', n: -12, b: false, z: '', t: '  =1+1;\t👟  ' },
    ];
    const batch = batchOf(await sendJson(api(), { rows }));
    expect((await readRows(api(), batch.id)).rows.map(({ cells }) => cells)).toEqual([
      ['nike.com', '0.5', 'true', '', 'say "hi", twice\r\nor\nmore'],
      ['adidas.de', '-12', 'false', '', '  =1+1;\t👟  '],
    ]);
  });

  test('keeps a row without fields, and rejects it', async () => {
    const rows = [
      { company_domain: 'nike.com' },
      {},
      { company_domain: null },
      { company_domain: 'adidas.de' },
    ];
    const batch = batchOf(await sendJson(api(), { rows }));
    expect(batch.rows).toEqual({ total: 4, rejected: 2 });
    expect((await readRows(api(), batch.id)).rows.map(({ outcome }) => outcome)).toEqual([
      'open',
      'rejected',
      'rejected',
      'open',
    ]);
  });

  test('accepts fields named __proto__, constructor or toString', async () => {
    const text = '{"rows":[{"company_domain":"nike.com","__proto__":"p","constructor":"c","toString":"t"}]}';
    const batch = batchOf(await sendJson(api(), text));
    const { columns, rows } = await readRows(api(), batch.id);
    expect(columns).toEqual(['company_domain', '__proto__', 'constructor', 'toString']);
    expect(rows[0]?.cells).toEqual(['nike.com', 'p', 'c', 't']);
  });

  test('accepts a field whose name looks like a domain', async () => {
    const answer = await sendJson(api(), { rows: [{ company_domain: 'nike.com', 'crm.id': '5' }] });
    expect(batchOf(answer).rows).toEqual({ total: 1, rejected: 0 });
  });

  test('takes the field of the company from map', async () => {
    const rows = [{ Home: 'nike.com', Firm: 'Nike' }];
    const map = { company_domain: 'Home', company_name: 'Firm' };
    expect(batchOf(await sendJson(api(), { rows, map })).lookups.total).toBe(1);
  });

  test.each<[string, object | string]>([
    ['no rows', {}],
    ['an empty list of rows', { rows: [] }],
    ['a row that is not an object', { rows: ['nike.com'] }],
    ['a row that is a list', { rows: [['nike.com']] }],
    ['a row that is null', { rows: [null] }],
    ['a cell that is an object', { rows: [{ company_domain: { name: 'nike.com' } }] }],
    ['a cell that is a list', { rows: [{ company_domain: ['nike.com'] }] }],
    ['rows without a known field', { rows: [{ colour: 'red', size: 'L' }] }],
    ['rows without fields', { rows: [{}] }],
    ['an unknown field', { rows: [{ company_domain: 'nike.com' }], limits: 1 }],
    ['an option of another type', { rows: [{ company_domain: 'nike.com' }], limit: '1' }],
    ['credits with seven decimal places', { rows: [{ company_domain: 'nike.com' }], max_credits: 0.1234567 }],
    ['a NUL in the file name', { rows: [{ company_domain: 'nike.com' }], file_name: 'a\0b' }],
    ['a list instead of an object', [{ company_domain: 'nike.com' }]],
    ['invalid JSON', '{"rows":[{"company_domain":"nike.com"}'],
    ['an empty body', ''],
  ])('returns 400 for %s, and stores nothing', async (_case, json) => {
    const before = await countedAt(api());
    const answer = await sendJson(api(), json);
    expect([answer.status, [...new Set(codesOf(answer))]]).toEqual([400, ['validation_error']]);
    expect(await countedAt(api())).toEqual(before);
  });

  test('accepts or rejects a field with a NUL in its name, without a server error', async () => {
    const answer = await sendJson(api(), { rows: [{ company_domain: 'nike.com', 'a\0b': 'x' }] });
    expect([201, 400]).toContain(answer.status);
  });

  test('accepts a body of 64 KiB, and returns 413 for one byte more', async () => {
    const before = await countedAt(api());
    const tooLarge = await sendJson(api(), sized(64 * 1024 + 1));
    expect([tooLarge.status, codesOf(tooLarge)]).toEqual([413, ['payload_too_large']]);
    const streamed = await sendJson(api(), piecesOf(sized(70 * 1024), 5000));
    expect([streamed.status, codesOf(streamed)]).toEqual([413, ['payload_too_large']]);
    expect(await countedAt(api())).toEqual(before);
    expect((await sendJson(api(), sized(64 * 1024))).status).toBe(201);
  });

  test('returns 400 for a body that is not UTF-8', async () => {
    const body = Buffer.from('{"rows":[{"company_domain":"nike.com","note":"\xff"}]}', 'latin1');
    expect((await sendJson(api(), body)).status).toBe(400);
  });

  test('returns 400 for options in the query', async () => {
    const json = { rows: [{ company_domain: 'nike.com' }] };
    const answer = await api().call('POST', `${path}?limit=1`, { key: await api().createKey(), json });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test.each([
    ['text/plain', plain],
    ['application/vnd.ms-excel', plain],
    ['application/x-www-form-urlencoded', 'rows=nike.com'],
    ['application/jsonp', '{"rows":[{"company_domain":"nike.com"}]}'],
    ['application/vnd.api+json', '{"rows":[{"company_domain":"nike.com"}]}'],
    ['text/csvx', plain],
    ['', plain],
  ])('returns 415 for a body as %j', async (type, body) => {
    const before = await countedAt(api());
    const headers = { 'Content-Type': type };
    const answer = await api().call('POST', path, {
      key: await api().createKey(),
      headers,
      body: Buffer.from(body),
    });
    expect([answer.status, codesOf(answer)]).toEqual([415, ['unsupported_media_type']]);
    expect(await countedAt(api())).toEqual(before);
  });

  test('leaves no uploads on disk, and every invariant holds', async () => {
    expect(folderOf(api())).toEqual([]);
    expect(await api().findings()).toEqual([]);
  });
});

describe('POST /v1/batches with the same file again', () => {
  const api = useTestApi();

  test('makes a new batch without an Idempotency-Key', async () => {
    const first = batchOf(await sendCsv(api(), plain));
    expect(batchOf(await sendCsv(api(), plain)).id).not.toBe(first.id);
  });

  test('makes one batch with the same Idempotency-Key, and returns the same bytes', async () => {
    const headers = { 'Idempotency-Key': 'same-list' };
    const first = await sendCsv(api(), plain, { headers });
    const before = await countedAt(api());
    const again = await sendCsv(api(), piecesOf(plain, 7), { headers });
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await countedAt(api())).toEqual(before);
  });

  test('makes one batch for a form with another boundary, and for JSON', async () => {
    const sendFormAgain = () => {
      const form = new FormData();
      form.set('file', new File([plain], 'list.csv'));
      form.set('limit', '2');
      return sendForm(api(), form, '', { 'Idempotency-Key': 'same-form' });
    };
    const sendJsonAgain = () =>
      sendJson(api(), { rows: [{ company_domain: 'nike.com' }] }, { 'Idempotency-Key': 'same-json' });
    for (const send of [sendFormAgain, sendJsonAgain]) {
      const first = await send();
      const again = await send();
      expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
        201,
        first.text,
        'true',
      ]);
    }
  });

  test('returns the first response when the batch has changed since', async () => {
    const headers = { 'Idempotency-Key': 'moved-on' };
    const first = await sendCsv(api(), plain, { headers });
    const key = await api().createKey();
    await api().call('POST', `${path}/${batchOf(first).id}/cancel`, { key });
    expect((await sendCsv(api(), plain, { headers })).text).toBe(first.text);
  });

  test.each([
    ['another list', `${plain}IKEA,ikea.com,\n`, {}],
    ['another option', plain, { limit: '1' }],
    ['a dry run of it', plain, { dry_run: 'true' }],
  ])('returns 422 for the same Idempotency-Key with %s', async (what, body, options) => {
    const headers = { 'Idempotency-Key': `not-${what.replaceAll(' ', '-')}` };
    await sendCsv(api(), plain, { headers });
    const before = await countedAt(api());
    const answer = await sendCsv(api(), body, { headers, options });
    expect([answer.status, codesOf(answer)]).toEqual([422, ['idempotency_key_reused']]);
    expect(await countedAt(api())).toEqual(before);
  });

  test('releases the key when the file is rejected', async () => {
    const headers = { 'Idempotency-Key': 'mended' };
    expect((await sendCsv(api(), 'colour,size\nred,L\n', { headers })).status).toBe(400);
    expect((await sendCsv(api(), 'size,colour\nL,red\n', { headers })).status).toBe(400);
    const repaired = await sendCsv(api(), plain, { headers });
    expect([repaired.status, repaired.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('makes one batch for ten concurrent requests with one key, and returns 201 or 409', async () => {
    const before = await countedAt(api());
    const headers = { 'Idempotency-Key': 'at-once' };
    const key = await api().createKey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendCsv(api(), plain, { headers, key })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect((await countedAt(api()))['batches']).toBe((before['batches'] ?? 0) + 1);
    expect((await sendCsv(api(), plain, { headers, key })).text).toBe(made[0]?.text);
  });

  test('scopes keys to their account', async () => {
    await api().createAccount('neighbour', 10n);
    const headers = { 'Idempotency-Key': 'of-two' };
    const own = batchOf(await sendCsv(api(), plain, { headers }));
    const key = await api().createKey({ account: 'neighbour' });
    const other = await sendCsv(api(), plain, { headers, key });
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(batchOf(other).id).not.toBe(own.id);
  });

  test('returns 400 for a key with a blank or of 256 characters', async () => {
    for (const key of ['a b', 'x'.repeat(256)]) {
      expect((await sendCsv(api(), plain, { headers: { 'Idempotency-Key': key } })).status).toBe(400);
    }
  });

  test('leaves no uploads on disk, and every invariant holds', async () => {
    expect(folderOf(api())).toEqual([]);
    expect(await api().findings()).toEqual([]);
  });
});

interface BatchAnswer {
  readonly id: string;
  readonly file_name: string;
  readonly max_credits: number | null;
  readonly rows: { readonly total: number; readonly rejected: number };
  readonly lookups: Readonly<Record<string, number>>;
}

interface RowsAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly row: number;
    readonly line: number;
    readonly cells: readonly string[];
    readonly outcome: string;
    readonly reason: string | null;
  }[];
  readonly next: string | null;
}

interface CsvRequest {
  readonly key?: string;
  readonly options?: Readonly<Record<string, string>>;
  /** In place of options: the query as it is. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Body = string | Uint8Array | ReadableStream;

async function sendCsv(api: TestApi, body: Body, given: CsvRequest = {}): Promise<Answer> {
  const { options = {}, query = new URLSearchParams(options).toString(), headers = {} } = given;
  return api.call('POST', query === '' ? path : `${path}?${query}`, {
    key: given.key ?? (await api.createKey()),
    headers: { 'Content-Type': 'text/csv', ...headers },
    body,
  });
}

/** The form as a browser would send it. */
async function sendForm(
  api: TestApi,
  form: FormData,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const written = new Response(form);
  const type = { 'Content-Type': written.headers.get('content-type') ?? '' };
  const body = new Uint8Array(await written.arrayBuffer());
  return api.call('POST', `${path}${query}`, {
    key: await api.createKey(),
    headers: { ...type, ...headers },
    body,
    signal: AbortSignal.timeout(15_000),
  });
}

/** An object as JSON; text, bytes and streams as they are. */
async function sendJson(
  api: TestApi,
  json: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const isReady = typeof json === 'string' || json instanceof Uint8Array || json instanceof ReadableStream;
  return api.call('POST', path, {
    key: await api.createKey(),
    headers: { 'Content-Type': 'application/json', ...headers },
    body: isReady ? json : JSON.stringify(json),
  });
}

function batchOf(answer: Answer): BatchAnswer {
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json() as BatchAnswer;
}

function titlesOf(answer: Answer): readonly string[] {
  return (answer.json() as ProblemBody).errors.map(({ title }) => title);
}

/** Every row, page by page. */
async function readRows(api: TestApi, id: string): Promise<RowsAnswer> {
  const key = await api.createKey();
  const rows: RowsAnswer['rows'][number][] = [];
  for (let after = ''; ;) {
    const answer = await api.call('GET', `${path}/${id}/rows?limit=1000${after}`, { key });
    expect(answer.status).toBe(200);
    const page = answer.json() as RowsAnswer;
    rows.push(...page.rows);
    if (page.next === null) return { ...page, rows };
    after = `&after=${page.next}`;
  }
}

/** Stored rows by table, without the keys that these tests create. */
async function countedAt(api: TestApi): Promise<Readonly<Record<string, number>>> {
  return { ...(await api.countRows()), api_keys: 0 };
}

function folderOf(api: TestApi): readonly string[] {
  return readdirSync(join(api.app.config.home, 'input'));
}

/** Findings of `nightshift check`, in the API's form. */
async function checked(content: string, reading: ReadOptions): Promise<object> {
  const { form, rows, companies, addresses, rejected, warnings } = await checkCompanies(
    await readCompanies(streamOf(content), reading),
    contractPricesMicro,
  );
  const remarks = (all: typeof rejected) => all.map(({ lineNo, text }) => ({ line: lineNo, text }));
  const fields = Object.entries(form.fields).flatMap(([field, index]) =>
    index === null ? [] : [[field, form.header[index]] as const],
  );
  return {
    encoding: form.encoding,
    delimiter: form.delimiter,
    columns: form.header,
    fields: Object.fromEntries(fields),
    rows: {
      total: rows.total,
      rejected: rows.rejected,
      with_warnings: rows.withWarnings,
      duplicates: rows.duplicates,
    },
    operations: form.operations,
    companies,
    addresses,
    rejected: remarks(rejected),
    warnings: remarks(warnings),
    credits: { floor: 0, ceiling: (companies * 2) / 10 },
  };
}

function piecesOf(text: string, pieceBytes: number): ReadableStream {
  const bytes = Buffer.from(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + pieceBytes)));
      at += pieceBytes;
    },
  });
}

/** JSON rows of exactly so many bytes. */
function sized(bytes: number): string {
  const [head, tail] = ['{"rows":[{"company_domain":"nike.com","a":"', '"}]}'];
  const cells: string[] = [];
  // A cell of the list may not have all of them.
  const between = '","b":"';
  const room = bytes - head.length - tail.length - between.length;
  cells.push('x'.repeat(Math.floor(room / 2)), 'y'.repeat(Math.ceil(room / 2)));
  return `${head}${cells.join(between)}${tail}`;
}

function rawForm(boundary: string, isWhole: boolean): string {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  return `${head}${plain}${isWhole ? `\r\n--${boundary}--\r\n` : ''}`;
}

/** Sends the beginning of a list and cuts the connection. */
async function sendHalf(url: string, key: string): Promise<void> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'text/csv', 'Content-Length': '1000000' };
  const sending = openRequest(`${url}${path}`, { method: 'POST', headers });
  const closed = new Promise<void>((resolve) => {
    sending.on('close', resolve);
    sending.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => sending.write(plain.repeat(1000), () => resolve()));
  await new Promise((resolve) => setTimeout(resolve, 300));
  sending.destroy();
  await closed;
}
