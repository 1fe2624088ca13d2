/** Message about the last changes of a server, which have not reached the archive. */
export function unshippedText(reason: string, dataFolder: string): string {
  return `The last changes have not reached the archive: ${reason} They stay in ${dataFolder}, where a restore in this home finds them.`;
}
