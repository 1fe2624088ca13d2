/** Words of the codes that are written in capitals. */
const acronyms: ReadonlySet<string> = new Set(['mx', 'dns', 'spf', 'tls', 'idna', 'smtputf8']);

/** Formats the code of a reason as a short label: `domain_not_found` becomes "Domain not found". */
export function reasonLabel(code: string): string {
  const label = code
    .split('_')
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}
