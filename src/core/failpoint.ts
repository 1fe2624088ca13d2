/**
 * Places where the fault tests kill a process: between all steps of an enrichment, of a scan from its tick to its end, of its
 * evaluation, of a delivery, of a look into an inbox or at the rows of a query, of a landing in
 * files or in a table, of a purge, of an upgrade of the private server and its way back, and of a restore. A failpoint
 * inside a transaction stands before the commit that its name mentions.
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
  inbox: [
    'inbox:claimed',
    'inbox:page-recorded',
    'inbox:listed',
    'inbox:file-taken',
    'inbox:file-read',
    'inbox:linked',
    'inbox:file-loaded',
    'inbox:file-settled',
    'inbox:file-failed',
    'inbox:reason-written',
    'inbox:file-moved',
    'inbox:released',
  ],
  rows: ['inbox:rows-read'],
  landing: [
    'landing:claimed',
    'landing:exported',
    'landing:planned',
    'landing:written',
    'landing:recorded',
    'landing:removed',
    'landing:ended',
  ],
  table: ['table:planned', 'table:copied', 'table:upserted', 'table:committed', 'table:recorded'],
  purge: ['purge:round-done', 'purge:kind-done', 'purge:ads-swept'],
  upgrade: [
    'upgrade:old-started',
    'upgrade:old-migrated',
    'upgrade:new-started',
    'upgrade:copied',
    'upgrade:synced',
    'upgrade:renamed',
    'upgrade:switched',
  ],
  backOut: ['back-out:switched'],
  restore: [
    'restore:filled',
    'restore:recovered',
    'restore:completed',
    'restore:renamed',
    'restore:switched',
  ],
} as const;

export type Failpoint = (typeof failpoints)[keyof typeof failpoints][number];

declare global {
  /** Set only by the fault tests. */
  var nightshiftFailpoint: ((name: Failpoint) => void) | undefined;
}

/**
 * Marks a place where a test may kill the process. `src/vite.config.ts` removes the calls from builds, so each must stand on a
 * line of its own.
 */
export function failpoint(name: Failpoint): void {
  globalThis.nightshiftFailpoint?.(name);
}
