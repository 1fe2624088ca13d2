import type { CheckpointKind, CheckpointStore } from '../checkpoints.ts';
import type { Peak } from '../pace.ts';

/** Version of the clauses. A checkpoint of another version proves nothing; increase it when a clause finds more than before. */
const clauseVersion = 1;

/** Records that are proved up to an id. */
export type MarkKind = 'requests' | 'verdicts' | 'calls' | 'answers' | 'versions';

/** Proof of all records of a kind up to an id. */
export interface Mark {
  readonly to: bigint;
  /** Number of records. */
  readonly items: number;
  /** For requests: the chunks of later lookups have larger ids. */
  readonly chunksTo: bigint;
  /** For calls: most in a second, by source. */
  readonly peaks: readonly Peak[];
}

/** Proofs of earlier runs. */
export interface Proofs {
  /** Markers of closed batches. */
  readonly batches: ReadonlyMap<number, string>;
  /** Last entry of an account. */
  readonly entries: ReadonlyMap<bigint, bigint>;
  /** Markers of snapshots. */
  readonly snapshots: ReadonlyMap<bigint, string>;
  readonly marks: Readonly<Record<MarkKind, Mark>>;
}

/** Mark of a kind of which nothing is proved. */
export const noMark: Mark = { to: 0n, items: 0, chunksTo: 0n, peaks: [] };

/** Proofs of a run that reads everything. */
export const noProofs: Proofs = {
  batches: new Map(),
  entries: new Map(),
  snapshots: new Map(),
  marks: { requests: noMark, verdicts: noMark, calls: noMark, answers: noMark, versions: noMark },
};

/** Reads the signed checkpoints of this version of the clauses. */
export async function readProofs(checkpoints: CheckpointStore): Promise<Proofs> {
  const mark = async (kind: MarkKind) => parseMark((await readStates(checkpoints, kind)).get(0n));
  const [batches, entries] = [
    await readStates(checkpoints, 'batch'),
    await readStates(checkpoints, 'entries'),
  ];
  return {
    batches: new Map([...batches].map(([id, marker]) => [Number(id), marker])),
    entries: new Map([...entries].map(([id, seq]) => [id, BigInt(seq)])),
    snapshots: await readStates(checkpoints, 'snapshot'),
    marks: {
      requests: await mark('requests'),
      verdicts: await mark('verdicts'),
      calls: await mark('calls'),
      answers: await mark('answers'),
      versions: await mark('versions'),
    },
  };
}

/** Stores proofs of one kind. */
export function storeProofs(
  checkpoints: CheckpointStore,
  kind: CheckpointKind,
  states: ReadonlyMap<bigint, string>,
): Promise<void> {
  return checkpoints.writeAll(
    kind,
    new Map([...states].map(([scope, state]) => [scope, `${clauseVersion}:${state}`])),
  );
}

/** State of a mark. */
export function formatMark({ to, items, chunksTo, peaks }: Mark): string {
  return JSON.stringify({ to: String(to), items, chunksTo: String(chunksTo), peaks });
}

async function readStates(
  checkpoints: CheckpointStore,
  kind: CheckpointKind,
): Promise<ReadonlyMap<bigint, string>> {
  const prefix = `${clauseVersion}:`;
  const states = [...(await checkpoints.readAll(kind))].filter(([, state]) => state.startsWith(prefix));
  return new Map(states.map(([scope, state]) => [scope, state.slice(prefix.length)]));
}

/** Parses a state that this installation has signed. */
function parseMark(state: string | undefined): Mark {
  if (state === undefined) return noMark;
  const { to, items, chunksTo, peaks } = JSON.parse(state) as Record<keyof Mark, unknown>;
  return {
    to: BigInt(to as string),
    items: items as number,
    chunksTo: BigInt(chunksTo as string),
    peaks: peaks as Peak[],
  };
}
