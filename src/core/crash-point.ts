/**
 * The places where the fault tests end a process: between all steps of load, dispatch, work, commit, halt, export and purge. Those of a
 * transaction stand before what their names say is committed.
 */
export const crashPoints = [
  'load:batch-opened',
  'load:lookups-inserted',
  'load:block-inserted',
  'load:block-committed',
  'load:rows-stored',
  'load:finished',
  'dispatch:credits-held',
  'dispatch:chunks-inserted',
  'dispatch:chunks-committed',
  'dispatch:enqueued',
  'dispatch:marked',
  'dispatch:batch-finished',
  'work:claimed',
  'work:call-recorded',
  'work:answered',
  'work:answer-recorded',
  'commit:chunk-locked',
  'commit:ads-linked',
  'commit:outcomes-written',
  'commit:settled',
  'commit:committed',
  'work:chunk-done',
  'export:opened',
  'export:written',
  'export:manifest-written',
  'export:renamed',
  'export:manifest-renamed',
  'purge:round-done',
  'purge:kind-done',
  'purge:ads-swept',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

declare global {
  /** Set by the fault tests, and by nobody else. */
  var nightshiftCrashPoint: ((name: CrashPoint) => void) | undefined;
}

/**
 * Marks a place where a process may die. In a build nothing is left of it: `src/cli/nightshift.js` takes the calls out. It has to
 * stand on a line of its own.
 */
export function crashPoint(name: CrashPoint): void {
  globalThis.nightshiftCrashPoint?.(name);
}
