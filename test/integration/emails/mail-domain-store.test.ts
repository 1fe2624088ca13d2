import { describe } from 'vitest';
import { createMailDomainStore } from '../../../db/stores/emails/mail-domains.ts';
import { mailDomainStoreContract } from '../../contract/mail-domain-store.contract.ts';
import { openTestDatabase } from '../../support/db/database.ts';

describe('on postgres', () =>
  mailDomainStoreContract(async () => createMailDomainStore((await openTestDatabase()).app.sql)));
