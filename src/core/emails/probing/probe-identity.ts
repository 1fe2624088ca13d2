import { parseAddress } from '../syntax/address.ts';
import type { MailLists } from '../lists/mail-lists.ts';
import { emailReasons } from '../reasons.ts';

/** Identity towards the mail servers that are probed. All three names are the operator's own, under one registrable domain. */
export interface ProbeIdentity {
  /** Name in EHLO. */
  readonly helloName: string;
  /** Address in MAIL FROM. */
  readonly mailFrom: string;
  /** Address for complaints. */
  readonly contact: string;
}

/** RFC 2606 §3: reserved for documentation, and often copied. */
const exampleDomains = new Set(['example.com', 'example.net', 'example.org']);

/**
 * Finds mistakes in the identity; empty without any. A reserved name, or one of a mail provider, would make others responsible for the
 * probes.
 */
export function identityMistakes(
  { helloName, mailFrom, contact }: ProbeIdentity,
  lists: Pick<MailLists, 'marksOf'>,
): readonly string[] {
  const owners = new Set<string>();
  function mistakeIn(name: string, text: string, address: string): readonly string[] {
    const parsed = parseAddress(address);
    if (parsed.kind === 'invalid') return [`${name} is "${text}". ${emailReasons[parsed.reason].message}`];
    const { asciiDomain, registrableDomain, requiresSmtputf8 } = parsed.address;
    if (requiresSmtputf8) return [`${name} is "${text}". Some servers reject addresses beyond ASCII.`];
    const owner = registrableDomain ?? asciiDomain;
    owners.add(owner);
    if (exampleDomains.has(owner))
      return [`${name} is "${text}", a domain reserved for documentation. Use a domain of your own.`];
    const { isFree, isDisposable, isPrivacyRelay } = lists.marksOf(asciiDomain);
    if (!isFree && !isDisposable && !isPrivacyRelay) return [];
    return [`${name} is "${text}", which belongs to a mail provider. Use a domain of your own.`];
  }
  const mistakes = [
    ...mistakeIn('NIGHTSHIFT_PROBE_HELLO_NAME', helloName, `postmaster@${helloName}`),
    ...mistakeIn('NIGHTSHIFT_PROBE_MAIL_FROM', mailFrom, mailFrom),
    ...mistakeIn('NIGHTSHIFT_PROBE_CONTACT', contact, contact),
  ];
  if (mistakes.length > 0 || owners.size === 1) return mistakes;
  return [
    `The settings NIGHTSHIFT_PROBE_* name ${[...owners].join(', ')}. Use one domain of your own for all of them.`,
  ];
}
