import { median, rounded } from '../support/figures.ts';
import type { BenchResult } from '../support/table.ts';
import {
  askersTogether,
  p95MsMax,
  type ConsoleFigures,
  type Latencies,
  type ListFigures,
  type QuestionFigures,
} from './figures.ts';
import { preparedTables, recordTables } from './list-setting.ts';

/** All requests of all rounds together. */
export function consoleResult({ machine, list, questions, requests }: ConsoleFigures): BenchResult {
  return {
    name: 'console',
    head: ['ms', 'p50', 'p95', 'p99', 'SQL alone p50', 'p95', 'times', `${askersTogether} at a time p95`],
    rows: questions.map((question) => {
      const { name, alone, sql, together } = question;
      const ms = (figure: number) => rounded(figure, 1);
      return [
        name,
        ms(alone.p50Ms),
        ms(alone.p95Ms),
        ms(alone.p99Ms),
        ms(sql.p50Ms),
        ms(sql.p95Ms),
        timesOf(question),
        ms(together.p95Ms),
      ];
    }),
    notes: [
      listNote(list),
      preparedNote(list),
      bytesNote(list),
      `Over HTTP from \`serve\`, signed in; ${requests.alone} requests of each, one at a time and in turns with the same SQL alone, then ${requests.together}, ${askersTogether} at a time.`,
      'SQL alone: the statements that the product sends for the page, by the driver, over one connection. It leaves out who asks, limits, and JSON.',
      `Over ${p95MsMax} ms at p95, one at a time: ${namesOf(questions, ({ alone }) => alone)}; ${askersTogether} at a time: ${namesOf(questions, ({ together }) => together)}.`,
    ],
    json: {
      ratios: { http_over_sql_p50: rounded(median(questions.map(timesOf)), 2) },
      p95_ms_max: Math.round(Math.max(...questions.map(({ alone }) => alone.p95Ms))),
      list,
      requests,
      questions: questions.map((question) => ({
        name: question.name,
        http: figuresOf(question.alone),
        together: figuresOf(question.together),
        sql: figuresOf(question.sql),
        statements: question.statements,
        times: timesOf(question),
      })),
      machine,
    },
  };
}

function timesOf({ alone, sql }: QuestionFigures): number {
  return rounded(alone.p50Ms / sql.p50Ms, 2);
}

function figuresOf({ p50Ms, p95Ms, p99Ms }: Latencies) {
  return { p50_ms: rounded(p50Ms, 2), p95_ms: rounded(p95Ms, 2), p99_ms: rounded(p99Ms, 2) };
}

function namesOf(
  questions: readonly QuestionFigures[],
  of: (question: QuestionFigures) => Latencies,
): string {
  const names = questions.filter((question) => of(question).p95Ms > p95MsMax).map(({ name }) => name);
  return names.length === 0 ? 'none' : names.join(', ');
}

function listNote({ rows, outcomes, ads, verdicts }: ListFigures): string {
  return `A list of ${count(rows)} rows (${counts(outcomes)}), ${count(ads)} ads, addresses ${counts(verdicts)}.`;
}

function preparedNote({ load, work, charts, index }: ListFigures): string {
  const seconds = (figure: number) => figure.toFixed(1);
  return `Loaded in ${seconds(load)} s, looked up in ${seconds(work)} s; prepared afterwards: figures of charts ${seconds(charts)} s, blocks and facets ${seconds(index)} s.`;
}

function bytesNote({ bytes }: ListFigures): string {
  const record = recordTables.reduce((sum, name) => sum + (bytes[name] ?? 0), 0);
  const each = preparedTables.map((name) => `${name} ${megabytes(bytes[name] ?? 0)}`).join(', ');
  return `On disk, indexes included: the record of the list ${megabytes(record)} MB; for its pages, in MB: ${each}.`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function counts(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .map(([name, value]) => `${count(value)} ${name}`)
    .join(', ');
}

function count(value: number): string {
  return value.toLocaleString('en');
}
