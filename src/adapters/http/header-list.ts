/** One member of a list in a header, such as `"default";q=100;w=60`. Quotes around texts and values are taken away. */
export interface ListMember {
  readonly text: string;
  /** The last of several of one name, as RFC 9651 §3.1.2 has it. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A header with more is taken for nonsense: no list of policies is that long. Our choice. */
const lengthMax = 1_000;

/**
 * Reads the members of a list in a header (RFC 9651 §3.1, and the older forms that look like it). None without a header, and none
 * of one with a quote that is never closed.
 */
export function readMembers(header: string | null): readonly ListMember[] {
  if (header === null || header.length > lengthMax || header.replace(quoted, '').includes('"')) return [];
  return pieces(header, withoutCommas).map((member) => {
    const [text = '', ...parameters] = pieces(member, withoutSemicolons);
    return { text: unquoted(text), parameters: new Map(parameters.map(readParameter)) };
  });
}

const quoted = /"(?:[^"\\]|\\.)*"/g;
/** Matches the text between separators, outside of quotes. */
const withoutCommas = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;
const withoutSemicolons = /(?:"(?:[^"\\]|\\.)*"|[^";])+/g;

function pieces(text: string, piece: RegExp): readonly string[] {
  return (text.match(piece) ?? []).map((each) => each.trim()).filter((each) => each !== '');
}

function readParameter(text: string): readonly [string, string] {
  const [name = '', value = ''] = text.split('=', 2);
  return [name.trim().toLowerCase(), unquoted(value.trim())];
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1');
}
