/** An address that may be linked to. */
export interface WebLink {
  /** ASCII, as a browser would send it. */
  readonly href: string;
  /** Host of the link, in ASCII: letters of other scripts that look like Latin ones show as `xn--…`. */
  readonly host: string;
}

/** Maximum length of a link that browsers and mail programs take. */
const charsMax = 2000;

/**
 * The link that a foreign address makes: `http` or `https`, with a host and without a password. Null for everything else, such as
 * `javascript:` and addresses within a page. An address without a scheme (`acme.com/shoes`, as ads show theirs) is none either.
 */
export function webLink(address: string | null): WebLink | null {
  const url = address === null || address.length > charsMax ? null : parse(address);
  if (url === null || url.host === '') return null;
  if (url.username !== '' || url.password !== '' || url.href.length > charsMax) return null;
  return { href: url.href, host: url.host.replace(/^www\./, '') };
}

function parse(address: string): URL | null {
  // Blanks and control characters are dropped by the parser, and an address with them is not what it looks like.
  if (/[\p{Cc}\p{Cf}\s]/u.test(address) || !/^https?:\/\//i.test(address)) return null;
  return URL.canParse(address) ? new URL(address) : null;
}
