import fc from 'fast-check';

/** A body that is rarely valid. */
export interface BrokenBody {
  /** Description of the damage. */
  readonly form: string;
  readonly type: string | null;
  readonly body: Buffer;
}

const json = 'application/json';

/** Broken variants of valid bodies, accidental or malicious, and values that are not bodies. */
export function brokenBodies(valid: fc.Arbitrary<unknown>): fc.Arbitrary<BrokenBody> {
  const text = valid.map((value) => JSON.stringify(value));
  const bent = fc.oneof(
    bentFields(valid),
    fc.jsonValue(),
    valid.map((value) => [value]),
  );
  return fc.oneof(
    { arbitrary: bent.map((value) => of('bent', JSON.stringify(value))), weight: 5 },
    {
      arbitrary: fc
        .tuple(text, fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([whole, part]) => of('cut off', whole.slice(0, Math.floor(whole.length * part)))),
      weight: 2,
    },
    {
      arbitrary: fc
        .tuple(text, fc.constantFrom(...otherTypes))
        .map(([whole, type]) => of('type', whole, type)),
      weight: 2,
    },
    fc.constantFrom(...unusualTexts).map((odd) => of('odd text', odd)),
    deep,
    huge,
    fc
      .uint8Array({ maxLength: 300 })
      .map((bytes) => ({ form: 'bytes', type: json, body: Buffer.from(bytes) })),
    fc
      .tuple(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...otherTypes))
      .map(([bytes, type]) => ({ form: 'bytes and type', type, body: Buffer.from(bytes) })),
    text.map((whole) => ({ form: 'UTF-16', type: json, body: Buffer.from(whole, 'utf16le') })),
  );
}

function of(form: string, text: string, type: string | null = json): BrokenBody {
  return { form, type, body: Buffer.from(text) };
}

/** A body with one field removed, added, or replaced by a value of any type. */
function bentFields(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const names = fc.constantFrom(
    'extra',
    'dryRun',
    'limits',
    '__proto__',
    'constructor',
    'toString',
    '',
    '\0',
    'id',
  );
  return fc
    .tuple(valid, fc.nat(), fc.constantFrom('remove', 'replace', 'add'), names, fc.jsonValue({ maxDepth: 3 }))
    .map(([value, at, what, name, junk]) => {
      const fields = Object.entries(value ?? {});
      const place = fields.length === 0 ? 0 : at % fields.length;
      if (what === 'add') return ownFields([...fields, [name, junk]]);
      const [taken] = fields[place] ?? ['extra'];
      const rest = fields.filter((_, i) => i !== place);
      return ownFields(what === 'remove' ? rest : [...rest, [taken, junk]]);
    });
}

/** Makes `__proto__` an own field, too. */
function ownFields(fields: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(fields);
}

const otherTypes = [
  null,
  'text/plain',
  'text/csv',
  'text/csv; charset=utf-16',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'application/problem+json',
  'application',
  ';',
  'application/json, text/csv',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  `multipart/form-data; boundary=${'x'.repeat(500)}`,
];

const fields = ['company_domain', 'company_name', 'email', 'rows', 'name', 'max_credits', 'in_doubt'];

const unusualTexts = [
  '',
  ' ',
  'null',
  'true',
  '"text"',
  '0',
  'NaN',
  '[]',
  '{}',
  '[{}]',
  '{"a":1,}',
  "{'a':1}",
  '\ufeff{}',
  '{"__proto__":{"company_domain":"nike.com"}}',
  '{"constructor":{"prototype":{"x":1}}}',
  ...fields.flatMap((field) => [
    `{"${field}":1e999}`,
    `{"${field}":-0}`,
    `{"${field}":123456789012345678901234567890}`,
    `{"${field}":"\\u0000"}`,
    `{"${field}":"nike\\u0000.com"}`,
    `{"${field}":"\\ud800"}`,
    `{"${field}":"\\udfff.com"}`,
    `{"${field}":"\\x41"}`,
    `{"${field}":"first","${field}":"second"}`,
    `{"${field}":[{"company_domain":"nike.com"}],"limit":1e400}`,
    `{"${field}":[{"\\u0000":"\\u0000","\\ud800":"\\ud800"}]}`,
    `{"${field}":[{"__proto__":"nike.com"}]}`,
    `{"${field}":[{"company_domain":"nike.com"}],"source":[],"dry_run":true}`,
    `{"${field}":[{"company_domain":"nike.com"}],"source":["","\\u0000"],"file_name":"\\u0000"}`,
    `{"${field}":[{"company_domain":"nike.com"}],"map":{"__proto__":"company_domain"}}`,
  ]),
];

const deep = fc
  .record({
    depth: fc.constantFrom(10, 1000, 8000, 15_000),
    field: fc.constantFrom('', ...fields),
    braces: fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const),
  })
  .map(({ depth, field, braces: [open, close] }) => {
    const levels = Math.min(depth, Math.floor(60_000 / (open.length + close.length)));
    const nest = `${open.repeat(levels)}1${close.repeat(levels)}`;
    return of('deep', field === '' ? nest : `{"${field}":${nest}}`);
  });

const huge = fc
  .record({
    field: fc.constantFrom(...fields),
    length: fc.constantFrom(501, 5000, 60_000, 70_000),
    letter: fc.constantFrom('a', '.', '@', 'é', '﷽', '\ud83d\ude00', '\ud800'),
  })
  .map(({ field, length, letter }) =>
    of('huge', JSON.stringify({ [field]: letter.repeat(length / letter.length) })),
  );
