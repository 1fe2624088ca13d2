/** Formats a moment for a name, in UTC to the second, such as `20261122T021300Z`: names sort by time. */
export function compactTime(moment: Date): string {
  return moment.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/** Parses a moment that `compactTime` has formatted; null for other texts. */
export function parseCompactTime(text: string): Date | null {
  const moment = new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(moment.getTime()) ? null : moment;
}
