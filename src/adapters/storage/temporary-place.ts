/**
 * Place of a file until it is complete, beside its final one and hidden. It is the same each time, so that a write removes what an earlier
 * one has left that was killed or lost its connection; lists leave it out.
 */
export function temporaryPlace(place: string): string {
  const name = place.lastIndexOf('/') + 1;
  return `${place.slice(0, name)}.${place.slice(name)}.nightshift.tmp`;
}
