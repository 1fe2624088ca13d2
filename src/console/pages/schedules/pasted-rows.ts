/**
 * Companies as they are typed in, one a line, as a list like any other: what has a dot and no blank is a website, everything else a name.
 */
export function makeList(typed: string): File {
  const lines = typed.split('\n').map((line) => line.trim());
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

/** As a cell of a CSV. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
