import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactName, germanName, normaliseName } from '../../../../../src/core/companies/company-name.ts';
import { legalForms } from '../../../../../src/core/companies/legal-forms.ts';
import { randomRuns } from '../../../../support/faults/random-runs.ts';

const named: readonly (readonly [name: string, normalised: string])[] = [
  ['Nike, Inc.', 'nike'],
  ['NIKE', 'nike'],
  ['Nike™', 'nike'],
  ['Ni\u00adke\u200b', 'nike'],
  ['Ｎｉｋｅ', 'nike'],
  ['Nestlé Sàrl', 'nestle'],
  ['NESTLE\u0301 S.à r.l.', 'nestle'],
  ['Robert Bosch GmbH & Co. KG', 'robert bosch'],
  ['A.P. Møller – Mærsk A/S', 'ap moller maersk'],
  ['株式会社ソニー', 'ソニー'],
  ['ソニー株式会社', 'ソニー'],
  ['㈱ソニー', 'ソニー'],
  ['ガス株式会社', 'ガス'],
  ['삼성전자(주)', '삼성전자'],
  ['주식회사 카카오', '카카오'],
  ['北京百度网讯科技有限公司', '北京百度网讯科技'],
  ['台灣積體電路製造股份有限公司', '台灣積體電路製造'],
  ['บริษัท ปตท. จำกัด (มหาชน)', 'ปตท'],
  ['ООО Яндекс', 'яндекс'],
  ['ООО «Яндекс»', 'яндекс'],
  ['Telefónica, S.A.', 'telefonica'],
  ['Telefonica S. A.', 'telefonica'],
  ['Yahoo! Inc.', 'yahoo'],
  ['AT&T Inc.', 'at and t'],
  ['3M Company', '3m'],
  ['Allegro Sp. z o.o.', 'allegro'],
  ['Allegro sp. z o. o. sp. k.', 'allegro'],
  ['Alphabet Inc. (Class A)', 'alphabet'],
  ['Fox Corporation (Class B)', 'fox'],
  ['News Corp (class b)', 'news'],
  ['The Walt Disney Company', 'walt disney'],
  ['Walt Disney Company (The)', 'walt disney'],
  ['Home Depot, The', 'home depot'],
  ['Deere & Company', 'deere'],
  ['Tiffany & Co.', 'tiffany'],
  ['Best Buy Co., Inc.', 'best buy'],
  ['J.M. Smucker Company (The)', 'jm smucker'],
  ['A. O. Smith', 'ao smith'],
  ['A.O. Smith Corp', 'ao smith'],
  ['O’Reilly Automotive', 'oreilly automotive'],
  ["McDonald's Corporation", 'mcdonalds'],
  ['Amazon.com, Inc.', 'amazon com'],
  ['Volvo AB (publ)', 'volvo'],
  ['Anheuser-Busch InBev SA/NV', 'anheuser busch inbev'],
  ['Petróleo Brasileiro S/A', 'petroleo brasileiro'],
  ['América Móvil, S.A.B. de C.V.', 'america movil'],
  ['PT Telkom Indonesia (Persero) Tbk', 'telkom indonesia'],
  ['LTD. ŞTİ. Örnek Ltd. Şti.', 'ltd sti ornek'],
  ['Weiß & Söhne e.K.', 'weiss and sohne'],
  ['Disney+', 'disney plus'],
  ['Société Générale S.A.', 'societe generale'],
];

describe('normaliseName', () => {
  test.each(named)('normalises %s to %s', (name, normalised) => {
    expect(normaliseName(name)).toBe(normalised);
  });

  test.each([
    ['AS Roma', 'as roma'],
    ['SC Johnson', 'sc johnson'],
    ['AB Tasty', 'ab tasty'],
    ['AO Smith', 'ao smith'],
    ['CV-Library', 'cv library'],
    ['SE Ranking', 'se ranking'],
    ['Spa Francorchamps', 'spa francorchamps'],
    ['Co-op Bank', 'co op bank'],
    ['SAS Institute', 'sas institute'],
    ['CBRE Group', 'cbre group'],
    ['Packaging Corporation of America', 'packaging corporation of america'],
    ['San Diego Zoo', 'san diego zoo'],
    ['Kiss Me', 'kiss me'],
  ])('keeps the letters of a legal form that are part of the name: %s', (name, normalised) => {
    expect(normaliseName(name)).toBe(normalised);
  });

  test.each([
    ['X Inc', 'x inc'],
    ['Inc.', 'inc'],
    ['The Co', 'the'],
    ['The The', 'the'],
    ['The X Company', 'the x'],
    ['Company Limited', 'company'],
  ])('skips a step that would leave at most one character: %s', (name, normalised) => {
    expect(normaliseName(name)).toBe(normalised);
  });

  test.each(['', '   ', '!!!', '™', '🙂', '\ud800'])(
    'returns an empty text for a text without letters or digits: %j',
    (text) => {
      expect(normaliseName(text)).toBe('');
    },
  );

  test('is idempotent for names of real parts', () => {
    fc.assert(fc.property(realisticName(), expectIdempotent), { numRuns: randomRuns(15_000) });
  });

  test('is idempotent for any text and never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), expectIdempotent), { numRuns: randomRuns(15_000) });
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), expectIdempotent), { numRuns: randomRuns(5_000) });
    fc.assert(fc.property(brokenText(), expectIdempotent), { numRuns: randomRuns(5_000) });
  });

  test('is idempotent for every character', () => {
    for (let code = 1; code < 0x30000; code += 1) {
      const name = `a${String.fromCodePoint(code)} inc`;
      if (normaliseName(normaliseName(name)) !== normaliseName(name)) expect.fail(`U+${code.toString(16)}`);
    }
  });

  test('ignores case, outer blanks and a final full stop', () => {
    fc.assert(
      fc.property(fc.constantFrom(...named.map(([name]) => name)), (name) => {
        expect(normaliseName(`  ${name.toUpperCase()}. `)).toBe(normaliseName(name.toUpperCase()));
      }),
    );
  });
});

describe('germanName', () => {
  test.each([
    ['Müller GmbH', 'mueller'],
    ['Mu\u0308ller GmbH', 'mueller'],
    ['KÖNIG & Söhne', 'koenig and soehne'],
    ['Überland UG (haftungsbeschränkt)', 'ueberland'],
  ])('returns the spelling of %s without umlauts: %s', (name, german) => {
    expect(germanName(name)).toBe(german);
  });

  test.each(['Nike, Inc.', 'Weiß GmbH', 'Nestlé', ''])(
    'returns null for a name without umlauts: %j',
    (name) => {
      expect(germanName(name)).toBeNull();
    },
  );
});

describe('compactName', () => {
  test.each([
    ['Coca-Cola Company (The)', 'cocacola'],
    ['coca-cola', 'cocacola'],
    ['The Home Depot, Inc.', 'homedepot'],
    ['homedepot', 'homedepot'],
    ['münchen', 'munchen'],
  ])('returns the label of %s: %s', (name, compact) => {
    expect(compactName(name)).toBe(compact);
  });
});

function expectIdempotent(name: string): void {
  const once = normaliseName(name);
  expect(normaliseName(once)).toBe(once);
}

function realisticName(): fc.Arbitrary<string> {
  const forms = legalForms.flatMap((form) => form.spellings);
  const words = [
    'Nike',
    'The',
    'Møller',
    'Müller',
    'A.',
    'O.',
    'X',
    '&',
    '+',
    'and',
    'de',
    '株式会社',
    'ソニー',
    '(The)',
    '3M',
    "L'",
  ];
  const parts = fc.array(fc.oneof(fc.constantFrom(...forms), fc.constantFrom(...words)), { maxLength: 7 });
  return fc
    .tuple(parts, fc.constantFrom(' ', ', ', '', '-', '. ', '/'))
    .map(([each, between]) => each.join(between));
}

/** Texts with lone surrogates, combining marks and conjoining letters in unusual places. */
function brokenText(): fc.Arbitrary<string> {
  const units = [
    '\ud800',
    '\udc00',
    '\u0301',
    '\u3099',
    'か',
    '\u1100',
    '\u1161',
    '.',
    "'",
    '\u00ad',
    'İ',
    'ẞ',
    'ﷺ',
    'A',
    ' ',
  ];
  return fc.array(fc.constantFrom(...units), { maxLength: 12 }).map((each) => each.join(''));
}
