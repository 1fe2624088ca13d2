/** A company with other names, brands and parts, and what is known to be none of them. */
export interface Family {
  /** ISO 3166-1 code. */
  readonly country: string;
  /** Names of the company itself, the usual one first. */
  readonly names: readonly string[];
  /** Names of its brands and subsidiaries. */
  readonly brands: readonly string[];
  readonly domains: readonly string[];
  /** Beginnings of the names of others that share a name with it. */
  readonly namesakes: readonly string[];
}

const row = /^([A-Z]{2}) (.+)$/;

/**
 * Parses families, one a line: `US Nike; Nike Retail | Converse; Jordan | @nike.com | !Nike Hydraulics`. The country and the names of the
 * company, then in any order its brands and subsidiaries, its domains behind `@`, and names of others behind `!`. Lines that begin with `#` and
 * lines of another form are left out.
 */
export function parseFamilies(text: string): readonly Family[] {
  return text.split('\n').flatMap((line) => {
    const [, country = '', rest = ''] = row.exec(line.trim()) ?? [];
    const [names = '', ...parts] = rest.split(' | ');
    if (country === '' || names === '') return [];
    const after = (sign: string) => parts.find((part) => part.startsWith(sign))?.slice(1) ?? '';
    return [
      {
        country,
        names: listed(names),
        brands: listed(parts.find((part) => !/^[@!]/.test(part)) ?? ''),
        domains: after('@')
          .split(' ')
          .filter((domain) => domain !== ''),
        namesakes: listed(after('!')),
      },
    ];
  });
}

function listed(text: string): readonly string[] {
  return text
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
