import { median, rounded } from '../support/figures.ts';
import type { BenchResult } from '../support/table.ts';
import { callKinds, type CallKind, type LedgerFigures } from './figures.ts';
import type { CallRate } from './calls.ts';

const titles: Readonly<Record<CallKind, string>> = {
  one_row_1_conn: 'one row a transaction, 1 connection',
  one_row_8_conn: 'one row a transaction, 8 connections',
  rows_100: '100 rows a call',
  rows_100_2_conn: '100 rows a call, 2 connections',
  rows_500: '500 rows a call',
  coalesced_64: '64 callers of one row, coalesced',
};

/** Medians of the rounds. */
export function ledgerResult({ machine, rounds, audits }: LedgerFigures): BenchResult {
  const rates = ratesOf(rounds);
  const audit = {
    entries: audits[0]?.entries ?? 0,
    ledger_seconds: rounded(median(audits.map(({ ledgerSeconds }) => ledgerSeconds))),
    verify_seconds: rounded(median(audits.map(({ verifySeconds }) => verifySeconds))),
    new_entries: audits[0]?.newEntries ?? 0,
    new_seconds: rounded(median(audits.map(({ newSeconds }) => newSeconds))),
  };
  return {
    name: 'ledger',
    head: ['', 'operations/s', 'p50 ms', 'p99 ms', 'times'],
    rows: callKinds.map((kind) => rowOf(kind, rates)),
    notes: [
      `Medians of ${rounds.length} rounds, all kinds in turns, one account, every call committed and durable. A row held is one operation, its end another.`,
      `The audit of ${audit.entries.toLocaleString('en')} entries takes ${audit.ledger_seconds} s; verify as a whole, with their lookups, ${audit.verify_seconds} s.`,
      `From a checkpoint, the audit of ${audit.new_entries.toLocaleString('en')} later entries takes ${audit.new_seconds} s.`,
    ],
    json: {
      operations_per_second: mapKinds((kind) => rates[kind].operationsPerSecond),
      latency_ms: mapKinds((kind) => ({ p50: rates[kind].p50Ms, p99: rates[kind].p99Ms })),
      coalesced_rows_per_second: Math.round(rates.coalesced_64.operationsPerSecond / 2),
      ratios: {
        ledger_100_per_second: rates.rows_100.operationsPerSecond,
        rows_100_over_one_row: timesOf('rows_100', rates),
        rows_500_over_one_row: timesOf('rows_500', rates),
      },
      audit,
      machine,
      rounds,
    },
  };
}

function ratesOf(rounds: LedgerFigures['rounds']): Readonly<Record<CallKind, CallRate>> {
  return mapKinds((kind) => ({
    operationsPerSecond: Math.round(median(rounds.map((round) => round[kind].operationsPerSecond))),
    p50Ms: rounded(median(rounds.map((round) => round[kind].p50Ms)), 2),
    p99Ms: rounded(median(rounds.map((round) => round[kind].p99Ms)), 2),
  }));
}

function mapKinds<T>(valueOf: (kind: CallKind) => T): Readonly<Record<CallKind, T>> {
  return {
    one_row_1_conn: valueOf('one_row_1_conn'),
    one_row_8_conn: valueOf('one_row_8_conn'),
    rows_100: valueOf('rows_100'),
    rows_100_2_conn: valueOf('rows_100_2_conn'),
    rows_500: valueOf('rows_500'),
    coalesced_64: valueOf('coalesced_64'),
  };
}

function rowOf(kind: CallKind, rates: Readonly<Record<CallKind, CallRate>>): readonly (string | number)[] {
  const { operationsPerSecond, p50Ms, p99Ms } = rates[kind];
  return [titles[kind], operationsPerSecond.toLocaleString('en'), p50Ms, p99Ms, timesOf(kind, rates)];
}

/** Ratio to one row per transaction on one connection. */
function timesOf(kind: CallKind, rates: Readonly<Record<CallKind, CallRate>>): number {
  return rounded(rates[kind].operationsPerSecond / rates.one_row_1_conn.operationsPerSecond, 1);
}
