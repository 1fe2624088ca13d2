import type { EmailAddress } from '../syntax/address.ts';
import { splitName } from '../syntax/canonical.ts';
import type { MailLists, RoleTier } from '../lists/mail-lists.ts';
import type { QualityReason } from '../reasons.ts';

/** Properties of an address from lists and from its form. */
export interface AddressQuality {
  readonly isDisposable: boolean;
  readonly isPrivacyRelay: boolean;
  readonly isRole: boolean;
  readonly isFree: boolean;
  /** The address that was probably meant; null without a good guess. */
  readonly didYouMean: string | null;
  /** The tag of the local part; null without one. */
  readonly subaddress: string | null;
  /** The same as stable codes, in order of weight. */
  readonly reasons: readonly QualityReason[];
}

export interface QualityInfo {
  /** True when the domain has a mail route; null: not checked. */
  readonly domainTakesMail: boolean | null;
  /** Local parts that count as a role: the strict ones only, or the broad ones as well. */
  readonly roles: RoleTier;
}

/** Reasons in order of weight; each is a bit in a set of them. */
const reasonOrder = [
  'disposable_domain',
  'possible_typo',
  'role_account',
  'privacy_relay',
  'free_provider',
  'subaddress',
] as const satisfies readonly QualityReason[];

/** The reasons of every set, computed once: there are millions of addresses. */
const reasonsOfSet: readonly (readonly QualityReason[])[] = Array.from(
  { length: 2 ** reasonOrder.length },
  (_, set) => reasonOrder.filter((_reason, bit) => (set & (1 << bit)) !== 0),
);

/** Evaluates an address by lists, name and spelling. Makes no call, and takes less than a microsecond. */
export function qualityOf(address: EmailAddress, lists: MailLists, data: QualityInfo): AddressQuality {
  const { isDisposable, isPrivacyRelay, isFree } = lists.marksOf(address.asciiDomain);
  const { name, tag: subaddress } = splitName(address);
  const tier = lists.roleTier(name);
  const isRole = tier === 'strict' || (tier === 'broad' && data.roles === 'broad');
  const meant = lists.didYouMean(address, data.domainTakesMail);
  const set =
    Number(isDisposable) |
    (Number(meant !== null) << 1) |
    (Number(isRole) << 2) |
    (Number(isPrivacyRelay) << 3) |
    (Number(isFree) << 4) |
    (Number(subaddress !== null) << 5);
  return {
    isDisposable,
    isPrivacyRelay,
    isRole,
    isFree,
    didYouMean: meant === null ? null : `${address.localPart}@${meant}`,
    subaddress,
    reasons: reasonsOfSet[set] ?? [],
  };
}
