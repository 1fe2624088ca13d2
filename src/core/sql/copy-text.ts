/** Formats a text or null as a field of a line of `COPY`, in Postgres' text format. */
export function copyText(value: string | null): string {
  if (value === null) return '\\N';
  return special.test(value) ? value.replace(specials, escape) : value;
}

function escape(character: string): string {
  return escapes[character] ?? character;
}

const special = /[\\\t\n\r]/;
const specials = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
