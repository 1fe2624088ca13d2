import { isEmailValid } from '@hapi/address';
import isemail from 'isemail';
import validator from 'validator';
import { createMailLists } from '../../src/adapters/mail/lists/mail-lists.ts';
import { parseAddress } from '../../src/core/emails/syntax/address.ts';
import { canonicalAddress } from '../../src/core/emails/syntax/canonical.ts';
import type { MailLists } from '../../src/core/emails/lists/mail-lists.ts';
import { qualityOf, type QualityInfo } from '../../src/core/emails/verdict/quality.ts';
import { mailListsFolder } from '../../src/package-root.ts';

/** Parsers of addresses, in the order of a round. */
export const readerKinds = ['ours', 'validator', 'isemail', 'hapi_address'] as const;
export type ReaderKind = (typeof readerKinds)[number];

/** Parses a file and counts the texts that are accepted as addresses. */
export type Readers = Readonly<Record<ReaderKind, (list: readonly string[]) => number>>;

/**
 * The parsers, each called with its default options. Nightshift's does everything that a verdict needs without a network call.
 * Each has its own loop, because V8 optimizes a loop for the function that it calls.
 */
export function openReaders(emptyFolder: string): Readers {
  const lists = createMailLists({ shipped: mailListsFolder, own: emptyFolder });
  return {
    ours: (list) => {
      let taken = 0;
      for (const text of list) if (evaluate(text, lists)) taken += 1;
      return taken;
    },
    validator: (list) => {
      let taken = 0;
      for (const text of list) if (validator.isEmail(text)) taken += 1;
      return taken;
    },
    isemail: (list) => {
      let taken = 0;
      for (const text of list) if (isemail.validate(text)) taken += 1;
      return taken;
    },
    hapi_address: (list) => {
      let taken = 0;
      for (const text of list) if (isEmailValid(text)) taken += 1;
      return taken;
    },
  };
}

const data: QualityInfo = { domainTakesMail: null, roles: 'broad' };

/** Evaluates syntax, both normal forms, lists and spelling. */
function evaluate(text: string, lists: MailLists): boolean {
  const parsed = parseAddress(text);
  if (parsed.kind === 'invalid') return false;
  return (
    canonicalAddress(parsed.address) !== '' && qualityOf(parsed.address, lists, data).reasons.length >= 0
  );
}
