import { isDay } from '../time/day.ts';
import type { ChangedDayPlace, ChangePlace } from './change-list.ts';

/** The longest cursor: the key of a company may have 502 characters of four bytes each. */
export const changeCursorCharsMax = 2800;

/** Position in the list, as opaque text. */
export function formatChangeCursor({ scanId, companyKey, adId }: ChangePlace): string {
  return Buffer.from(`${scanId}.${adId}.${companyKey}`).toString('base64url');
}

/** Null for a text that is not a cursor. */
export function parseChangeCursor(text: string): ChangePlace | null {
  const [, scanId, adId, companyKey] =
    /^(\d{1,18})\.(\d{1,18})\.([dn]:[^\0]+)$/s.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  if (scanId === undefined || adId === undefined || companyKey === undefined) return null;
  return { scanId: BigInt(scanId), companyKey, adId: BigInt(adId) };
}

/** Position in the list of days, as opaque text. */
export function formatChangedDayCursor({ day, schedule }: ChangedDayPlace): string {
  return Buffer.from(`${day}.${schedule}`).toString('base64url');
}

/** Null for a text that is not a cursor of days. */
export function parseChangedDayCursor(text: string): ChangedDayPlace | null {
  const [, day, schedule] =
    /^(\d{4}-\d\d-\d\d)\.(\d{1,18})$/.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  if (day === undefined || schedule === undefined || !isDay(day)) return null;
  return { day, schedule: BigInt(schedule) };
}
