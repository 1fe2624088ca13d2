import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { trackedFiles } from '../support/ci/project-source.ts';

/** The configuration is JavaScript without types. */
interface Rules {
  readonly default: Required<Pick<IConfiguration, 'forbidden' | 'options'>>;
  readonly homes: Readonly<Record<string, readonly string[]>>;
  readonly layers: readonly { readonly at: string; readonly may: readonly string[] }[];
}

const configuration = join(packageRoot, '.dependency-cruiser.js');
const { default: rules, homes, layers } = (await import(configuration)) as Rules;

/** Checks `src`, `db` and `workers` under a folder against the project's rules. */
async function cruiseFolder(baseDir: string): Promise<ICruiseResult> {
  const { forbidden, options } = rules;
  const { output } = await cruise(['src', 'db', 'workers'], {
    ...options,
    baseDir,
    validate: true,
    ruleSet: { forbidden },
  });
  if (typeof output === 'string') throw new Error(output);
  return output;
}

describe('dependency rules', () => {
  let project: ICruiseResult;
  const code = trackedFiles('src', 'db', 'workers')
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => !path.endsWith('/vite.config.ts'));
  const layerOf = (path: string) =>
    layers.filter(({ at }) => path.startsWith(at)).sort((one, other) => other.at.length - one.at.length)[0];

  const dependenciesOf = (path: string) =>
    project.modules.find(({ source }) => source === path)?.dependencies ?? [];

  beforeAll(async () => {
    project = await cruiseFolder(packageRoot);
  });

  test('have no violation in the project', () => {
    expect(project.modules.length).toBeGreaterThan(800);
    expect(project.summary.violations).toEqual([]);
  });

  test('assign every file to a layer, and every layer has files', () => {
    expect(code.filter((path) => layerOf(path) === undefined)).toEqual([]);
    expect(layers.filter((layer) => !code.some((path) => layerOf(path) === layer))).toEqual([]);
  });

  test('allow only imports that occur', () => {
    const unused = layers.flatMap((layer) => {
      const imports = project.modules
        .filter(({ source }) => layerOf(source) === layer)
        .flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved));
      const may = layer.may.filter((arrow) => !imports.some((path) => path.startsWith(arrow)));
      return may.map((arrow) => `${layer.at} → ${arrow}`);
    });
    expect(unused).toEqual([]);
  });

  test('let the source registry load definitions only: no adapter, no package, no module of Node.js', () => {
    const loaded = new Set(['src/sources/registry.ts']);
    for (const path of loaded)
      for (const { resolved, dynamic, dependencyTypes } of dependenciesOf(path))
        if (!dynamic && !dependencyTypes.includes('type-only')) loaded.add(resolved);
    const definitions = [...loaded].filter((path) => path.endsWith('/definition.ts'));
    expect(definitions.length).toBeGreaterThan(7);
    expect([...loaded].filter((path) => !/^src\/(core|sources)\//.test(path))).toEqual([]);
    expect([...loaded].filter((path) => /\/(source|wire)\.ts$/.test(path))).toEqual([]);
  });

  test('let the opener of storages load no adapter before its first use', () => {
    const loaded = new Set(['src/app/storages.ts']);
    for (const path of loaded)
      for (const { resolved, dynamic, dependencyTypes } of dependenciesOf(path))
        if (!dynamic && !dependencyTypes.includes('type-only')) loaded.add(resolved);
    expect([...loaded].filter((path) => /node_modules|\/adapters\/(storage|postgres)\//.test(path))).toEqual(
      [],
    );
  });

  test('allow each package only in folders that import it', () => {
    const unused = Object.entries(homes).flatMap(([name, paths]) => {
      const importers = project.modules
        .filter(({ dependencies }) =>
          dependencies.some(({ resolved }) => resolved.includes(`node_modules/${name}/`)),
        )
        .map(({ source }) => source);
      const idle = paths.filter((home) => !importers.some((path) => path.startsWith(home)));
      return idle.map((home) => `${name} in ${home}`);
    });
    expect(unused).toEqual([]);
  });
});

describe('dependency rules reject', () => {
  test.each([
    ['an import upwards', 'src/core/a.ts', "import { x } from '../log.ts'; export { x };", 'layer src/core/'],
    ['a type import upwards', 'src/core/a.ts', "export type { x } from '../log.ts';", 'layer src/core/'],
    [
      'a dynamic import upwards',
      'src/core/a.ts',
      "export const x = await import('../log.ts');",
      'layer src/core/',
    ],
    [
      'a package outside of its folders',
      'src/core/a.ts',
      "import pg from 'pg'; export { pg };",
      'package pg',
    ],
    [
      'a package without a rule',
      'src/log.ts',
      "import x from 'stray'; export { x };",
      'package without a home',
    ],
    ['a file without a layer', 'src/stray.ts', "import './log.ts';", 'file of no layer'],
    ['an import cycle', 'src/log.ts', "import './log.ts';", 'file cycle'],
  ])('%s', async (_name, path, text, rule) => {
    const folder = mkdtempSync(join(tmpdir(), 'layers-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files: Readonly<Record<string, string>> = {
      'tsconfig.json': '{}',
      'package.json': '{ "type": "module" }',
      'src/log.ts': 'export const x = 1;',
      'db/x.ts': 'export {};',
      'workers/x.ts': 'export {};',
      'node_modules/pg/index.js': '',
      'node_modules/stray/index.js': '',
      [path]: text,
    };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const { summary } = await cruiseFolder(folder);
    expect(summary.violations.map((violation) => violation.rule.name)).toContain(rule);
  });
});
