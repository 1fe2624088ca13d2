import type { SourceDefinition } from '../../../sources/definition/source-definition.ts';
import type { LiveCheck } from '../../../core/sources/reply-shape.ts';
import { Misconfigured } from '../../../core/errors.ts';
import type { SourceRegistry } from '../../../app/sources/source-registry.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Line of the list of sources. */
interface SourceLine {
  readonly source: SourceDefinition;
  readonly configured: boolean;
  /** Missing configuration; null when the source is usable. */
  readonly lacks: string | null;
  /** True when its adapter is tested against recorded responses; false: none are recorded; null: the source sends no responses. */
  readonly checkedShape: boolean | null;
  /** The last live check; null: never. */
  readonly checkedLive: LiveCheck | null;
}

/** Lists every source: whether it is configured, and how its adapter was tested. */
export const sources: Command<[], object> = async ({ app, config, output }) => {
  const {
    sources: { registry, checks: sourceChecks },
  } = await app();
  const checks = new Map((await sourceChecks.list()).map((check) => [check.source, check]));
  const lines = await Promise.all(
    config().catalog.sources.map((source) => describe(source, registry, checks.get(source.id) ?? null)),
  );
  output.result({ sources: lines.map(lineJson) }, () =>
    [
      tableOf(lines, output.tableColumns()),
      ...lines.flatMap(({ lacks }) => (lacks === null ? [] : lacks)),
    ].join('\n'),
  );
  return exitCodes.done;
};

async function describe(
  source: SourceDefinition,
  registry: SourceRegistry,
  checkedLive: LiveCheck | null,
): Promise<SourceLine> {
  const lacks = await registry.named([source.id]).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Misconfigured) return error.message;
      throw error;
    },
  );
  const checkedShape = source.kind === 'local' ? null : source.recordedShapes !== undefined;
  return { source, configured: lacks === null, lacks, checkedShape, checkedLive };
}

function tableOf(lines: readonly SourceLine[], columnsMax: number): string {
  return formatTable(
    ['source', 'configured', 'tested against recordings', 'checked live'],
    lines.map((line) => [
      line.source.id,
      yesOrNo(line.configured),
      shapeText(line),
      line.checkedShape === null ? 'local data' : liveText(line),
    ]),
    columnsMax,
  );
}

function shapeText({ source }: SourceLine): string {
  if (source.kind === 'local') return 'local data';
  if (source.recordedShapes !== undefined) return 'yes';
  return source.checkedBy === undefined ? 'no' : `by ${source.checkedBy}`;
}

function lineJson({ source, checkedLive, ...line }: SourceLine) {
  return {
    name: source.id,
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

function liveText({ checkedShape, checkedLive: check }: SourceLine): string {
  if (check === null) return 'no';
  const summary = `${check.checkedAt.toISOString().slice(0, 10)}: ${check.outcome}`;
  const differences = check.missing.length + check.added.length;
  if (differences > 0) return `${summary}, ${differences} keys differ`;
  const isAsRecorded = check.outcome === 'found' && checkedShape === true;
  return isAsRecorded ? `${summary}, as recorded` : summary;
}
