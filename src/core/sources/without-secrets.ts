/**
 * Parameters of links that grant access: tokens, keys and signatures (RFC 6750 §2.3; the signed links of S3, Cloud Storage,
 * Azure and CloudFront; Meta's and Google's keys). Whole names, in any case.
 */
const parameters = [
  'access_?token|auth_?token|id_token|refresh_token|oauth_token|session_?token|security_?token|bearer_?token|token|jwt|bearer',
  'x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential|security-token)|awsaccesskeyid|googleaccessid',
  '(?:x[_-])?api[_-]?key|app_?key|access_?key(?:_?id)?|secret_?key|private_?key|key|key-pair-id',
  '(?:client|app|consumer|api)?_?secret|appsecret_proof|password|passwd|pwd|auth|authorization|credentials?',
  'signature|hmac|session_?id|jsessionid|phpsessid',
].join('|');

/** A signature, also that of the public links of the next pattern. */
const signature = 'sig';

/**
 * Preview of an ad in the Ads Transparency Center. Its signature grants nothing: the link is public, and does not open without it. Ends
 * where a value ends.
 */
const publicPreview =
  /(https:(?:\/\/|\\\/\\\/)displayads-formats\.googleusercontent\.com(?:\/|\\\/)ads(?:\/|\\\/)preview(?:\/|\\\/)content\.js(?:[^\s"'<>\\]|\\\/|\\u(?!00(?:22|27|3c|3e|20))[0-9a-f]{4})*)/i;

/** Delimiters of a parameter in links, JSON (`\u0026`) and markup (`&amp;`); a value ends at any of them. */
const plain = {
  before: String.raw`[?#;]|&(?:amp;)?|\\u00(?:3f|23|3b)|\\u0026(?:amp;)?`,
  equals: String.raw`(?:=|\\u003d)`,
  value: String.raw`(?:[^&"'\\\s<>#;]|\\\/|\\u(?!00(?:26|22|27|3c|3e|23|3b|20|0a|0d|09))[0-9a-f]{4})*`,
  between: String.raw`&(?:amp;)?|\\u0026(?:amp;)?|;`,
};

/** The same in a link that is a parameter of another link, percent-encoded once or twice. */
const nested = {
  before: String.raw`%(?:25)?(?:3f|26|23)`,
  equals: String.raw`(?:=|%(?:25)?3d)`,
  value: String.raw`(?:[^&"'\\\s<>#;%]|%(?!(?:25)?(?:26|23|22|27|3c|3e|20)))*`,
  between: String.raw`%(?:25)?26`,
};

/** Consecutive parameters, so that the delimiter before the first one also serves what follows the last. */
const patternsOf = (names: string) =>
  [plain, nested].map(
    ({ before, equals, value, between }) =>
      new RegExp(`(${before})(?:(?:${names})${equals}${value}(${between}|))+`, 'gi'),
  );
const secrets = patternsOf(`${parameters}|${signature}`);
const secretsOfPreview = patternsOf(parameters);

/** A user name and a password before a host; without a scheme only if both are present. */
const userInfo =
  /(:(?:\/|\\\/){2})(?:[^\s"'<>\\/?#@]|\\u(?!0022|0020)[0-9a-f]{4})+@|(\/\/)[^\s"'<>\\/?#@:]+:[^\s"'<>\\/?#@]*@/gi;

/**
 * Removes secrets from the links in a text: parameters of queries and fragments that are tokens, keys or signatures, and user
 * names and passwords before a host; not the signature of the public preview of an ad. Everything else stays, so that JSON stays JSON and markup stays markup. Accepts any reply
 * of a source; the time is linear in its length. Idempotent.
 */
export function withoutSecrets(text: string): string {
  const withoutParameters = text
    .split(publicPreview)
    // The parts at odd places are the links of previews.
    .map((part, i) => removeParameters(part, i % 2 === 1 ? secretsOfPreview : secrets))
    .join('');
  return withoutParameters.replace(
    userInfo,
    (_, scheme: string | undefined, slashes: string | undefined) => scheme ?? slashes ?? '',
  );
}

function removeParameters(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce(
    (rest, pattern) => rest.replace(pattern, (_, first: string, last: string) => (last === '' ? '' : first)),
    text,
  );
}
