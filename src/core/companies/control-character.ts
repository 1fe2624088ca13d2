/** Control characters and lone surrogates: Postgres text cannot hold them (NUL, broken UTF-16), or people cannot see them. */
const unwanted = /[\p{Cc}\p{Cs}]/u;

/** Most texts have no other characters than these, which are tested twice as fast. */
const unusual = /[^\x20-\x7e]/;

/** True when the text holds a control character (NUL, newline and tab included) or half of a surrogate pair. */
export function hasControlCharacter(text: string): boolean {
  return unusual.test(text) && unwanted.test(text);
}
