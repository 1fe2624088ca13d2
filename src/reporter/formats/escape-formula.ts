/**
 * Matches cells that a spreadsheet may run: after any number of quotes and of characters that it skips (white space including
 * NBSP, control characters including NUL, invisible ones including the BOM), one of `= + - @`, tab, CR, LF or a full-width
 * `＝＋－＠`.
 */
const trigger = /^'*[\p{Z}\p{Cc}\p{Cf}]*[=+\-@\t\r\n＝＋－＠]/u;

/** Matches a plain decimal number. */
const plainNumber = /^[+-]\d+(?:\.\d+)?$/;

/**
 * Makes a cell harmless for spreadsheets: text that they would run as a formula gets a single quote in front.
 *
 * The triggers are those of OWASP ("CSV Injection", with the line feed of 2025) and ASVS 5 §1.2.10. Checking behind the
 * characters that spreadsheets skip is our choice, because a leading space, BOM or NUL passes a check of the first character
 * alone. Also our choice: a plain decimal number (`-12.5`, `+3`) is not changed, because it cannot run. `-`, `+49 30 12` and
 * `-1e5` are not such numbers. A cell with quotes before a trigger gets one more, so that `unescapeFormula` restores every cell exactly.
 *
 * Limit: this protects the cells of the file. A spreadsheet that splits lines at a character other than the comma gets other
 * cells.
 */
export function escapeFormula(text: string): string {
  return mayRun(text) ? `'${text}` : text;
}

/**
 * The inverse of `escapeFormula`: removes one quote from a cell that consists of a quote and a text that `escapeFormula` would have quoted.
 *
 * `unescapeFormula(escapeFormula(x)) === x` for every text. Other text may lose a quote too (`'=1`).
 */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && mayRun(text.slice(1)) ? text.slice(1) : text;
}

/** True when a spreadsheet would run the text as a formula, typed or parsed from a CSV. */
export function mayRun(text: string): boolean {
  return !startsPlainly(text) && trigger.test(text) && !plainNumber.test(text);
}

/** Fast path for nearly every cell: a leading ASCII digit or letter, or no character at all, rules a formula out. */
function startsPlainly(text: string): boolean {
  if (text === '') return true;
  const first = text.charCodeAt(0);
  return (first > 0x40 && first < 0x7f) || (first >= 0x30 && first <= 0x39);
}
