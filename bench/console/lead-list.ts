import { leadAddresses } from '../data/lead-addresses.ts';
import { listHeader, listRows, type ListOptions, type ListRow } from '../data/company-list.ts';
import { randomAt } from '../data/random.ts';
import { writeLines } from '../data/write-lines.ts';

/** Number of companies over which the addresses of a batch are spread. */
const addressCompanies = 2000;
/** Share of the rows with a company and no address. */
const withoutAddress = 0.2;

/**
 * Writes a file of companies, most of them with a contact person, for lookups of ads and e-mail addresses. Returns the number
 * of rows.
 */
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
    for (const row of listRows(options)) {
      yield [...row.cells, addressOf(row)].map(field).join(',');
      rows += 1;
    }
  }

  function addressOf({ company }: ListRow): string {
    if (company === -1 || randomAt(options.seed + 11, rows) < withoutAddress) return '';
    return addresses[rows] ?? '';
  }
}

function field(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
