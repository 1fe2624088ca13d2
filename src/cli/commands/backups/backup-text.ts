/** Formats a moment in UTC, to the second. */
export function momentText(moment: string | Date): string {
  return `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
