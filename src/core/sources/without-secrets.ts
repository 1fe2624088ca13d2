/**
 * The parameters of links that open what they lead to for whoever has them: tokens, keys and signatures (RFC 6750 §2.3; the signed links of
 * S3, Cloud Storage, Azure and CloudFront; Meta's and Google's keys). The whole name, in any case.
 */
const parameters = [
  'access_?token|auth_?token|id_token|refresh_token|oauth_token|session_?token|security_?token|bearer_?token|token|jwt|bearer',
  'x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential|security-token)|awsaccesskeyid|googleaccessid',
  '(?:x[_-])?api[_-]?key|app_?key|access_?key(?:_?id)?|secret_?key|private_?key|key|key-pair-id',
  '(?:client|app|consumer|api)?_?secret|appsecret_proof|password|passwd|pwd|auth|authorization|credentials?',
  'sig|signature|hmac|session_?id|jsessionid|phpsessid',
].join('|');

const names = `(?:${parameters})`;

/** Delimiters of a parameter in links, JSON (`\u0026`) and markup (`&amp;`); a value ends at any of them. */
const plain = {
  before: String.raw`[?#;]|&(?:amp;)?|\\u00(?:3f|23|3b)|\\u0026(?:amp;)?`,
  equals: String.raw`(?:=|\\u003d)`,
  value: String.raw`(?:[^&"'\\\s<>#;]|\\\/|\\u(?!00(?:26|22|27|3c|3e|23|3b|20|0a|0d|09))[0-9a-f]{4})*`,
  between: String.raw`&(?:amp;)?|\\u0026(?:amp;)?|;`,
};

/** The same in a link that is a parameter of another one, and so percent-encoded, once or twice. */
const nested = {
  before: String.raw`%(?:25)?(?:3f|26|23)`,
  equals: String.raw`(?:=|%(?:25)?3d)`,
  value: String.raw`(?:[^&"'\\\s<>#;%]|%(?!(?:25)?(?:26|23|22|27|3c|3e|20)))*`,
  between: String.raw`%(?:25)?26`,
};

/** Parameters in a row, so that what stands before the first is left for what follows the last. */
const secrets = [plain, nested].map(
  ({ before, equals, value, between }) =>
    new RegExp(`(${before})(?:${names}${equals}${value}(${between}|))+`, 'gi'),
);

/** A name and a password before a host; without a scheme only where there are both. */
const userInfo =
  /(:(?:\/|\\\/){2})(?:[^\s"'<>\\/?#@]|\\u(?!0022|0020)[0-9a-f]{4})+@|(\/\/)[^\s"'<>\\/?#@:]+:[^\s"'<>\\/?#@]*@/gi;

/**
 * A text with the secrets taken out of the links in it: parameters of queries and fragments that are tokens, keys or signatures, and names
 * and passwords before a host. All else stays as it is, so that JSON stays JSON and markup stays markup. Takes whatever a source replies;
 * the time is linear in its length. The same text again stays the same.
 */
export function withoutSecrets(text: string): string {
  const withoutParameters = secrets.reduce(
    (rest, pattern) => rest.replace(pattern, (_, first: string, last: string) => (last === '' ? '' : first)),
    text,
  );
  return withoutParameters.replace(
    userInfo,
    (_, scheme: string | undefined, slashes: string | undefined) => scheme ?? slashes ?? '',
  );
}
