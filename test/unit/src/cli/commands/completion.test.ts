import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completionScript } from '../../../../../src/cli/commands/server/completion.ts';
import { createProgram } from '../../../../../src/cli/program.ts';

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const program = createProgram({ stdout: nowhere, stderr: nowhere }, () => Promise.resolve());

/** Shell code that loads the script `$1` and prints the completions of the last of the words after it, one a line. */
const askers = {
  bash: `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nightshift; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `source "$1"; shift; words=("$@"); CURRENT=$#
    compadd() { shift; for each in "$@"; do [[ $each == "\${words[CURRENT]}"* ]] && print -r -- $each; done }
    _files() { print files }
    _nightshift`,
  fish: `source $argv[1]; complete -C (string join ' ' -- $argv[2..-1]) | string replace -r '\\t.*' ''`,
} as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightshift-completion-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['bash', 'zsh', 'fish'] as const)('completion in %s', (shell) => {
  const isMissing = spawnSync(shell, ['-c', 'true']).error !== undefined;

  function complete(...words: readonly string[]): readonly string[] {
    const file = join(folder, `nightshift.${shell}`);
    writeFileSync(file, completionScript(shell, program));
    const flags = shell === 'fish' ? ['--no-config', '-c', askers.fish] : ['-c', askers[shell], shell];
    const { stdout, stderr } = spawnSync(shell, [...flags, file, 'nightshift', ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder },
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '');
  }

  test.skipIf(isMissing)(`completes commands (skipped if ${shell} is not installed)`, () => {
    expect(complete('sche')).toEqual(['schedule']);
    expect(complete('')).toEqual(expect.arrayContaining(program.commands.map((each) => each.name())));
  });

  test.skipIf(isMissing)(
    `completes subcommands, after options too (skipped if ${shell} is not installed)`,
    () => {
      expect(complete('schedule', 'sc')).toEqual(['scans']);
      expect(complete('--account', 'sales', 'schedule', 'pa')).toEqual(['pause']);
      expect(complete('credits', 'gr')).toEqual(['grant']);
    },
  );

  test.skipIf(isMissing)(`completes options of the command (skipped if ${shell} is not installed)`, () => {
    expect(complete('credits', 'grant', '--rea')).toEqual(['--reason']);
    expect(complete('export', '--sha')).toEqual(['--shape']);
    expect(complete('status', '--sha')).toEqual([]);
  });
});
