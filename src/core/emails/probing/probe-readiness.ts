import type { MailDomain } from '../domains/mail-domain.ts';
import type { HostFinding } from '../domains/mail-route.ts';
import type { ProbeIdentity } from './probe-identity.ts';
import { emailReasons } from '../reasons.ts';

/** This machine as mail servers see it. */
export interface ProbeInfo {
  /** Addresses of the name in EHLO. */
  readonly hello: HostFinding;
  /** Names in the PTR records of those addresses, in lower case. */
  readonly reverseNames: readonly string[];
  /** The domain of the sender. */
  readonly sender: MailDomain;
  /** Connection to the mail host of the sender's domain; null without a mail host. */
  readonly port25: { readonly host: string; readonly isOpen: boolean } | null;
}

/** A check of something that mail servers verify. */
export interface ProbeCheck {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly found: string;
  /** Null when nothing has to be done. */
  readonly remedy: string | null;
}

/** Evaluates the checks that precede probing: probing starts only without a problem. */
export function evaluateReadiness(identity: ProbeIdentity, data: ProbeInfo): readonly ProbeCheck[] {
  return [
    evaluateHello(identity, data),
    ...(data.hello.kind === 'reachable' ? [evaluateReverse(identity, data)] : []),
    evaluateSender(data),
    evaluatePolicy(data),
    ...(data.port25 === null ? [] : [evaluatePort(data.port25)]),
  ];
}

function evaluateHello({ helloName }: ProbeIdentity, { hello }: ProbeInfo): ProbeCheck {
  const name = 'probing: name in EHLO';
  if (hello.kind === 'reachable') return ok(name, `${helloName} is ${hello.addresses.join(', ')}`);
  const why = {
    not_public: 'has no public address',
    no_address: 'has no address',
    unknown: 'could not be looked up',
    not_asked: 'was not looked up',
  }[hello.kind];
  return problem(
    name,
    `${helloName} ${why}`,
    'Give the name an A or AAAA record with the address that this machine sends from.',
  );
}

function evaluateReverse({ helloName }: ProbeIdentity, { reverseNames }: ProbeInfo): ProbeCheck {
  const name = 'probing: PTR';
  if (reverseNames.includes(helloName.toLowerCase()))
    return ok(name, `the PTR record of the address is ${helloName}`);
  const found = reverseNames.length === 0 ? 'missing' : reverseNames.join(', ');
  return problem(
    name,
    `the PTR record of the address of ${helloName} is ${found}`,
    `Ask the provider of the address to set its PTR record to ${helloName}: many servers reject the connection otherwise.`,
  );
}

function evaluateSender({ sender: { domain, route } }: ProbeInfo): ProbeCheck {
  const name = 'probing: sender';
  if (route.kind === 'hosts') return ok(name, `${domain} accepts mail`);
  return problem(
    name,
    `${domain}: ${emailReasons[route.reason].message}`,
    'Mail servers check that the sender can receive mail: give its domain an MX record, and read its mail.',
  );
}

function evaluatePolicy({ sender: { domain, hasSpf } }: ProbeInfo): ProbeCheck {
  const name = 'probing: SPF';
  if (hasSpf === true) return ok(name, `${domain} has a record`);
  return {
    name,
    status: 'warning',
    found: hasSpf === null ? `the record of ${domain} could not be looked up` : `${domain} has no record`,
    remedy: `Give ${domain} an SPF record that names the address of this machine.`,
  };
}

/** Name of the check of outgoing connections to port 25. */
export const portCheck = 'probing: port 25';

function evaluatePort({ host, isOpen }: NonNullable<ProbeInfo['port25']>): ProbeCheck {
  if (isOpen) return ok(portCheck, `${host} answers`);
  return problem(
    portCheck,
    `${host} cannot be reached`,
    'Many hosters block outgoing connections to port 25: ask yours to open it, or run the workers elsewhere.',
  );
}

function ok(name: string, found: string): ProbeCheck {
  return { name, status: 'ok', found, remedy: null };
}

function problem(name: string, found: string, remedy: string): ProbeCheck {
  return { name, status: 'problem', found, remedy };
}
