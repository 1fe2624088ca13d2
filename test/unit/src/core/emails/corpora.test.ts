import { expect, test } from 'vitest';
import { parseAddress } from '../../../../../src/core/emails/syntax/address.ts';
import { isAscii, parseDomainName } from '../../../../../src/core/emails/syntax/idna.ts';
import { readCorpus, type Corpus } from '../../../../support/dns-smtp/email-corpora.ts';

interface MailboxRow {
  readonly id: string;
  readonly address: string;
  /** Null: the standards do not decide. */
  readonly rfc5321_mailbox: boolean | null;
}

interface FormatRow {
  readonly id: string;
  readonly format: 'email' | 'idn-email' | 'hostname' | 'idn-hostname';
  readonly data: string;
  readonly valid: boolean;
}

interface InternationalRow {
  readonly id: string;
  readonly address: string;
  /** Null: the ideographic full stop of its domain may be accepted as a dot or rejected. */
  readonly valid: true | null;
  readonly needs_smtputf8: boolean;
  readonly domain_ascii?: string;
  readonly domain_ascii_if_mapped?: string;
}

const isemail = readCorpus<MailboxRow>('isemail.json');
const jsonSchemaEmail = readCorpus<MailboxRow>('json-schema-email-rfc5321.json');
const formats = readCorpus<FormatRow>('json-schema-formats.json');
const uasg = readCorpus<InternationalRow>('eai-uasg.json');

evaluating('isemail: parseAddress accepts exactly the mailboxes of RFC 5321', isemail, 163, (rows) =>
  rows
    .filter((row) => row.rfc5321_mailbox !== null)
    .map((row) => ({ row, right: isMailbox(row.address) === row.rfc5321_mailbox })),
);

evaluating(
  'JSON Schema: parseAddress accepts exactly the mailboxes of RFC 5321',
  jsonSchemaEmail,
  65,
  (rows) => rows.map((row) => ({ row, right: isAsciiMailbox(row.address) === row.rfc5321_mailbox })),
);

evaluating('JSON Schema: every format of an address or a host is recognised', formats, 175, (rows) =>
  rows.map((row) => ({ row, right: isOfFormat[row.format](row.data) === row.valid })),
);

evaluating('UASG: every international address is accepted, with its domain in ASCII', uasg, 48, (rows) =>
  rows.map((row) => ({ row, right: isParsedAsListed(row) })),
);

/** Tests that every row of a corpus is evaluated correctly, and that there are `count` rows. */
function evaluating<Row extends { readonly id: string }>(
  title: string,
  { rows, notRun }: Corpus<Row>,
  count: number,
  evaluate: (rows: readonly Row[]) => readonly { readonly row: Row; readonly right: boolean }[],
): void {
  test.skipIf(notRun !== '')(`${title}${notRun}`, () => {
    const evaluated = evaluate(rows);
    expect(evaluated).toHaveLength(count);
    expect(evaluated.filter(({ right }) => !right).map(({ row }) => row)).toEqual([]);
  });
}

/** RFC 5321 covers ASCII; RFC 6531 adds the rest. */
function isAsciiMailbox(text: string): boolean {
  return isAscii(text) && isMailbox(text);
}

function isMailbox(text: string): boolean {
  return parseAddress(text, 'rfc5321').kind === 'address';
}

const isOfFormat: Readonly<Record<FormatRow['format'], (text: string) => boolean>> = {
  email: isAsciiMailbox,
  'idn-email': isMailbox,
  hostname: (text) => isAscii(text) && parseDomainName(text).kind === 'domain',
  'idn-hostname': (text) => parseDomainName(text).kind === 'domain',
};

function isParsedAsListed(row: InternationalRow): boolean {
  const parsed = parseAddress(row.address);
  if (parsed.kind === 'invalid') return row.valid === null;
  const { requiresSmtputf8, asciiDomain } = parsed.address;
  return (
    requiresSmtputf8 === row.needs_smtputf8 &&
    asciiDomain === (row.domain_ascii ?? row.domain_ascii_if_mapped)
  );
}
