/** Creates a CSV file of entered companies, one per line: text with a dot and no space is a website, everything else a name. */
export function createPastedRows(text: string): File {
  const lines = text.split('\n').map((line) => line.trim());
  const rows = lines
    .filter((line) => line !== '')
    .map((line) => (isDomain(line) ? `${quoted(line)},` : `,${quoted(line)}`));
  return new File([`company_domain,company_name\n${rows.join('\n')}\n`], 'companies.csv', {
    type: 'text/csv',
  });
}

function isDomain(line: string): boolean {
  return /^\S+\.\S+$/.test(line);
}

/** Quotes a cell of a CSV file. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
