/**
 * Returns a number as Excel shows it in a wide cell: 15 significant digits, without an exponent below 10^21.
 *
 * Files have the 17 digits of the binary number (`1.2300000000000001`). Text that is not a number is returned as it is.
 */
export function numberText(text: string): string {
  // Short numbers have no digits to round, and are almost all.
  if (text.length <= 15 && String(Number(text)) === text)
    return text.includes('e-') ? withoutExponent(text) : text;
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) return text;
  const value = Number(Number(text).toPrecision(15));
  if (!Number.isFinite(value)) return text;
  if (value === 0) return '0';
  const plain = String(value);
  return plain.includes('e-') ? withoutExponent(plain) : plain;
}

/** Writes `1.5e-7` as `0.00000015`. Very small numbers keep their exponent. */
function withoutExponent(text: string): string {
  const [digits = '', exponent = '0'] = text.split('e-');
  const places = Number(exponent);
  if (places > 20) return text;
  const sign = digits.startsWith('-') ? '-' : '';
  return `${sign}0.${'0'.repeat(places - 1)}${digits.replace(/[-.]/g, '')}`;
}
