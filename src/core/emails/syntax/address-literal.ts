const ipv6Tag = 'ipv6:';

/**
 * True for an IP address in brackets (RFC 5321 §4.1.3): `[192.0.2.1]`, `[IPv6:2001:db8::1]`.
 *
 * The grammar allows other kinds of addresses with a registered tag; `IPv6` is the only tag in IANA's registry.
 */
export function isAddressLiteral(text: string): boolean {
  if (!text.startsWith('[') || !text.endsWith(']')) return false;
  const inner = text.slice(1, -1);
  return inner.toLowerCase().startsWith(ipv6Tag) ? isIpv6(inner.slice(ipv6Tag.length)) : isIpv4(inner);
}

/** IPv4-address-literal: four numbers up to 255. Zeros may lead, as long as there are three digits at most. */
function isIpv4(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every((digits) => /^\d{1,3}$/.test(digits) && Number(digits) <= 255);
}

const groupsMax = 8;
/** `::` stands for two groups or more. */
const groupsBesideGapMax = 6;

/** IPv6-addr: eight groups, or up to six and one `::`; an IPv4 address may stand for the last two. */
function isIpv6(text: string): boolean {
  const sides = text.split('::');
  const [first, last] = sides;
  if (first === undefined || sides.length > 2) return false;
  if (last === undefined) return countGroups(first, true) === groupsMax;
  return groupsBeside(first, false) + groupsBeside(last, true) <= groupsBesideGapMax;
}

/** A side of a `::` may be empty. */
function groupsBeside(side: string, isLast: boolean): number {
  return side === '' ? 0 : countGroups(side, isLast);
}

/** Counts groups of 16 bits in a text; an IPv4 address at the end counts as two, NaN for any other text. */
function countGroups(text: string, isLast: boolean): number {
  const groups = text.split(':');
  return groups
    .map((group, at) => sizeOf(group, isLast && at === groups.length - 1))
    .reduce((sum, size) => sum + size);
}

function sizeOf(group: string, mayBeIpv4: boolean): number {
  if (/^[\da-f]{1,4}$/i.test(group)) return 1;
  return mayBeIpv4 && isIpv4(group) ? 2 : NaN;
}
