import fc from 'fast-check';

/** What spreadsheets skip at the start of a cell, written out: not taken from the code under test. */
const skipped = [
  ...' \u00a0\u0000\u0001\u001f\u007f\u0085\u009f\u00ad\u1680\u2003\u200b\u2028\u2060\u3000\ufeff',
] as const;

/** What makes a cell run. */
const triggers = [...'=+-@\t\r\n＝＋－＠'] as const;

/** Whether a spreadsheet could take the text for a formula: the rule, read character by character. */
export function couldRun(text: string): boolean {
  for (const character of text) {
    if (triggers.some((trigger) => trigger === character)) return true;
    if (!skipped.some((other) => other === character)) return false;
  }
  return false;
}

/** Cells made mostly of what breaks CSV, spreadsheets and readers. */
export const nastyCell: fc.Arbitrary<string> = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...skipped, ...triggers, "'", '"', ',', ';', '\\', 'a', '1', '.', 'é', '😀'),
    maxLength: 8,
  }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.double({ noNaN: true }).map(String),
  fc.constantFrom('', ' ', '""', "'", "'=", "''=1", '-12.5', '+3', '-', '=1+1', '__proto__', 'a\r\nb'),
);
