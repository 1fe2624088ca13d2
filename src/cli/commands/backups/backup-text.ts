/** Formats a moment in UTC, to the second. */
export function momentText(moment: string | Date): string {
  return `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Message about changes that have not reached the archive. */
export function unshippedText(reason: string, dataFolder: string): string {
  return `The last changes have not reached the archive: ${reason} They stay in ${dataFolder}, where a restore in this home finds them.`;
}
