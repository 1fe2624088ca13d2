import type { MailDomain } from '../domains/mail-domain.ts';
import type { HostFinding } from '../domains/mail-route.ts';
import type { ProbeIdentity } from './probe-identity.ts';
import { emailReasons } from '../reasons.ts';

/** The installation as mail servers see it. */
export interface ProbeInfo {
  /** Addresses of the name in EHLO. */
  readonly hello: HostFinding;
  /** The names that those addresses point back to (PTR), in lower case. */
  readonly reverseNames: readonly string[];
  /** The domain of the sender. */
  readonly sender: MailDomain;
  /** The mail host of the sender's domain that was connected to, and what came of it; null where it has none. */
  readonly port25: { readonly host: string; readonly isOpen: boolean } | null;
}

/** One thing that mail servers judge us by. */
export interface ProbeCheck {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly found: string;
  /** Null where nothing is to be done. */
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
    return ok(name, `the address points back to ${helloName}`);
  const found = reverseNames.length === 0 ? 'nothing' : reverseNames.join(', ');
  return problem(
    name,
    `the address of ${helloName} points back to ${found}`,
    `Have who gave you the address point it back to ${helloName} (PTR): many servers refuse to talk otherwise.`,
  );
}

function evaluateSender({ sender: { domain, route } }: ProbeInfo): ProbeCheck {
  const name = 'probing: sender';
  if (route.kind === 'hosts') return ok(name, `${domain} takes mail`);
  return problem(
    name,
    `${domain}: ${emailReasons[route.reason].words}`,
    'Servers look whether the sender could be answered: give its domain an MX record, and read what comes there.',
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

/** The check that says whether anything leaves this network at all. */
export const portCheck = 'probing: port 25';

function evaluatePort({ host, isOpen }: NonNullable<ProbeInfo['port25']>): ProbeCheck {
  if (isOpen) return ok(portCheck, `${host} answers`);
  return problem(
    portCheck,
    `${host} cannot be reached`,
    'Many hosters close port 25 to the outside: ask yours to open it, or run the workers elsewhere.',
  );
}

function ok(name: string, found: string): ProbeCheck {
  return { name, status: 'ok', found, remedy: null };
}

function problem(name: string, found: string, remedy: string): ProbeCheck {
  return { name, status: 'problem', found, remedy };
}
