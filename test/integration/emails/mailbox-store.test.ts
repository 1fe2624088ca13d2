import { describe } from 'vitest';
import { createMailboxStore } from '../../../db/stores/emails/mailboxes.ts';
import { mailboxStoreContract } from '../../contract/mailbox-store.contract.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { createMemoryMailboxes } from '../../support/dns-smtp/memory-mailboxes.ts';

describe('on postgres', () =>
  mailboxStoreContract(async () => createMailboxStore((await openTestDatabase()).app.sql)));

describe('in memory', () => mailboxStoreContract(async () => createMemoryMailboxes()));
