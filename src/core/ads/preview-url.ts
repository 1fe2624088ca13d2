import { adBounds } from './ad-bounds.ts';

/** Parameters of preview URLs that the Transparency Center changes in every reply; the others stay, including the signature. */
const nonces = ['htmlParentId', 'responseCallback'];

/**
 * URL of a preview without parameters that differ in every reply, so that two replies about one ad are equal. Null for a text that is no
 * URL with `http` or `https`, that contains a user name or a password, or that is longer than a stored URL may be.
 */
export function previewUrlOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined || !/^https?:\/\/[^\s"'<>]+$/i.test(text)) return null;
  if (!URL.canParse(text)) return null;
  const { username, password } = new URL(text);
  const address = withoutNonces(text);
  return username + password === '' && address.length <= adBounds.addressChars ? address : null;
}

/** Keeps the spelling of all other parameters. */
function withoutNonces(address: string): string {
  const [, base = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(address) ?? [];
  if (query === undefined) return address;
  const kept = query.split('&').filter((parameter) => !nonces.includes(parameter.split('=')[0] ?? ''));
  return `${base}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`;
}
