/** Safe link to a web page. */
export interface WebLink {
  /** ASCII, as browsers send it. */
  readonly href: string;
  /** Host of the link, in ASCII: lookalike letters of other scripts show as `xn--…`. */
  readonly host: string;
}

/** Maximum length of a link in browsers and mail programs. */
const charsMax = 2000;

/**
 * Parses an untrusted URL into a link: `http` or `https`, with a host and without a password. Null for everything else, such as
 * `javascript:`, fragments and URLs without a scheme (`acme.com/shoes`).
 */
export function webLink(address: string | null): WebLink | null {
  const url = address === null || address.length > charsMax ? null : parse(address);
  if (url === null || url.host === '') return null;
  if (url.username !== '' || url.password !== '' || url.href.length > charsMax) return null;
  return { href: url.href, host: url.host.replace(/^www\./, '') };
}

function parse(address: string): URL | null {
  // The parser drops spaces and control characters, so a URL with them differs from its text.
  if (/[\p{Cc}\p{Cf}\s]/u.test(address) || !/^https?:\/\//i.test(address)) return null;
  return URL.canParse(address) ? new URL(address) : null;
}
