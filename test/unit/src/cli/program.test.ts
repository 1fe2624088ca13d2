import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../../../src/cli/program.ts';
import { Written } from '../../../support/cli/nightshift-in-process.ts';
import { maskVolatile } from '../../../support/pty/mask-volatile.ts';

const snapshots = join(import.meta.dirname, '../../../pty/snapshots');

/** Names of the listings of help: `help` of the program, `help-<command>` of a command. */
const listings = readdirSync(snapshots).filter((name) => /^help(-|$)/.test(name));

/** Help of a command in a terminal of `columns`. */
async function helpOf(command: readonly string[], columns: number): Promise<string> {
  const stream = Object.assign(new Written(), { isTTY: true, columns });
  const program = createProgram({ stdout: stream, stderr: stream, ownCommand: 'npx nightshift' }, () =>
    Promise.resolve(),
  );
  await program.parseAsync([...command, '--help'], { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error;
  });
  return maskVolatile(stream.text().split('\n'), snapshots);
}

// A commit runs a part of the tests on terminals, which may leave out a description that it changes.
test.each(listings)('%s is the listing that terminals are compared with', async (listing) => {
  const command = listing === 'help' ? [] : [listing.slice('help-'.length)];
  for (const columns of [120, 80, 40])
    expect(await helpOf(command, columns), `${columns} columns`).toBe(
      readFileSync(join(snapshots, listing, `${columns}.txt`), 'utf8'),
    );
});
