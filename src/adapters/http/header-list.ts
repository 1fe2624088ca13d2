/** A member of a list in a header, such as `"default";q=100;w=60`. Quotes around texts and values are removed. */
export interface ListMember {
  readonly text: string;
  /** The last of several parameters of one name applies (RFC 9651 §3.1.2). */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A longer header is ignored: no list of policies is that long. Our choice. */
const lengthMax = 1_000;

/**
 * Parses the members of a list in a header (RFC 9651 §3.1, and the older forms that resemble it). Empty without a header, and
 * for one with an unclosed quote.
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
