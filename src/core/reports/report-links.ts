import type { Actor } from '../accounts/key-store.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import type { BatchOwner } from '../batches/batch-labels.ts';

/** Days until a link expires: the default and the maximum. */
export const linkDaysUsual = 7;
export const linkDaysMax = 90;

/** Maximum number of active links to one report. */
export const linksPerReportMax = 100;

/** Path of the page behind a link; the token follows it. */
export const sharedReportPath = '/shared/reports';

/** A batch or a schedule whose report a link shows. */
export interface ReportSubject {
  readonly kind: 'batch' | 'schedule';
  readonly id: string;
}

/** State of a link. One whose author was disabled, or whose key was revoked, is revoked. */
export const linkStates = ['active', 'expired', 'revoked'] as const;

/** A link to a report, which needs no sign-in. Its token is not stored. */
export interface ReportLink {
  readonly linkId: string;
  readonly subject: ReportSubject & { readonly name: string };
  readonly state: (typeof linkStates)[number];
  readonly owner: BatchOwner;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Number of times that the report was opened. */
  readonly opened: number;
  readonly openedAt: Date | null;
}

/** A new link. */
export interface NewReportLink {
  /** `digestToken` of its token. */
  readonly digest: Buffer;
  /** Days until it expires, from 1 to `linkDaysMax`. */
  readonly days: number;
  readonly by: Actor;
}

/** Report behind a valid link. */
export interface OpenedReport {
  readonly accountId: number;
  readonly subject: ReportSubject;
}

/** Port: links to reports. */
export interface ReportLinkStore {
  /**
   * Creates a link. A schedule can be named by its name. `kept` stores the response in the same transaction.
   *
   * @throws NotFound when the account has no such batch or schedule; Conflict for a purged batch, and beyond `linksPerReportMax`.
   */
  create(
    accountId: number,
    subject: ReportSubject,
    link: NewReportLink,
    kept?: StoredResponse<ReportLink> | null,
  ): Promise<ReportLink>;
  /**
   * Lists the links to one report, or to all reports of the account, newest first; up to 1,000. Links are deleted 30 days after they end.
   *
   * @throws NotFound when the account has no such batch or schedule.
   */
  list(accountId: number, subject: ReportSubject | null): Promise<readonly ReportLink[]>;
  /** Revokes a link; does nothing for one that is revoked. @throws NotFound when the account has no such link. */
  revoke(accountId: number, linkId: string, by: Actor): Promise<void>;
  /**
   * Opens a link and counts it. Null for a token that is unknown, expired or revoked, and when its batch or schedule was deleted or
   * purged.
   */
  open(digest: Buffer): Promise<OpenedReport | null>;
}

/** Address of the report behind a token. */
export function sharedReportUrl(baseUrl: string, token: string): string {
  return `${baseUrl}${sharedReportPath}/${token}`;
}
