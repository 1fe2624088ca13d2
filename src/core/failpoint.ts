/**
 * The places where the fault tests end a process, by what is under way there: between all steps of an enrichment, of a scan from its tick to
 * its end, of its evaluation, of a delivery and of a purge. Those of a transaction stand before what their names say is committed.
 */
export const failpoints = {
  enrichment: [
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
  ],
  scan: ['scan:rows-inserted', 'scan:fired', 'scan:prepared', 'scan:linked', 'scan:begun', 'scan:settled'],
  evaluation: [
    'evaluate:looks-kept',
    'evaluate:results-written',
    'evaluate:tracked-written',
    'evaluate:event-emitted',
    'evaluate:turn-ended',
    'evaluate:committed',
  ],
  delivery: ['delivery:claimed', 'delivery:sent', 'delivery:written-down'],
  purge: ['purge:round-done', 'purge:kind-done', 'purge:ads-swept'],
} as const;

export type Failpoint = (typeof failpoints)[keyof typeof failpoints][number];

declare global {
  /** Set by the fault tests, and by nobody else. */
  var nightshiftFailpoint: ((name: Failpoint) => void) | undefined;
}

/**
 * Marks a place where a process may die. In a build nothing is left of it: `src/vite.config.ts` takes the calls out. It has to
 * stand on a line of its own.
 */
export function failpoint(name: Failpoint): void {
  globalThis.nightshiftFailpoint?.(name);
}
