import { expect, test } from 'vitest';
import { checkCompanies } from '../../../../src/producer/check-companies.ts';
import type { CompanyCheck } from '../../../../src/producer/check-companies.ts';
import { readCompanies } from '../../../../src/producer/read-companies.ts';
import { contractPricesMicro } from '../../../support/contract-prices.ts';
import { streamOf } from '../../../support/company-files.ts';

async function check(content: string): Promise<CompanyCheck> {
  const file = await readCompanies(streamOf(content), { fileName: 'list.csv' });
  return checkCompanies(file, contractPricesMicro);
}

test('every row is a distinct company, a duplicate, or rejected with line and reason', async () => {
  const summary = await check(
    [
      'company,website',
      'Nike,https://www.nike.com/de',
      'Nike Inc,NIKE.com',
      '"Ac\nme",',
      'Beta,beta.com,extra',
      ',',
      'Gamma,not a domain',
      'Gamma,',
    ].join('\n'),
  );
  expect(summary.rows).toEqual({ total: 7, rejected: 2, withWarnings: 1, duplicates: 2 });
  expect(summary.companies).toBe(3);
  expect(summary.rejected.map((row) => [row.rowNo, row.lineNo])).toEqual([
    [4, 6],
    [5, 7],
  ]);
  expect(summary.rejected[0]?.text).toBe('too many fields: 3 fields instead of 2');
  expect(summary.warnings).toMatchObject([{ rowNo: 6, lineNo: 8 }]);
  expect(summary.form.fields).toEqual({ company_domain: 1, company_name: 0, email: null });
});

test('the cost lies between nothing and the price of every distinct company', async () => {
  const summary = await check('domain\na.com\nb.com\na.com\nc.com\n');
  expect(summary.costMicro).toEqual({ floor: 0n, ceiling: 600_000n });
});

test('rejected rows are all counted by reason, and the first 100 are named', async () => {
  const bad = Array.from({ length: 150 }, (_, index) => `x${index}.nosuchending,1\n`).join('');
  const summary = await check(`domain,x\n${bad}a.com,b,c\n`);
  expect(summary.rows).toMatchObject({ total: 151, rejected: 151 });
  expect(summary.rejected).toHaveLength(100);
  expect(summary.rejected[0]?.text).toContain('.nosuchending');
  expect(summary.rejectedByReason.map(({ rows }) => rows)).toEqual([150, 1]);
  expect(summary.rejectedByReason[1]?.text).toBe('too many fields');
});

test('reasons that differ only in what the row holds are counted together', async () => {
  const summary = await check('domain\na.qqqa\na.qqqb\na.qqqc\n');
  expect(summary.rejectedByReason).toHaveLength(1);
  expect(summary.rejectedByReason[0]).toMatchObject({ rows: 3 });
});

test('pages on hosts that many share are told: rejected alone, a warning beside a name', async () => {
  const pages = ['facebook.com/acme,', 'https://www.instagram.com/acme/,', 'linkedin.com/company/acme,Acme'];
  const summary = await check(`website,company\n${pages.join('\n')}\nfacebook.com,\n`);
  expect(summary).toMatchObject({
    rows: { total: 4, rejected: 2, withWarnings: 1, duplicates: 0 },
    rejectedByReason: [{ text: 'a page on …, which many share', rows: 2 }],
    warnings: [{ text: 'a page on "linkedin.com", which many share; searched by the name' }],
    companies: 2,
  });
});

test('a file that breaks off in a quote is not checked but refused', async () => {
  await expect(check('domain\na.com\n"b.com\n')).rejects.toThrow('list.csv, line 3');
});
