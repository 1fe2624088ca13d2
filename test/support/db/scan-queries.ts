/** True when a query is about schedules: only where one has been at work has it an answer. */
export function asksAboutScans(query: string): boolean {
  return /reports\.(schedules|scans|scan_companies|ads_(changes|current|daily|as_of))\b/.test(query);
}
