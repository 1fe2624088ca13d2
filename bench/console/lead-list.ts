import { leadAddresses } from '../data/lead-addresses.ts';
import { listHeader, listRows, type ListOptions } from '../data/company-list.ts';
import { writeLines } from '../data/write-lines.ts';

/** Companies that the addresses of a list are spread over. */
const addressCompanies = 2000;

/** Writes a list of companies with a person to write to beside each: so it is looked up for ads and for mail. */
export async function writeLeadList(options: ListOptions, path: string): Promise<number> {
  const addresses = leadAddresses({
    seed: options.seed,
    count: options.companies * 2,
    companies: addressCompanies,
    firstCompany: 0,
  });
  let rows = 0;
  await writeLines(path, lines());
  return rows;

  function* lines(): Generator<string> {
    yield [...listHeader, 'email'].join(',');
    for (const { cells } of listRows(options)) {
      yield [...cells, addresses[rows] ?? ''].map(field).join(',');
      rows += 1;
    }
  }
}

function field(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
