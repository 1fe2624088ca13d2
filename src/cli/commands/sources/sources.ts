import { recordedShapes } from '../../../sources/recorded-shapes.ts';
import type { LiveCheck } from '../../../core/sources/reply-shape.ts';
import { Misconfigured } from '../../../core/errors.ts';
import { sourceNames, type SourceName } from '../../../config/source-names.ts';
import { isLocalSource, type SourceRegistry } from '../../../app/source-registry.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

/** A source as it is listed. */
interface SourceLine {
  readonly name: SourceName;
  readonly configured: boolean;
  /** Missing configuration; null where the source is usable. */
  readonly lacks: string | null;
  /** Its adapter was tested against the recorded shape of its replies; false: there is none; null: it has no replies. */
  readonly checkedShape: boolean | null;
  /** The last time an operator asked it a real question; null: never. */
  readonly checkedLive: LiveCheck | null;
}

/** Every source, whether it can be used, and how sure it is that it is read rightly. */
export const sources: Command<[], object> = async ({ app, output }) => {
  const {
    sources: { registry, checks: sourceChecks },
  } = await app();
  const checks = new Map((await sourceChecks.list()).map((check) => [check.source, check]));
  const lines = await Promise.all(
    sourceNames.map((name) => describe(name, registry, checks.get(name) ?? null)),
  );
  output.result({ sources: lines.map(lineJson) }, () =>
    [tableOf(lines), ...lines.flatMap(({ lacks }) => lacks ?? [])].join('\n'),
  );
  return exitCodes.done;
};

async function describe(
  name: SourceName,
  registry: SourceRegistry,
  checkedLive: LiveCheck | null,
): Promise<SourceLine> {
  const lacks = await registry.named([name]).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Misconfigured) return error.message;
      throw error;
    },
  );
  const checkedShape = isLocalSource(name) ? null : recordedShapes[name] !== undefined;
  return { name, configured: lacks === null, lacks, checkedShape, checkedLive };
}

function tableOf(lines: readonly SourceLine[]): string {
  return formatTable(
    ['source', 'configured', 'checked against the recorded shape', 'checked live'],
    lines.map((line) => [
      line.name,
      yesOrNo(line.configured),
      shapeText(line),
      line.checkedShape === null ? 'own data' : liveText(line.checkedLive),
    ]),
  );
}

/** Reference of each source without a recorded shape. */
const heldAgainst: Partial<Record<SourceName, string>> = { bigquery: 'by its schema', mapped: 'by its map' };

function shapeText({ name, checkedShape }: SourceLine): string {
  if (checkedShape === null) return 'own data';
  return checkedShape ? 'yes' : (heldAgainst[name] ?? 'no');
}

function lineJson({ checkedLive, ...line }: SourceLine) {
  return {
    ...line,
    checkedLive: checkedLive?.checkedAt ?? null,
    ...(checkedLive === null
      ? {}
      : { live: { outcome: checkedLive.outcome, missing: checkedLive.missing, added: checkedLive.added } }),
  };
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no';
}

function liveText(check: LiveCheck | null): string {
  if (check === null) return 'no';
  const summary = `${check.checkedAt.toISOString().slice(0, 10)}: ${check.outcome}`;
  const differences = check.missing.length + check.added.length;
  if (differences > 0) return `${summary}, ${differences} keys differ`;
  const isAsRecorded = check.outcome === 'found' && recordedShapes[check.source] !== undefined;
  return isAsRecorded ? `${summary}, as recorded` : summary;
}
