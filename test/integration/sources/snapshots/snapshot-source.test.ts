import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../support/db/database.ts';
import { candidatesMax } from '../../../../src/core/sources/snapshot-store.ts';
import {
  answersFor,
  ask,
  company,
  loadCreatives,
  mapCompany,
  type Creative,
} from '../../../support/sources/snapshots.ts';

/** Loads one ad for each named advertiser, numbered from 1, and queries companies. */
async function fixture(...names: readonly (string | Pick<Creative, 'name' | 'legal' | 'location'>)[]) {
  const database = await openTestDatabase();
  const creatives = names.map((name, i): Creative => {
    const given = typeof name === 'string' ? { name } : name;
    return { advertiser: i + 1, creative: i + 1, ...given };
  });
  const { snapshotId } = await loadCreatives(database, creatives);
  const asked = async (input: { domain?: string; name?: string }) =>
    (await ask(database, snapshotId, [company(input)]))[0];
  /** Names of the advertisers that may belong to the company. */
  const uncertain = async (input: { domain?: string; name?: string }) => {
    const [answer = null] = await answersFor(database, snapshotId, [company(input)]);
    const candidates = answer !== null && 'candidates' in answer ? answer.candidates : undefined;
    return candidates?.map(({ name }) => name);
  };
  return { database, snapshotId, asked, uncertain };
}

describe('match by name', () => {
  test('ignores case and legal form', async () => {
    const { asked } = await fixture('NIKE, Inc.', 'Nikey');
    expect(await asked({ name: 'Nike' })).toBe('name 1');
    expect(await asked({ name: 'NIKE INC' })).toBe('name 1');
  });

  test('covers the disclosed and the legal name of an advertiser', async () => {
    const { asked } = await fixture(
      { name: 'Ryanair DAC', legal: 'Ryanair Holdings Europe Ltd' },
      { name: null, legal: 'Zalando SE', location: 'DE' },
    );
    expect(await asked({ name: 'Ryanair' })).toBe('name 1');
    expect(await asked({ name: 'Ryanair Holdings Europe' })).toBe('name 1');
    expect(await asked({ name: 'Zalando' })).toBe('name 2');
  });

  test('includes all advertisers of the name', async () => {
    const { asked, uncertain } = await fixture('Nike, Inc.', 'Puma SE', 'Nike GmbH', {
      name: 'Swoosh',
      legal: 'Nike B.V.',
      location: 'NL',
    });
    expect(await asked({ name: 'Nike' })).toBe('name 1 3 4');
    expect(await uncertain({ name: 'Nike' })).toEqual([]);
  });

  test('excludes similar names', async () => {
    const { asked } = await fixture('Nikey Inc', 'Jan Nikel', 'The Nik');
    expect(await asked({ name: 'Nike' })).toBe('no_match');
    expect(await asked({ domain: 'nike.com', name: 'Nike' })).toBe('no_match');
  });

  test('accepts umlauts as such, transcribed or without dots on both sides', async () => {
    const { asked } = await fixture('Müller & Söhne GmbH', 'Jaegermeister SE');
    expect(await asked({ name: 'Müller & Söhne' })).toBe('name 1');
    expect(await asked({ name: 'MUELLER & SOEHNE GMBH' })).toBe('name 1');
    expect(await asked({ name: 'Muller and Sohne' })).toBe('name 1');
    expect(await asked({ name: 'Jägermeister' })).toBe('name 2');
  });

  test('follows the domain before the name', async () => {
    const { asked } = await fixture('PUMA SE', 'Nike, Inc.', 'Nike Retail BV');
    expect(await asked({ domain: 'nike.com', name: 'PUMA SE' })).toBe('domain_label 2 3');
    expect(await asked({ domain: 'nike.com', name: 'Nike Retail BV' })).toBe('domain_label 2 3');
    expect(await asked({ domain: 'unheard-of.com', name: 'PUMA SE' })).toBe('no_match');
  });

  test('uses the name if the label is in no name, and the name fits the domain', async () => {
    const { asked } = await fixture(
      'Robert Bosch GmbH',
      'Zalando Payments GmbH',
      'International Business Machines Inc',
    );
    expect(await asked({ domain: 'bosch.de', name: 'Robert Bosch' })).toBe('domain_label 1');
    expect(await asked({ domain: 'getzalando-group.io', name: 'Zalando Payments' })).toBe('no_match');
    expect(await asked({ domain: 'ibm.com', name: 'International Business Machines' })).toBe('name 3');
  });

  test('ignores an advertiser whose name is longer than the maximum of a company', async () => {
    const { database, asked } = await fixture('x'.repeat(5_000), 'Nike');
    expect(await asked({ name: 'x'.repeat(500) })).toBe('no_match');
    const stored = await database.owner.sql.execute(
      sql`SELECT length(disclosed_name) AS n FROM nightshift.advertisers ORDER BY 1 DESC`,
    );
    expect(stored.rows[0]).toEqual({ n: 5_000 });
  });
});

describe('match by domain label', () => {
  test('compares it with the name without spaces and punctuation', async () => {
    const { asked } = await fixture('The Coca-Cola Company', { name: 'C&A', legal: 'Marks and Spencer plc' });
    expect(await asked({ domain: 'coca-cola.com' })).toBe('domain_label 1');
    expect(await asked({ domain: 'www.cocacola.co.uk' })).toBe('domain_label 1');
    expect(await asked({ domain: 'marksandspencer.com' })).toBe('domain_label 2');
    expect(await asked({ domain: 'shop.example.com' })).toBe('no_match');
  });

  test('finds the subsidiaries of a company, and no namesake', async () => {
    const { asked, uncertain } = await fixture(
      'Nike, Inc.',
      { name: 'Nike Retail BV', location: 'NL' },
      { name: 'NIKE SRL', location: 'IT' },
      { name: 'Nike Deutschland GmbH', location: 'DE' },
      { name: '유한회사 나이키코리아', location: 'KR' },
      { name: 'nikey', location: 'BG' },
      { name: 'Jan Nikel', location: 'CZ' },
    );
    expect(await asked({ domain: 'nike.com' })).toBe('domain_label 1 2 4 5');
    expect(await asked({ name: 'Nike' })).toBe('name 1 2 4 5');
    expect(await uncertain({ domain: 'nike.com' })).toEqual(['NIKE SRL']);
  });

  test('finds the label in the beginning of a name of more words', async () => {
    const { asked } = await fixture(
      'Coca Cola HBC Hellas',
      'Cola Coca',
      'Googleireland Ltd',
      'Gruppo Zalando S.p.A.',
    );
    expect(await asked({ domain: 'cocacola.com' })).toMatch(/^(domain_label 1|no_match)$/);
    expect(await asked({ domain: 'google.com' })).toBe('domain_label 3');
    expect(await asked({ domain: 'zalando.com' })).toBe('domain_label 4');
  });

  test('leaves advertisers of a common name to a person', async () => {
    const { asked, uncertain } = await fixture('Apex Ltd', { name: 'Apex GmbH', location: 'DE' });
    expect(await asked({ domain: 'apex.com' })).toBe('no_match');
    expect(await uncertain({ domain: 'apex.com' })).toEqual(['Apex Ltd', 'Apex GmbH']);
  });

  test('of too many advertisers evaluates only those of the whole name', async () => {
    const branches = Array.from({ length: candidatesMax }, (_, i) => `Zalando Vorq${suffixOf(i)} GmbH`);
    const { database, snapshotId } = await fixture('Zalando SE', ...branches);
    const [answer] = await answersFor(database, snapshotId, [company({ domain: 'zalando.com' })]);
    expect(answer).toMatchObject({ kind: 'stored', advertisers: [{ relation: 'own' }], isBounded: true });
    expect(answer?.kind === 'stored' && answer.advertisers).toHaveLength(1);
  });

  test('counts both names of an advertiser as one', async () => {
    const { asked } = await fixture({ name: 'Air France', legal: 'Airfrance SA' });
    expect(await asked({ domain: 'airfrance.fr' })).toBe('domain_label 1');
  });

  test('decodes an international domain, with transcribed umlauts', async () => {
    const { asked } = await fixture({ name: 'Jägermeister SE', location: 'DE' });
    expect(await asked({ domain: 'jägermeister.de' })).toBe('domain_label 1');
    expect(await asked({ domain: 'xn--jgermeister-l8a.de' })).toBe('domain_label 1');
    expect(await asked({ domain: 'jaegermeister.de' })).toBe('domain_label 1');
  });

  test('takes the label below a private suffix', async () => {
    const { asked } = await fixture('GitHub, Inc.', 'Acme Corp');
    expect(await asked({ domain: 'acme.github.io' })).toBe('domain_label 2');
    expect(await asked({ domain: 'github.io' })).toBe('domain_label 1');
  });
});

describe('match by mapping', () => {
  test('comes first, with agencies', async () => {
    const { database, asked } = await fixture('Nike, Inc.', 'Big Agency', 'Swoosh Media');
    await mapCompany(database, { key: 'd:nike.com', advertiser: 2, role: 'agency' });
    await mapCompany(database, { key: 'd:nike.com', advertiser: 3, role: 'allow' });
    expect(await asked({ domain: 'nike.com', name: 'Nike' })).toBe('mapping 2 3');
    expect(await asked({ name: 'Nike' })).toBe('name 1');
  });

  test('to advertisers without ads returns none', async () => {
    const { database, asked } = await fixture('Nike, Inc.');
    await mapCompany(database, { key: 'd:nike.com', advertiser: 99, role: 'allow' });
    expect(await asked({ domain: 'nike.com', name: 'Nike' })).toBe('none');
  });

  test('to advertisers of another platform only is ignored', async () => {
    const { database, asked } = await fixture('Nike, Inc.');
    for (const key of ['d:nike.com', 'n:nike', 'n:acme'])
      await mapCompany(database, { key, advertiser: 'meta:153080620724', role: 'allow' });
    expect(await asked({ domain: 'nike.com' })).toBe('domain_label 1');
    expect(await asked({ name: 'Nike' })).toBe('name 1');
    expect(await asked({ name: 'Acme' })).toBe('no_match');
  });

  test('to several advertisers ignores those without ads', async () => {
    const { database, asked } = await fixture('Nike, Inc.', 'Swoosh Media');
    await mapCompany(database, { key: 'n:nike', advertiser: 99, role: 'allow' });
    await mapCompany(database, { key: 'n:nike', advertiser: 2, role: 'allow' });
    expect(await asked({ name: 'Nike' })).toBe('mapping 2');
  });

  test('excludes a denied advertiser by name and label, and accepts an uncertain one', async () => {
    const { database, asked, uncertain } = await fixture('Zalando SE', 'Zalando Payments GmbH', 'Summit Ltd');
    await mapCompany(database, { key: 'n:zalando', advertiser: 1, role: 'deny' });
    expect(await asked({ name: 'Zalando' })).toBe('name 2');
    await mapCompany(database, { key: 'd:zalando.com', advertiser: 2, role: 'deny' });
    expect(await asked({ domain: 'zalando.com' })).toBe('domain_label 1');
    expect(await uncertain({ domain: 'summit.com' })).toEqual(['Summit Ltd']);
    await mapCompany(database, { key: 'd:summit.com', advertiser: 3, role: 'deny' });
    expect(await asked({ domain: 'summit.com', name: 'Summit' })).toBe('no_match');
    expect(await uncertain({ domain: 'summit.com' })).toBeUndefined();
    await mapCompany(database, { key: 'n:summit', advertiser: 3, role: 'allow' });
    expect(await asked({ name: 'Summit' })).toBe('mapping 3');
  });

  test('ignores the mapping of another account', async () => {
    const { database, asked } = await fixture('Nike, Inc.', 'Big Agency');
    await database.owner.sql.execute(
      sql`INSERT INTO nightshift.company_advertisers (account_id, company_key, advertiser_id, role)
        SELECT 4711, 'n:nike', 'google:' || advertiser_id, 'deny' FROM nightshift.advertisers WHERE disclosed_name = 'Nike, Inc.'`,
    );
    expect(await asked({ name: 'Nike' })).toBe('name 1');
  });
});

describe('chunk in the snapshot source', () => {
  test('of 500 companies is answered in order with three statements', async () => {
    const database = await openTestDatabase();
    const creatives = Array.from({ length: 400 }, (_, i) => ({
      advertiser: i + 1,
      creative: i,
      name: `${inventedName(i)} Inc`,
    }));
    const { snapshotId } = await loadCreatives(database, creatives);
    const companies = Array.from({ length: 500 }, (_, i) =>
      company(i % 2 === 0 ? { name: inventedName(i) } : { domain: `${inventedName(i)}.com` }),
    );
    let statements = 0;
    database.app.pool.on('acquire', () => (statements += 1));
    const answers = await ask(database, snapshotId, companies);
    expect(statements).toBe(3);
    expect(answers).toEqual(companies.map((_, i) => expected(i)));

    function expected(i: number): string {
      if (i >= 400) return 'no_match';
      return i % 2 === 0 ? `name ${i + 1}` : `domain_label ${i + 1}`;
    }
  });

  test('with the same company twice is answered twice', async () => {
    const { database, snapshotId } = await fixture('Nike, Inc.');
    const nike = company({ name: 'Nike' });
    expect(await ask(database, snapshotId, [nike, company({ name: 'Nobody' }), nike])).toEqual([
      'name 1',
      'no_match',
      'name 1',
    ]);
  });

  test('that was cancelled is not answered', async () => {
    const { database, snapshotId } = await fixture('Nike, Inc.');
    const asking = ask(database, snapshotId, [company({ name: 'Nike' })], AbortSignal.abort());
    await expect(asking).rejects.toThrow(/abort/i);
  });
});

test('the other data set is not searched', async () => {
  const { database, snapshotId } = await fixture('Nike, Inc.');
  expect(await ask(database, snapshotId + 1, [company({ name: 'Nike' })])).toEqual(['no_match']);
});

/** Three letters for each number, which are no word. */
function suffixOf(n: number): string {
  return [n % 20, Math.trunc(n / 20) % 20, Math.trunc(n / 400)]
    .map((at) => 'bcdfghjklmnpqrstvwxz'.charAt(at))
    .join('');
}

/** A name of one word that no one else has. */
function inventedName(n: number): string {
  return `Vorqu${suffixOf(n)}ax`;
}
