/**
 * Replaces the escapes `_xHHHH_` that Excel writes for characters that XML does not allow (ECMA-376 part 1, §22.9.2.19). `_x005F_` is the
 * underscore of a text that looks like an escape.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
