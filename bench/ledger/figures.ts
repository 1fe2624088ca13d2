import type { Machine } from '../support/machine.ts';
import type { Audit } from './audit.ts';
import type { CallRate } from './calls.ts';

/** The kinds of calls that are compared, in the order of a round. */
export const callKinds = [
  'one_row_1_conn',
  'one_row_8_conn',
  'rows_100',
  'rows_100_2_conn',
  'rows_500',
  'coalesced_64',
] as const;
export type CallKind = (typeof callKinds)[number];

/** All measurements. */
export interface LedgerFigures {
  readonly machine: Machine;
  readonly rounds: readonly Readonly<Record<CallKind, CallRate>>[];
  readonly audits: readonly Audit[];
}
