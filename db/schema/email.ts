import { sql } from 'drizzle-orm';
import { bigint, boolean, check, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core';
import type {
  EmailStatus,
  Recommendation,
  VerificationLevel,
} from '../../src/core/emails/verdict/verdict.ts';
import { moment, nightshift } from './schema.ts';

/** The verdict that a lookup of an address was completed with. The person may be forgotten; the verdict stays. */
export const emailResults = nightshift.table(
  'email_results',
  {
    lookupId: bigint('lookup_id', { mode: 'bigint' }).primaryKey(),
    status: text().notNull().$type<EmailStatus>(),
    subStatus: text('sub_status'),
    recommendation: text().notNull().$type<Recommendation>(),
    verificationLevel: text('verification_level').notNull().$type<VerificationLevel>(),
    reasons: text().array().notNull().$type<readonly string[]>(),
    /** These name the person, and go when the person is forgotten. */
    normalisedEmail: text('normalised_email'),
    canonicalEmail: text('canonical_email'),
    didYouMean: text('did_you_mean'),
    asciiDomain: text('ascii_domain'),
    registrableDomain: text('registrable_domain'),
    isDisposable: boolean('is_disposable').notNull(),
    isPrivacyRelay: boolean('is_privacy_relay').notNull(),
    isRole: boolean('is_role').notNull(),
    isFree: boolean('is_free').notNull(),
    requiresSmtputf8: boolean('requires_smtputf8').notNull(),
    /** From here on null means: not known. */
    isCatchAll: boolean('is_catch_all'),
    mxRecord: text('mx_record'),
    mxProvider: text('mx_provider'),
    mxSecurityGateway: boolean('mx_security_gateway'),
    implicitMx: boolean('implicit_mx'),
    hasSpf: boolean('has_spf'),
    hasDmarc: boolean('has_dmarc'),
    smtpHost: text('smtp_host'),
    smtpCode: integer('smtp_code'),
    smtpEnhancedCode: text('smtp_enhanced_code'),
    catchAllProbe: text('catch_all_probe'),
    probeAttempts: smallint('probe_attempts'),
    checkedAt: moment('checked_at').notNull(),
    retryAt: moment('retry_at'),
  },
  (table) => [
    check('email_results_status', sql`${table.status} IN ('valid', 'invalid', 'catch_all', 'unknown')`),
    check('email_results_recommendation', sql`${table.recommendation} IN ('send', 'review', 'do_not_send')`),
    check('email_results_level', sql`${table.verificationLevel} IN ('syntax', 'domain', 'mailbox')`),
  ],
);

/** Cache of the DNS records of mail domains. Safe to empty at any time. */
export const mailDomains = nightshift.table('mail_domains', {
  domain: text().primaryKey(),
  route: jsonb().notNull(),
  hasSpf: boolean('has_spf'),
  hasDmarc: boolean('has_dmarc'),
  checkedAt: moment('checked_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
});
