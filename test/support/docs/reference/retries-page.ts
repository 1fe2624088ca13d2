import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import * as postgresPolicies from '../../../../src/core/work/postgres-retries.ts';
import * as redisPolicies from '../../../../src/core/work/redis-retries.ts';
import * as mainPolicies from '../../../../src/core/work/retry-policies.ts';
import { packageRoot } from '../../../../src/package-root.ts';
import { code, joinParts, pageHead } from './markdown-page.ts';

interface PolicyModule {
  readonly path: string;
  readonly policies: Readonly<Record<string, unknown>>;
}

/** Modules with policies. */
const modules: readonly PolicyModule[] = [
  { path: 'src/core/work/retry-policies.ts', policies: mainPolicies },
  { path: 'src/core/work/redis-retries.ts', policies: redisPolicies },
  { path: 'src/core/work/postgres-retries.ts', policies: postgresPolicies },
];

/** A retry policy with the parts of its comment. */
export interface DescribedPolicy {
  readonly name: string;
  /** The failing operation. */
  readonly failure: string;
  readonly reason: string;
  /** Document or person behind the numbers. */
  readonly origin: string;
  readonly numbers: Readonly<Record<string, unknown>>;
}

/** Contents of docs/architecture/retries.md, from the policies and their comments. */
export function retriesPage(): string {
  return joinParts([
    pageHead('Retries', intro),
    ...listPolicies().flatMap(({ name, failure, reason, origin, numbers }) => [
      `## ${name}`,
      failure,
      Object.entries(numbers)
        .map(([field, value]) => `${code(field)} ${valueText(field, value)}`)
        .join(' · '),
      `${reason} Origin: ${origin}`,
    ]),
  ]);
}

const intro = `Nightshift retries in one layer for each kind of failure, so that retries never multiply. ${modules.map(({ path }) => code(path)).join(' and ')}
have every number; a test keeps such numbers out of other modules. Delays of polling, lifetimes of leases, and lifetimes of stored answers are no retries and stand beside their
code.

Fields are named as in the code:

- \`initialDelayMs\`, \`backoffCoefficient\`, \`delayMsMax\`: the first delay, its factor after each further failure, its bound
- \`delayMs\`, \`delaysMs\`: a constant delay; a list of delays, after whose end Nightshift gives up
- \`triesMax\`, \`retriesMax\`: tries with and without the first one
- \`giveUpMs\`: time after which Nightshift gives up`;

/** Lists the policies in the order of the modules. @throws when a policy lacks its comment or a part of it. */
export function listPolicies(): readonly DescribedPolicy[] {
  return modules.flatMap(listPoliciesOf);
}

function listPoliciesOf(module: PolicyModule): readonly DescribedPolicy[] {
  const { path } = module;
  const file = ts.createSourceFile(
    path,
    readFileSync(join(packageRoot, path), 'utf8'),
    ts.ScriptTarget.ESNext,
    true,
  );
  return file.statements
    .filter(ts.isVariableStatement)
    .filter(({ modifiers = [] }) => modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap((statement) => {
      const comment = ts.getJSDocCommentsAndTags(statement).find(ts.isJSDoc)?.comment;
      const text = ts.getTextOfJSDocComment(comment) ?? '';
      return statement.declarationList.declarations.map(({ name }) =>
        describePolicy(module, name.getText(), text),
      );
    });
}

function describePolicy({ path, policies }: PolicyModule, name: string, comment: string): DescribedPolicy {
  const [failure = '', reason = '', last = '', ...rest] = comment
    .split(/\n\s*\n/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim());
  const origin = /^Origin: (.+)$/.exec(last)?.[1];
  if (reason === '' || origin === undefined || rest.length > 0) {
    throw new Error(
      `The comment of ${name} in ${path} needs three parts: the failure, the reason, and "Origin: …".`,
    );
  }
  const numbers = Object.entries(policies).find(([exported]) => exported === name)?.[1];
  if (typeof numbers !== 'object' || numbers === null) throw new Error(`${name} in ${path} is no policy.`);
  return { name, failure, reason, origin, numbers: { ...numbers } };
}

function valueText(field: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => valueText(field, each)).join(', ');
  if (value === null) return 'no limit';
  if (typeof value !== 'number') return typeof value === 'string' ? value : JSON.stringify(value);
  if (/Seconds$|^seconds$/.test(field)) return durationText(value * 1000);
  return /Ms(Max|Min)?$|^delaysMs$/.test(field) ? durationText(value) : String(value);
}

function durationText(durationMs: number): string {
  const [unitMs, unit] = units.find(([each]) => durationMs >= each && durationMs % each === 0) ?? [1, 'ms'];
  return `${durationMs / unitMs} ${unit}`;
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;
