import { parseAddress } from '../syntax/address.ts';
import type { MailLists } from '../domains/mail-lists.ts';
import { emailReasons } from '../reasons.ts';

/** Identity towards the mail servers that are probed. All three names are the operator's own, under one registrable domain. */
export interface ProbeIdentity {
  /** Our name in EHLO. */
  readonly helloName: string;
  /** The sender we ask as. */
  readonly mailFrom: string;
  /** Address for complaints. */
  readonly contact: string;
}

/** RFC 2606 §3: for documents. They are nobody's, and everybody copies them. */
const exampleDomains = new Set(['example.com', 'example.net', 'example.org']);

/**
 * Why somebody cannot ask as who they say they are; empty when they can. A name that is nobody's, or that belongs to a mail provider,
 * would make others answer for us.
 */
export function identityMistakes(
  { helloName, mailFrom, contact }: ProbeIdentity,
  lists: Pick<MailLists, 'marksOf'>,
): readonly string[] {
  const owners = new Set<string>();
  function mistakeIn(name: string, text: string, address: string): readonly string[] {
    const parsed = parseAddress(address);
    if (parsed.kind === 'invalid') return [`${name} is "${text}". ${emailReasons[parsed.reason].words}`];
    const { asciiDomain, registrableDomain, requiresSmtputf8 } = parsed.address;
    if (requiresSmtputf8) return [`${name} is "${text}". Servers may refuse what is beyond ASCII.`];
    const owner = registrableDomain ?? asciiDomain;
    owners.add(owner);
    if (exampleDomains.has(owner))
      return [`${name} is "${text}", which is nobody's: use a domain of your own.`];
    const { isFree, isDisposable, isPrivacyRelay } = lists.marksOf(asciiDomain);
    if (!isFree && !isDisposable && !isPrivacyRelay) return [];
    return [`${name} is "${text}", which belongs to a mail provider: use a domain of your own.`];
  }
  const mistakes = [
    ...mistakeIn('NIGHTSHIFT_PROBE_HELLO_NAME', helloName, `postmaster@${helloName}`),
    ...mistakeIn('NIGHTSHIFT_PROBE_MAIL_FROM', mailFrom, mailFrom),
    ...mistakeIn('NIGHTSHIFT_PROBE_CONTACT', contact, contact),
  ];
  if (mistakes.length > 0 || owners.size === 1) return mistakes;
  return [
    `The settings of NIGHTSHIFT_PROBE name ${[...owners].join(', ')}: all of them belong under one domain of your own.`,
  ];
}
