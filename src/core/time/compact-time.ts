/** Formats a moment for a name, in UTC to the second, such as `20261122T021300Z`: names sort by time. */
export function compactTime(moment: Date): string {
  return moment.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
