/** Number of companies that are drawn without a choice. */
const usualCount = 5;

/** Returns the companies of a choice in the URL; the first ones if it names none of them. */
export function chooseCompanies(choice: string, names: readonly string[]): readonly string[] {
  const written = new Set(choice.split(','));
  const chosen = names.filter((name) => written.has(escapeComma(name)));
  return chosen.length === 0 ? names.slice(0, usualCount) : chosen;
}

/** Formats a choice for the URL, in the order of `names`; empty for the usual choice. */
export function formatChoice(chosen: readonly string[], names: readonly string[]): string {
  const ordered = names.filter((name) => chosen.includes(name));
  const isUsual = ordered.join('\n') === names.slice(0, usualCount).join('\n');
  return isUsual ? '' : ordered.map(escapeComma).join(',');
}

function escapeComma(name: string): string {
  return name.replaceAll(/[%,]/g, encodeURIComponent);
}
