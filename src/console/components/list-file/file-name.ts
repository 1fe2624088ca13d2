/** Extensions of the lists that a browser offers to choose. Older formats are offered, too: the server says how to convert them. */
export const listExtensions = [
  ...['csv', 'tsv', 'txt', 'xlsx', 'ods', 'parquet', 'ndjson', 'jsonl', 'json', 'gz', 'zip'],
  ...['xls', 'xlsb', 'numbers'],
] as const;

const extensions = new RegExp(`(\\.(?:${listExtensions.join('|')}))?(?:\\.(?:gz|zip))?$`, 'i');

/** Removes the extensions from the name of a list: `leads.csv.gz` gives `leads`. A name of extensions only is kept. */
export function baseName(fileName: string): string {
  const base = fileName.replace(extensions, '');
  return base === '' ? fileName : base;
}
