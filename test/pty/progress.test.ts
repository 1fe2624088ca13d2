import { describe, expect, test } from 'vitest';
import { eraseLine } from '../../src/cli/terminal/status-line.ts';
import { useTestCli } from '../support/cli/test-cli.ts';
import { expectFits, expectPlain, plainTerminals, terminalsOf } from '../support/pty/fitting.ts';
import { inOrder, listOf, openSource, settingsOf, untilCalled } from '../support/pty/interrupts.ts';

const cli = useTestCli();
const open = terminalsOf(cli);

const search = ['search', '--domain', 'nike.com', '--source', 'sample'];
const widths = [120, 80, 40];

describe('search', () => {
  test.each(widths)('fits in %d columns', async (columns) => {
    expectFits(await open(search, { columns }).ended(), 'search', columns);
  });

  test.each(plainTerminals)('is plain in $kind', async (terminal) => {
    const ended = await open(search, terminal).ended();
    expectFits(ended, 'search', 80);
    expectPlain(ended, terminal);
  });
});

describe('progress of `enrich`', () => {
  const enrich = (file: string) => {
    cli().write(`${file}.csv`, listOf(12, file));
    return ['enrich', `${file}.csv`, '-o', `${file}-out.csv`];
  };

  test.each(widths)('fits in %d columns', async (columns) => {
    const source = await openSource({ latencyMs: { min: 100, max: 300 } });
    const terminal = { columns, environment: settingsOf(source) };
    const ended = await open(enrich(`fits-${columns}`), terminal).ended();
    expectFits(ended, 'enrich', columns);
    // Frames of the line, each drawn over the one before.
    expect(ended.raw.split(eraseLine).length).toBeGreaterThan(3);
    expect(ended.lines.join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });

  test.each(plainTerminals)('leaves nothing behind in $kind', async ({ columns, environment, kind }) => {
    const source = await openSource({ latencyMs: { min: 100, max: 300 } });
    const file = kind.replaceAll(' ', '-');
    const terminal = { columns, environment: { ...environment, ...settingsOf(source) } };
    const ended = await open(enrich(file), terminal).ended();
    expectFits(ended, 'enrich', 80);
    expectPlain(ended, terminal);
    expect(ended.lines.join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });

  test('resized from 80 to 40 and to 120 columns leaves no part of the line behind', async () => {
    const source = await openSource({ latencyMs: { min: 400, max: 700 } });
    cli().write('resized.csv', listOf(40, 'resized'));
    const args = ['enrich', 'resized.csv', '-o', 'resized-out.csv'];
    const run = open(args, { columns: 80, environment: settingsOf(source) });
    await untilCalled(source, 4);
    await run.resize(40);
    await untilCalled(source, 16);
    await run.resize(120);
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 0, ...inOrder });
    expect(ended.lines.join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    const [first, ...others] = ended.lines.filter((line) => /companies|lookups/.test(line));
    expect(new Set([first, ...others]).size).toBe(others.length + 1);
  });
});
