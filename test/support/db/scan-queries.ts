/** True for a query about schedules: it has a result only after a schedule has run. */
export function asksAboutScans(query: string): boolean {
  return /reports\.(schedules|scans|scan_companies|ads_(changes|current|daily|as_of))\b/.test(query);
}
